package issuedelivery_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/issuedelivery"
	"github.com/seed-8d4a6081/assent/journal"
)

// prepared answers in place of a model, and does the work of its one worker.
const prepared = `
[[answer]]
label = "scout"
text = "The repository is empty."

[[answer]]
label = "thinker"
[answer.value]
summary = "A greeting."
openQuestions = []
outOfScope = []
[[answer.value.steps]]
id = "greet"
title = "Add a greeting"
files = ["greeting.txt"]
instructions = "Write hello into greeting.txt."
expectedOutput = "greeting.txt"
acceptance = ["grep -q hello greeting.txt exits with 0"]
dependencies = []

[[answer]]
label = "worker greet"
write = {"greeting.txt" = "hello\n"}
value = {summary = "Wrote hello.", criteria = [{criterion = 1, how = "grep"}], notDone = []}

[[answer]]
label = "verifier greet"
value = {passed = true, feedback = "It says hello.", tautologicalTestDetected = false, criteria = [{criterion = 1, met = true, evidence = "greeting.txt: hello"}]}
`

// A delivery in a repository of its own, to a branch: what a scripted agent does there, one person
// approves.
func ExampleDeliver() {
	root, err := os.MkdirTemp("", "delivery")
	check(err)
	defer os.RemoveAll(root)
	repository := filepath.Join(root, "shop")
	git("init", "-q", "-b", "main", repository)
	git("-C", repository, "config", "user.name", "Ann")
	git("-C", repository, "config", "user.email", "ann@example.com")
	git("-C", repository, "commit", "-q", "--allow-empty", "-m", "first")
	store, err := journal.Open(journal.Options{Dir: filepath.Join(root, "store"), KeyDir: filepath.Join(root, "keys")})
	check(err)
	answers, err := agent.ParseScripted([]byte(prepared), "answers.toml")
	check(err)

	got, err := issuedelivery.Deliver(context.Background(), issuedelivery.Options{
		Task: "Greet people", Lane: issuedelivery.LaneNoPR,
		Config: issuedelivery.Config{Checks: map[string][]string{"greeting": {"grep", "-q", "hello", "greeting.txt"}}},
		Engine: engine.Options{Store: store, Agent: answers, Workspace: repository, Work: filepath.Join(root, "work"), Asker: sayYes},
	})
	check(err)
	fmt.Println(got.State, got.Stage, got.Status, got.Success)
	for _, step := range got.Stages.Workers.Steps {
		fmt.Println(step.ID, step.State, step.Attempts)
	}
	fmt.Print(git("-C", repository, "show", "--no-patch", "--format=%an: %s", got.Commit))
	fmt.Print(git("-C", repository, "show", got.Branch+":greeting.txt"))
	// Output:
	// Approve this execution plan for: "Greet people"?
	// completed done completed true
	// greet done 1
	// Ann: Add a greeting
	// hello
}

var sayYes = checkpoint.AskerFunc(func(_ context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
	fmt.Println(q.Gate.Prompt)
	return checkpoint.Answer{Decision: json.RawMessage("true"), Checksum: q.Gate.Checksum, Nonce: q.Gate.Nonce, Who: journal.Who{User: "ann"}}, nil
})

func git(args ...string) string {
	out, err := exec.Command("git", args...).CombinedOutput()
	if err != nil {
		panic(string(out))
	}
	return string(out)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
