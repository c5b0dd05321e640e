// Package watch compares a git repository before and after a call that works in it.
package watch
