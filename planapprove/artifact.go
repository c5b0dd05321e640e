package planapprove

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/durable"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/regular"
	"github.com/seed-8d4a6081/assent/journal"
)

// ArtifactFolder is where the copies of plans are, below the workspace of their run.
const ArtifactFolder = ".assent/plans"

const (
	// maxSlug keeps the names of copies short.
	maxSlug = 40
	// maxClashes bounds the search for a name that is free: one is taken only by a plan with
	// the same checksum that was asked about in the same second.
	maxClashes = 1000
)

// artifactPath is the form of a copy's path. A journal that names another is not followed.
var artifactPath = regexp.MustCompile(`^\.assent/plans/([a-z0-9][a-z0-9-]*-[0-9]{8}t[0-9]{6}z-[0-9a-f]{8}(?:-[0-9]+)?\.md)$`)

// artifacts keeps copies of plans in the workspace of a run.
type artifacts struct{}

var _ checkpoint.Copies = artifacts{}

// Make writes the copy of the plan that q asks about into the workspace of the run whose state
// is st, and gives what its gate has to record: a document's Markdown to the byte, or a
// rendering of the plan with its canonical text. A run without a workspace has none (nil), nor
// has a question about no plan. The same copy of an earlier gate is used again while it is whole.
//
// It fails with PLAN_ARTIFACT_UNWRITABLE if the file cannot be written, or if anything below
// the workspace on the way to it is no folder, such as a link.
func (artifacts) Make(st *journal.State, q checkpoint.Question, now time.Time) (*journal.Artifact, error) {
	if st.Workspace == "" || q.Kind != checkpoint.KindPlan {
		return nil, nil
	}
	data, err := copyOf(st, q.Prompt, q.Checksum, q.Plan)
	if err != nil {
		return nil, err
	}
	a := &journal.Artifact{SHA256: canonical.Sum(data), Size: int64(len(data))}
	for i := len(st.GateOrder) - 1; i >= 0; i-- {
		old := st.Gates[st.GateOrder[i]].Asked.Artifact
		if old != nil && old.SHA256 == a.SHA256 && old.Size == a.Size && compare(st.Workspace, *old) == nil {
			return old, nil
		}
	}
	folder, err := makeFolder(st.Workspace)
	if err != nil {
		return nil, unwritable(st, ArtifactFolder, err)
	}
	defer folder.Close()
	stem := slug(st, q.Plan) + "-" + now.UTC().Format("20060102t150405z") + "-" + q.Checksum[:8]
	for n := 1; n <= maxClashes; n++ {
		name := stem + ".md"
		if n > 1 {
			name = fmt.Sprintf("%s-%d.md", stem, n)
		}
		a.Path = ArtifactFolder + "/" + name
		switch err := durable.CreateIn(folder, name, data, 0o600); {
		case err == nil:
			return a, nil
		case !errors.Is(err, fs.ErrExist):
			return nil, unwritable(st, a.Path, err)
		}
	}
	return nil, unwritable(st, a.Path, fs.ErrExist)
}

// Restore writes the copy of gate g again, from the journal, if it is gone.
func (artifacts) Restore(st *journal.State, g *journal.Gate) error {
	a := g.Asked.Artifact
	if a == nil || st.Workspace == "" {
		return nil
	}
	err := compare(st.Workspace, *a)
	if !errors.Is(err, fs.ErrNotExist) {
		return mismatch(st, a, err)
	}
	data, err := copyOf(st, g.Asked.Prompt, g.Asked.Checksum, g.Asked.Plan)
	if err != nil {
		return err
	}
	if canonical.Sum(data) != a.SHA256 {
		return mismatch(st, a, errors.New("it is gone, and the journal makes another one"))
	}
	name, err := nameOf(*a)
	if err != nil {
		return mismatch(st, a, err)
	}
	folder, err := makeFolder(st.Workspace)
	if err != nil {
		return unwritable(st, a.Path, err)
	}
	defer folder.Close()
	if err := durable.CreateIn(folder, name, data, 0o600); err != nil && !errors.Is(err, fs.ErrExist) {
		return unwritable(st, a.Path, err)
	}
	return mismatch(st, a, compare(st.Workspace, *a)) // another process may have been first
}

// Check refuses the approval of g if its copy is not, to the byte, what was written. What is
// done to the file after that changes nothing: no approval and no work reads it.
func (artifacts) Check(st *journal.State, g *journal.Gate) error {
	a := g.Asked.Artifact
	if a == nil || st.Workspace == "" {
		return nil
	}
	err := compare(st.Workspace, *a)
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.PlanArtifactMismatch, fmt.Sprintf("%s, the copy of the plan of gate %s, is gone", a.Path, g.Asked.Gate),
			"assent review "+st.ID+"   # writes it again from the journal, and shows the plan")
	}
	return mismatch(st, a, err)
}

// compare holds a copy against what was recorded of it: nil if it is the same, fs.ErrNotExist
// if there is none.
func compare(workspace string, a journal.Artifact) error {
	name, err := nameOf(a)
	if err != nil {
		return err
	}
	folder, err := openFolder(workspace)
	if err != nil {
		return err
	}
	defer folder.Close()
	data, err := regular.ReadIn(folder, name, a.Size)
	if err != nil {
		return err
	}
	if canonical.Sum(data) != a.SHA256 {
		return errChanged
	}
	return nil
}

// errChanged is a copy with another text.
var errChanged = errors.New("it has another text")

// nameOf gives the name of a copy in its folder.
func nameOf(a journal.Artifact) (string, error) {
	match := artifactPath.FindStringSubmatch(a.Path)
	if match == nil {
		return "", fmt.Errorf("%.80q is no path of a copy", a.Path)
	}
	return match[1], nil
}

// copyOf gives the bytes of a plan's copy.
func copyOf(st *journal.State, prompt, checksum, plan string) ([]byte, error) {
	if d, ok := DocumentOf(plan); ok {
		return []byte(d.Markdown), nil
	}
	return rendering(st.ID, titleOf(st, plan), prompt, checksum, plan)
}

// titleOf is the plan's own title, or the name of the run.
func titleOf(st *journal.State, plan string) string {
	var titled struct {
		Title json.RawMessage `json:"title"`
	}
	var title string
	if json.Unmarshal([]byte(plan), &titled) == nil && json.Unmarshal(titled.Title, &title) == nil && strings.TrimSpace(title) != "" {
		return title
	}
	if st.Started.Title != "" {
		return st.Started.Title
	}
	return "Plan"
}

var notInSlug = regexp.MustCompile(`[^a-z0-9]+`)

// slug is the title as a part of a file's name that is safe everywhere.
func slug(st *journal.State, plan string) string {
	s := strings.Trim(notInSlug.ReplaceAllString(strings.ToLower(titleOf(st, plan)), "-"), "-")
	if len(s) > maxSlug {
		s = strings.TrimRight(s[:maxSlug], "-")
	}
	if s == "" {
		return "plan"
	}
	return s
}

// mismatch says what is wrong with a copy. That it is another text says all that there is to say;
// why it could not be read is told.
func mismatch(st *journal.State, a *journal.Artifact, err error) error {
	again := "assent review " + st.ID + "   # "
	removed := again + "after rm " + a.Path + ": the copy is then written anew"
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errChanged), errors.Is(err, regular.ErrSize):
		return fault.New(fault.PlanArtifactMismatch, "the copy "+a.Path+" was changed since it was written", removed)
	case errors.Is(err, durable.ErrNotFolder):
		removed = again + "once " + ArtifactFolder + " is a folder again"
	}
	return fault.Wrap(err, fault.PlanArtifactMismatch, "the copy "+a.Path+" cannot be read as it was written", removed)
}

func unwritable(st *journal.State, path string, err error) error {
	return fault.Wrap(err, fault.PlanArtifactUnwritable, "the plan's copy "+path+" cannot be written in "+st.Workspace,
		"assent resume "+st.ID+"   # once "+ArtifactFolder+" is a folder that you can write to")
}
