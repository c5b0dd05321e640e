package planapprove_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// A Go program asks a person about a plan, with a journal and without any script. The same
// plan at the same key is not asked about twice.
func Example() {
	dir, err := os.MkdirTemp("", "assent")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	store, err := journal.Open(journal.Options{Dir: filepath.Join(dir, "store"), KeyDir: filepath.Join(dir, "keys")})
	if err != nil {
		panic(err)
	}
	run, err := store.Create(ctx, journal.RunStarted{Title: "deploy", Args: json.RawMessage("{}"), Workspace: dir})
	if err != nil {
		panic(err)
	}
	defer run.Close()

	ann := checkpoint.AskerFunc(func(_ context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
		fmt.Println("asked about", q.Gate.Plan)
		return checkpoint.Answer{
			Decision: json.RawMessage("true"), Checksum: q.Gate.Checksum, Nonce: q.Gate.Nonce,
			Who: journal.Who{User: "ann", Host: "desk", Way: "asker"},
		}, nil
	})
	for range 2 {
		q, err := planapprove.NewQuestion(json.RawMessage(`{"to": "production", "build": 7}`), checkpoint.Question{Prompt: "Deploy?"})
		if err != nil {
			panic(err)
		}
		approval, err := planapprove.Ask(ctx, run, "deploy", q, checkpoint.AskOptions{Asker: ann})
		if err != nil {
			panic(err)
		}
		fmt.Println(approval.Approved(), approval.ApprovedBy, approval.Replayed)
	}
	// Output:
	// asked about {"build":7,"to":"production"}
	// true ann@desk false
	// true ann@desk true
}
