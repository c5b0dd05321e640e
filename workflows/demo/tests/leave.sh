check "$(sh leave.sh Ada)" "Goodbye, Ada!"
