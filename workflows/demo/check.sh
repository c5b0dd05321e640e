#!/bin/sh
# Runs the cases of tests/. Ends with 1 at the first thing that is wrong.
check() {
  if [ "$1" != "$2" ]; then
    echo "wrong: \"$1\" instead of \"$2\""
    exit 1
  fi
  echo "right: $1"
}
for cases in tests/*.sh; do
  . "./$cases"
done
