package journal_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/seed-8d4a6081/assent/journal"
)

// A journal without a VM: a program keeps its own steps in a run, stops for a decision that
// somebody else gives, and goes on from where it was.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "journal")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store, err := journal.Open(journal.Options{Dir: filepath.Join(dir, "store"), KeyDir: filepath.Join(dir, "keys")})
	if err != nil {
		log.Fatal(err)
	}

	// The owner does a step, asks, and leaves.
	run, err := store.Create(ctx, journal.RunStarted{Title: "move the archive"})
	if err != nil {
		log.Fatal(err)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte("Move 12 files?")))
	question := journal.GateAsked{
		Gate: "g1", Nonce: "00112233445566778899aabbccddeeff", Kind: "confirm", Prompt: "Move 12 files?", Checksum: sum, Suspended: true,
	}
	_, err = journal.Append(ctx, run,
		journal.Draft{Kind: journal.KindCallFinished, Key: "/count", Data: journal.CallFinished{
			Call: &journal.Call{Name: "count", ReadOnly: true}, Value: json.RawMessage("12"),
		}},
		journal.Draft{Kind: journal.KindGateAsked, Key: "/ask", Identity: sum, Data: question},
	)
	if err != nil {
		log.Fatal(err)
	}
	if err := run.Close(); err != nil {
		log.Fatal(err)
	}

	// Anybody answers; the owner need not be there.
	visit, err := store.Visit(ctx, run.ID())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(visit.State().StatusWith(false))
	_, err = visit.Update(ctx, func(st *journal.State) ([]journal.Draft, error) {
		gate := st.Gates[st.GateByKey["/ask"]]
		return []journal.Draft{{Kind: journal.KindGateAnswered, Key: gate.Key, Identity: gate.Identity, Data: journal.GateAnswered{
			Gate: gate.Asked.Gate, Nonce: gate.Asked.Nonce, Checksum: gate.Asked.Checksum,
			Decision: json.RawMessage("true"), Who: journal.Who{User: "ann", Way: "command"},
		}}}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := visit.Close(); err != nil {
		log.Fatal(err)
	}

	// The next owner finds the step done and the question answered.
	run, err = store.Take(ctx, run.ID(), func(st *journal.State) (journal.RunResumed, error) {
		return journal.RunResumed{Settings: st.Settings}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	st := run.State()
	fmt.Println(string(st.Calls["/count"].Finish.Value), st.Gates["g1"].State, string(st.Gates["g1"].Answer.Decision))
	if err := run.Close(); err != nil {
		log.Fatal(err)
	}
	report, err := journal.Verify(ctx, store, run.ID())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Entries, report.OK)
	// Output:
	// waiting
	// 12 answered true
	// 5 true
}
