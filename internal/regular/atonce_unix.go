//go:build unix

package regular

import "syscall"

// atOnce opens without waiting for the other end of a pipe, and makes no terminal the process's.
const atOnce = syscall.O_NONBLOCK | syscall.O_NOCTTY
