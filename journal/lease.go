package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"sync"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// The lease file: a byte to lock, the owner as JSON, and behind it one record for each running
// process group. All have fixed places and are written without fsync: after a power cut the
// processes are gone too.
const (
	byteLease = 0
	ownerAt   = 1
	ownerSize = 511
	groupsAt  = ownerAt + ownerSize
	groupSize = 128
)

// ownerRecord is Process with the boot of the machine, for start times begin anew with it.
type ownerRecord struct {
	Process
	Boot string `json:"boot,omitempty"`
}

// group is a running process group of the owner's.
type group struct {
	PID  int `json:"pid"`
	PGID int `json:"pgid"`
	// Started is the kernel's start time of PID.
	Started int64 `json:"started"`
}

// agentMark is the environment variable that every process of an agent has, and that process.Marker
// names: its run, a slash, its call. Whoever can write to the lease file can note any process
// in it; only one that has the mark of the run is ended for it.
const agentMark = "ASSENT_AGENT"

// lease is the right to execute one run. The kernel frees it when the process dies. The file
// is never removed while the run exists, and the handle stays open.
type lease struct {
	mu    sync.Mutex // guards the rest
	file  *os.File   // nil after release
	slots []bool     // which group records are in use
}

// takeLease becomes a run's owner, ends what a dead owner left running, and signs. A file that
// was removed before it was locked is no lease: the next one would lock another.
func (s *Store) takeLease(id string) (*lease, error) {
	for {
		l, err := s.tryLease(id)
		if err != nil || l.named(s.leasePath(id)) {
			return l, err
		}
		if err := l.release(); err != nil {
			return nil, err
		}
	}
}

// named says that the lease is still the file at path.
func (l *lease) named(path string) bool {
	mine, err := l.file.Stat()
	if err != nil {
		return true // then it is not gone, but broken, and the next use will say so
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(mine, there)
}

// drop removes the lease's file with the lease, of a run that is not there any more, or never was:
// docs/adr/0013. Where an open file cannot be removed, nobody can have come in between who does
// not keep it open.
func (l *lease) drop(path string) error {
	gone := remove(path)
	err := l.release()
	if gone != nil {
		gone = remove(path)
	}
	return errors.Join(gone, err)
}

func (s *Store) tryLease(id string) (*lease, error) {
	file, err := openSafe(s.leasePath(id), os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	ok, err := lockByte(file, byteLease)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("taking the lease: %w", err), file.Close())
	}
	if !ok {
		owner := readOwner(file)
		return nil, errors.Join(fault.New(fault.RunBusy,
			fmt.Sprintf("run %s is executed by process %d on %s", id, owner.PID, owner.Host),
			"assent watch "+id+"   # shows it as it goes"), file.Close())
	}
	l := &lease{file: file}
	if err := l.inherit(id); err != nil {
		return nil, errors.Join(err, l.release())
	}
	return l, nil
}

// inherit ends the groups of the last owner and writes this process in its place.
func (l *lease) inherit(run string) error {
	last := readOwner(l.file)
	me := ownerRecord{thisProcess(), thisBoot()}
	if last.Host == me.Host && last.Boot == me.Boot {
		if err := endGroups(run, readGroups(l.file)); err != nil {
			return err
		}
	}
	text, err := json.Marshal(me)
	if err != nil {
		return err
	}
	if len(text) >= ownerSize {
		return fmt.Errorf("the owner's record has %d bytes; there is room for %d", len(text), ownerSize-1)
	}
	if err := l.file.Truncate(0); err != nil {
		return fmt.Errorf("writing the lease: %w", err)
	}
	if _, err := l.file.WriteAt([]byte(fmt.Sprintf("\n%-*s\n", ownerSize-1, text)), byteLease); err != nil {
		return fmt.Errorf("writing the lease: %w", err)
	}
	return nil
}

// note records a group until done is called. What cannot be recorded is not ended after a
// crash; that is no reason to stop the work now.
func (l *lease) note(pid, pgid int) (done func()) {
	text, err := json.Marshal(group{PID: pid, PGID: pgid, Started: startTime(pid)})
	if err != nil {
		return func() {}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	slot := len(l.slots)
	for i, used := range l.slots {
		if !used {
			slot = i
			break
		}
	}
	if slot == len(l.slots) {
		l.slots = append(l.slots, false)
	}
	l.slots[slot] = true
	l.write(slot, string(text))
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.slots[slot] = false
		l.write(slot, "")
	})
}

func (l *lease) write(slot int, text string) {
	if l.file != nil {
		_, _ = l.file.WriteAt([]byte(fmt.Sprintf("%-*s\n", groupSize-1, text)), int64(groupsAt+slot*groupSize))
	}
}

func (l *lease) release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	// A child that was forked and does not execute its program yet holds the file too, and with it the lock.
	unlockByte(l.file, byteLease)
	err := l.file.Close()
	l.file = nil
	return err
}

// owner tells whether a living process executes a run.
func (s *Store) owner(id string) (Process, bool) {
	file, err := openSafe(s.leasePath(id), os.O_RDONLY)
	if err != nil {
		return Process{}, false
	}
	defer file.Close()
	if locked, err := byteLocked(file, byteLease); err != nil || !locked {
		return Process{}, false
	}
	return readOwner(file).Process, true
}

func readOwner(file *os.File) ownerRecord {
	var owner ownerRecord
	text := make([]byte, ownerSize)
	n, _ := file.ReadAt(text, ownerAt)
	// A record that is being written says nothing; that somebody has the lease, the lock says.
	_ = json.Unmarshal(text[:n], &owner)
	return owner
}

func readGroups(file *os.File) []group {
	var groups []group
	text := make([]byte, groupSize)
	for at := int64(groupsAt); ; at += groupSize {
		if n, _ := file.ReadAt(text, at); n < groupSize {
			return groups
		}
		var g group
		if json.Unmarshal(text, &g) == nil {
			groups = append(groups, g)
		}
	}
}

// thisProcess is how this process signs. Neither it nor the boot changes while it lives, and a
// program that begins many runs asks often.
var (
	thisProcess = sync.OnceValue(describeProcess)
	thisBoot    = sync.OnceValue(bootID)
)

func describeProcess() Process {
	p := Process{PID: os.Getpid(), Started: startTime(os.Getpid())}
	p.Host, _ = os.Hostname()
	if u, err := user.Current(); err == nil {
		p.User = u.Username
	}
	return p
}

// exists says that there is a file, of whatever kind, at path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
