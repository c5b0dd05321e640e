package process

// Filter is FilterEnv for a system with or without case in names.
var Filter = filter
