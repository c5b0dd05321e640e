package fault

// Code names a kind of refusal. Codes are a contract: they are never renamed and never
// given a second meaning. What stands at each one, what it means, when it comes up and what to
// do, is where docs/reference/errors.md is generated from; see tests/errors_doc_test.go.
type Code string
