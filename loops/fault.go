package loops

// Fault is one thing that is wrong with a record: a stable code, the JSON pointer of its place, and a sentence that
// says how to mend it.
type Fault struct {
	Code    string `json:"code"`
	Pointer string `json:"pointer"`
	Message string `json:"message"`
}
