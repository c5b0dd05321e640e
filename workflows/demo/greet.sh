#!/bin/sh
# Greets whoever is named.
echo "Hello, $1!"
