package runners

// What tests look at by itself.
var (
	StrictSchema = strictSchema
	ResetIn      = resetIn
	Refusal      = refusal
)
