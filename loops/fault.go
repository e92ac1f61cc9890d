package loops

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Fault is one thing that is wrong with a record: a stable code, the JSON pointer of its place, and a sentence that
// says how to mend it. FaultCodes lists the codes.
type Fault struct {
	Code    string `json:"code"`
	Pointer string `json:"pointer"`
	Message string `json:"message"`
}

// maxFaults bounds what one refusal says.
const maxFaults = 100

// maxPointer is how many bytes of a pointer one fault has.
const maxPointer = 1000

// FaultsError is a record that fails its check.
type FaultsError struct{ Faults []Fault }

// Error lists the faults with their places. It has nothing of the record's texts.
func (e *FaultsError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "the record fails its check with %d fault", len(e.Faults))
	if len(e.Faults) != 1 {
		b.WriteByte('s')
	}
	for i, f := range e.Faults {
		sep := "; "
		if i == 0 {
			sep = ": "
		}
		b.WriteString(sep + place(f.Pointer) + ": " + strings.TrimSuffix(f.Message, ".") + " (" + f.Code + ")")
	}
	return b.String()
}

// place names a pointer for people. A pointer can hold any key that the asker wrote, so it is quoted where that is odd,
// and cut.
func place(pointer string) string {
	if pointer == "" {
		return "the whole"
	}
	return clip(pointer, 120)
}

// clip returns s without control characters, cut after most characters with a mark.
func clip(s string, most int) string {
	if characters(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	quoted := strconv.QuoteToGraphic(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// ListKeys names keys for an error: "a, b", ten at most, then "… (N more)".
func ListKeys(keys []string) string {
	const most = 10
	if len(keys) <= most {
		return strings.Join(keys, ", ")
	}
	return fmt.Sprintf("%s, … (%d more)", strings.Join(keys[:most], ", "), len(keys)-most)
}

// The stable codes of faults. What each means stands in faultCodes.
const (
	codeTooLarge     = "too-large"
	codeNotUTF8      = "not-utf8"
	codeNotJSON      = "not-json"
	codeTrailing     = "trailing"
	codeDuplicateKey = "duplicate-key"
	codeTooDeep      = "too-deep"
	codeNumberRange  = "number-range"
	codeTooMany      = "too-many-faults"

	codeMissing = "missing"
	codeType    = "wrong-type"
	codeBlank   = "blank"
	codeLength  = "too-long"
	codeUnknown = "unknown-value"
	codeTime    = "bad-time"
	codePast    = "expires-past"
	codeVersion = "unknown-version"
	codeID      = "bad-id"
	codeOwner   = "bad-owner"
	codeURL     = "bad-url"

	codeRole      = "unknown-role"
	codeConcern   = "concern-unfit"
	codeCallFact  = "call-is-judgement"
	codeQuestions = "question-count"
	codeNotCalls  = "several-without-calls"
	codeKey       = "key-not-unique"
	codeForm      = "not-exactly-one"
	codeMode      = "mode-unfit"

	codeProperties   = "too-many-properties"
	codePropertyName = "property-name"
	codeNotFlat      = "not-flat"
	codeFormat       = "unknown-format"
	codeBounds       = "bad-bounds"
	codeDefault      = "bad-default"
	codeRequired     = "bad-required"
	codeTwoSelects   = "two-selects"
	codeOptions      = "option-count"
	codeTitle        = "option-title"
	codeTwins        = "options-alike"
	codeConst        = "option-const"
	codeNull         = "null-option"

	codeRecommends = "recommends"
	codePreset     = "preset"

	codeNotSelect = "thinker-needs-select"
	codeExample   = "thinker-needs-example"
	codeLocation  = "thinker-location"
	codeCommand   = "thinker-command"
	codeHash      = "thinker-hash"
	codeRecordID  = "thinker-record-id"

	codeSecret = "asks-secret"

	codeMay        = "bad-may"
	codeSchemaRef  = "schema-refers-outside"
	codeSchemaSize = "schema-too-large"
	codeSchema     = "schema-invalid"
)

// FaultCodes returns every code that a fault of this version can have, with what it means, in the order in which the
// check looks.
func FaultCodes() [][2]string { return slices.Clone(faultCodes) }

var faultCodes = [][2]string{ //nolint:gochecknoglobals // a table
	{codeTooLarge, "the record has more than 65,536 bytes"},
	{codeNotUTF8, "the bytes, or an escape in them, are not UTF-8"},
	{codeNotJSON, "the bytes are not JSON"},
	{codeTrailing, "something follows the JSON value"},
	{codeDuplicateKey, "a key stands twice in an object"},
	{codeTooDeep, "objects and arrays are nested more than 100 deep"},
	{codeNumberRange, "a number's exponent is beyond 1000"},
	{codeMissing, "a required member is missing"},
	{codeType, "a value has the wrong type"},
	{codeBlank, "a text that must say something is blank"},
	{codeLength, "a text is longer than its field allows"},
	{codeUnknown, "a value is none of those that the field knows"},
	{codeTime, "a time is not RFC 3339"},
	{codePast, "expires does not lie ahead"},
	{codeVersion, "v is not 1"},
	{codeID, "the id has other characters than A-Z a-z 0-9 _ -, or not 1 to 64 of them"},
	{codeOwner, "the owner is no Slack user id"},
	{codeURL, "an address is not https (or http on loopback), or has credentials"},
	{codeRole, "the addressee is no role of the configuration"},
	{codeConcern, "the product thinker cannot answer this concern"},
	{codeCallFact, "a stop with a call is said to be a fact"},
	{codeQuestions, "there are no questions, or more than 20"},
	{codeNotCalls, "several questions, of which one is no call"},
	{codeKey, "two questions have the same key"},
	{codeForm, "a question has not exactly one of requestedSchema, url and call"},
	{codeMode, "the mode does not fit what the question has"},
	{codeProperties, "a form has more than 10 properties"},
	{codePropertyName, "a property has no name"},
	{codeNotFlat, "a form uses a keyword that the flat schema does not have"},
	{codeFormat, "a format is none of email, uri, date, date-time"},
	{codeBounds, "bounds that are no numbers of the right kind, or that nothing can meet"},
	{codeDefault, "a default that the property itself would not accept"},
	{codeRequired, "required names no property of the form, or one twice"},
	{codeTwoSelects, "a form has more than one single select"},
	{codeOptions, "a single select has not 2 or 3 options, or a multi-select none"},
	{codeTitle, "an option's title is blank, or longer than 60 characters in a single select"},
	{codeTwins, "two options have the same title or the same const"},
	{codeConst, "an option's const is empty"},
	{codeNull, "the null option is not named, is no option, or there is no single select for it"},
	{codeRecommends, "an option is marked as the better one, or the asker recommends"},
	{codePreset, "a select or boolean of a judgement has a default"},
	{codeNotSelect, "a judgement to the product thinker is not one single select"},
	{codeExample, "an option for the product thinker has no example"},
	{codeLocation, "a text to the product thinker points to a place in a file"},
	{codeCommand, "a text to the product thinker has a shell command"},
	{codeHash, "a text to the product thinker has a commit hash"},
	{codeRecordID, "a text to the product thinker has a bare record id"},
	{codeSecret, "a form asks for a secret"},
	{codeMay, "may is empty, has a value twice, or allows no verdict"},
	{codeSchemaRef, "the schema of arguments refers to something outside itself"},
	{codeSchemaSize, "the schema of arguments is more than 32 deep or has more than 500 nodes"},
	{codeSchema, "the schema of arguments is no valid JSON Schema"},
	{codeTooMany, "there are more than 100 faults; these are the first"},
}
