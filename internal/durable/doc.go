// Package durable writes files so that they are there, whole, after a power cut.
//
// A file is written under another name in the same folder, fsynced, moved to its name, and the
// folder is fsynced. When a function returns nil, all of that is on the disk; whenever the
// machine stops, the name leads to the old content or to the new one, never to a part. A file
// that was left under the other name is named ".<name>.<random>.tmp" and can be deleted.
//
// A symbolic link that stands at the name is replaced or refused, never followed.
package durable
