//go:build unix

package durable

// RenameReserved is what CreateFile falls back to without hard links.
var RenameReserved = renameReserved
