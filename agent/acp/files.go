package acp

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/seed-8d4a6081/assent/internal/regular"
)

// refused is the error that an agent gets for what it may not do.
func refused(format string, args ...any) *sdk.RequestError {
	return &sdk.RequestError{Code: invalidParams, Message: fmt.Sprintf(format, args...)}
}

// The codes of JSON-RPC and of the protocol that are used here.
const (
	invalidParams = -32602
	methodMissing = -32601
	internalError = -32603
	authRequired  = -32000
	notFound      = -32002
)

// readFile reads a text file for the agent, or some lines of it.
func (s *session) readFile(_ context.Context, p sdk.ReadTextFileRequest) (any, error) {
	at, dir, name := s.folder.locate(p.Path)
	if at == outside {
		return nil, refused("%s is outside of the folder of this call", p.Path)
	}
	data, err := readIn(dir, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &sdk.RequestError{Code: notFound, Message: "there is no file " + p.Path}
	case err != nil:
		return nil, refused("%s cannot be read: %v", p.Path, pathless(err))
	case !utf8.Valid(data):
		return nil, refused("%s is not a text file in UTF-8", p.Path)
	}
	return sdk.ReadTextFileResponse{Content: lines(string(data), p.Line, p.Limit)}, nil
}

// readIn reads a regular file below dir. Its name has no link in it any more, and none is followed.
func readIn(dir, name string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return regular.ReadIn(root, name, maxFile)
}

// lines are limit lines of a text from line from, which counts from 1; nil is all of them.
func lines(text string, from, limit *int) string {
	for n := 1; from != nil && n < *from; n++ {
		_, rest, found := strings.Cut(text, "\n")
		if !found {
			return ""
		}
		text = rest
	}
	if limit == nil {
		return text
	}
	end := 0
	for range *limit {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			return text
		}
		end += i + 1
	}
	return text[:end]
}

// writeFile writes a text file for the agent, if the rules let it edit there or did so before.
func (s *session) writeFile(ctx context.Context, p sdk.WriteTextFileRequest) (any, error) {
	at, dir, name := s.folder.locate(p.Path)
	switch {
	case at == outside:
		return nil, refused("%s is outside of the folder of this call", p.Path)
	case at == reserved:
		return nil, refused("%s belongs to git or to Assent", p.Path)
	case len(p.Content) > maxFile:
		return nil, refused("%s would have more than %d bytes", p.Path, maxFile)
	}
	t := &tool{title: "write " + p.Path}
	t.adds(sdk.ToolKindEdit, "", nil, nil, []sdk.ToolCallContent{{Diff: &sdk.ToolCallContentDiff{Path: p.Path, OldText: textIn(dir, name), NewText: p.Content}}})
	if !s.permitted(editKey(dir, name, sha256.Sum256([]byte(p.Content)))) && !s.permit(ctx, t, s.use(t, true)) {
		return nil, refused("%s may not be written", p.Path)
	}
	if err := writeIn(dir, name, p.Content); err != nil {
		return nil, refused("%s cannot be written: %v", p.Path, pathless(err))
	}
	return sdk.WriteTextFileResponse{}, nil
}

// writeIn writes a regular file below dir, with the folders on the way. A link that was put there since
// the name was followed cannot lead out of dir.
func writeIn(dir, name, content string) (err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if info, err := root.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return regular.ErrKind
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(content)
	return errors.Join(err, file.Close())
}

// pathless is a file system's error without the path, which was said already.
func pathless(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// textIn is the text of a file as it is, nil if there is none that can be shown.
func textIn(dir, name string) *string {
	data, err := readIn(dir, name)
	if err != nil || !utf8.Valid(data) {
		return nil
	}
	text := string(data)
	return &text
}

// editKey is the leave for a file to have a content.
func editKey(dir, name string, content [sha256.Size]byte) string {
	return fmt.Sprintf("edit\x00%s\x00%x", filepath.Join(dir, name), content)
}
