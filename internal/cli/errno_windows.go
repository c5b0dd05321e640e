package cli

import "syscall"

// errNotFolder is what reading a path gives whose folder is a file.
var errNotFolder error = syscall.ERROR_PATH_NOT_FOUND
