package forge

import (
	"net/url"
	"regexp"
	"strings"
)

// Address is a repository on a forge. Its host may have a port.
type Address struct {
	Host, Owner, Name string
	// ssh says that Host came from an address of ssh, where it may be an alias.
	ssh bool
}

// String is the form that gh takes.
func (a Address) String() string { return a.Host + "/" + a.Owner + "/" + a.Name }

var (
	// part is the name of an owner or a repository, as forges have them.
	part = regexp.MustCompile(`^[A-Za-z0-9_.][A-Za-z0-9_.-]*$`)
	// host is a name, or an address, and perhaps a port.
	hostForm = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?$`)
	// short is git's short form of an address of ssh: user@host:path.
	short = regexp.MustCompile(`^(?:[A-Za-z0-9_.-]+@)?([A-Za-z0-9.-]{2,}):([^/\\].*)$`)
)

// Parse reads the address of a git remote: https, http and ssh in both its forms. Everything else, such
// as a folder, is on no forge, and neither is what does not end in owner and name. A user or a password
// in it is dropped.
func Parse(remote string) (Address, bool) {
	remote = strings.TrimSpace(remote)
	if m := short.FindStringSubmatch(remote); m != nil && !strings.Contains(remote, "://") {
		return address(m[1], m[2], true)
	}
	u, err := url.Parse(remote)
	if err != nil {
		return Address{}, false
	}
	switch u.Scheme {
	case "https", "http":
		return address(u.Host, u.Path, false)
	case "ssh", "git+ssh", "ssh+git": // its port is that of ssh
		return address(u.Hostname(), u.Path, true)
	}
	return Address{}, false
}

func address(host, path string, ssh bool) (Address, bool) {
	owner, name, _ := strings.Cut(strings.Trim(path, "/"), "/")
	name = strings.TrimSuffix(name, ".git")
	if !part.MatchString(owner) || !part.MatchString(name) || !hostForm.MatchString(host) || strings.Trim(name, ".") == "" || strings.Trim(owner, ".") == "" {
		return Address{}, false
	}
	host = strings.TrimPrefix(strings.ToLower(host), "www.")
	if host == "ssh.github.com" { // where it takes ssh on the port of https
		host = "github.com"
	}
	return Address{Host: host, Owner: owner, Name: name, ssh: ssh}, true
}
