// Package regular reads files that somebody named: a script, a configuration, a file of answers.
//
// What stands at such a name may be a pipe that nobody writes to, a device without an end, or a
// file larger than the memory. [Open] and [Read] take regular files alone, wait for nothing, and
// [Read] has a limit. A [Folder] is the same for a file system of which nothing may be read but
// what lies below one folder, whatever links in it lead to.
package regular
