#!/bin/sh
# Says goodbye to whoever is named.
echo "Goodbye, $1!"
