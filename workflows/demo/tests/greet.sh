check "$(sh greet.sh Ada)" "Hello, Ada!"
