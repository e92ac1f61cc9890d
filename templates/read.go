package templates

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"flagstop/loops"

	"github.com/slack-go/slack"
)

// ReadSubmission turns a submitted modal into a verdict, which loops.CheckVerdict has accepted when there are no
// faults. The faults are sentences by input block id, shown at the field.
func ReadSubmission(r *loops.Record, val Value, state *slack.ViewState) (v loops.Verdict, faults map[string]string) {
	q, ok := question(r, val.Key)
	if !ok || state == nil {
		return loops.Verdict{}, map[string]string{firstBlock(val.Verb): "This question is not there any more. Close this window and open it again."}
	}
	faults = map[string]string{}
	switch val.Verb {
	case VerbDecline:
		v = loops.Verdict{Action: loops.Decline, Message: strings.TrimSpace(entered(state, reasonBlock).Value)}
		if v.Message == "" {
			faults[reasonBlock] = "Write a reason: the loop reads it in the place of an answer."
		}
	case VerbEdit:
		v = loops.Verdict{Action: loops.Accept, Arguments: json.RawMessage(strings.TrimSpace(entered(state, argumentsBlock).Value))}
		if fault := notObject(v.Arguments); fault != "" {
			faults[argumentsBlock] = fault
		}
	case VerbOutput:
		v = loops.Verdict{Action: loops.Accept, Output: quote(entered(state, outputBlock).Value)}
	case VerbAnswer:
		v = loops.Verdict{Action: loops.Accept}
		v.Content = readForm(q, state, faults)
	default:
		faults[firstBlock(val.Verb)] = "This window could not be read. Close it and open it again."
	}
	if len(faults) == 0 {
		placeFaults(q, val.Verb, loops.CheckVerdict(q, v), faults)
	}
	if len(faults) > 0 {
		return loops.Verdict{}, faults
	}
	return v, nil
}

// firstBlock is the input at which a fault is shown that belongs to none.
func firstBlock(verb string) string {
	switch verb {
	case VerbDecline:
		return reasonBlock
	case VerbEdit:
		return argumentsBlock
	case VerbOutput:
		return outputBlock
	}
	return propertyBlock(0)
}

func entered(state *slack.ViewState, block string) slack.BlockAction {
	return state.Values[block][inputAction]
}

func quote(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil { // a string always marshals
		panic(err)
	}
	return b
}

func notObject(raw json.RawMessage) string {
	var object map[string]json.RawMessage
	err := json.Unmarshal(raw, &object)
	var syntax *json.SyntaxError
	switch {
	case err == nil && object != nil:
		return ""
	case errors.As(err, &syntax) && strings.ContainsAny(string(raw), "“”„‟"):
		return "This is not JSON: it has curly quotes (“ ”). Write straight ones (\")."
	case errors.As(err, &syntax):
		return fmt.Sprintf("This is not JSON: line %d cannot be read.", 1+strings.Count(string(raw[:min(int(syntax.Offset), len(raw))]), "\n"))
	}
	return "Write a JSON object: { … }."
}

// readForm reads each input into the content of a verdict, in the order of the schema.
func readForm(q loops.Question, state *slack.ViewState, faults map[string]string) json.RawMessage {
	if q.Schema == nil {
		return nil
	}
	var b strings.Builder
	b.WriteByte('{')
	for i, p := range q.Schema.Properties {
		raw, fault := readProperty(p, entered(state, propertyBlock(i)))
		if fault != "" {
			faults[propertyBlock(i)] = fault
		}
		if raw == nil {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(quote(p.Name))
		b.WriteByte(':')
		b.Write(raw)
	}
	b.WriteByte('}')
	return json.RawMessage(b.String())
}

// readProperty is the JSON of what was entered; nothing where nothing was.
func readProperty(p loops.Property, a slack.BlockAction) (raw json.RawMessage, fault string) {
	switch p.Type {
	case loops.StringProperty:
		return readText(p, a), ""
	case loops.NumberProperty, loops.IntegerProperty:
		return readNumber(a.Value)
	case loops.BooleanProperty:
		if v := a.SelectedOption.Value; v == "true" || v == "false" {
			return json.RawMessage(v), ""
		}
		return nil, ""
	case loops.SelectProperty:
		return readOption(p, a.SelectedOption.Value)
	case loops.MultiSelectProperty:
		return readOptions(p, a.SelectedOptions)
	}
	return nil, "This cannot be answered here."
}

func readText(p loops.Property, a slack.BlockAction) json.RawMessage {
	s := a.Value
	switch p.Format {
	case "date":
		s = a.SelectedDate
	case "date-time":
		s = ""
		if a.SelectedDateTime != 0 {
			s = time.Unix(a.SelectedDateTime, 0).UTC().Format(time.RFC3339)
		}
	case "email", "uri":
		s = strings.TrimSpace(s)
	}
	if s == "" {
		return nil
	}
	return quote(s)
}

var typedNumber = regexp.MustCompile(`^([+-]?)0*(\d+)(\.\d+)?([eE][+-]?\d{1,4})?$`)

// readNumber keeps the digits as they were typed; only what JSON does not allow is taken off (a plus, leading zeros).
func readNumber(s string) (raw json.RawMessage, fault string) {
	s = strings.TrimSpace(s)
	if s == "" {
		return nil, ""
	}
	if strings.HasPrefix(strings.TrimLeft(s, "+-"), ".") {
		s = strings.Replace(s, ".", "0.", 1)
	}
	m := typedNumber.FindStringSubmatch(s)
	if m == nil {
		return nil, "Write a number, such as 500 or 0.25."
	}
	return json.RawMessage(strings.TrimPrefix(m[1], "+") + m[2] + m[3] + m[4]), ""
}

func readOption(p loops.Property, index string) (raw json.RawMessage, fault string) {
	if index == "" {
		return nil, ""
	}
	i, err := strconv.Atoi(index)
	if err != nil || i < 0 || i >= len(p.Options) {
		return nil, "This option is not offered. Close this window and open it again."
	}
	return quote(p.Options[i].Const), ""
}

func readOptions(p loops.Property, chosen []slack.OptionBlockObject) (raw json.RawMessage, fault string) {
	if len(chosen) == 0 {
		return nil, ""
	}
	var all []string
	for _, o := range chosen {
		one, fault := readOption(p, o.Value)
		if one == nil {
			return nil, fault
		}
		if !slices.Contains(all, string(one)) {
			all = append(all, string(one))
		}
	}
	return json.RawMessage("[" + strings.Join(all, ",") + "]"), ""
}

// placeFaults shows each fault of a verdict at the input that it is about.
func placeFaults(q loops.Question, verb string, err error, faults map[string]string) {
	if err == nil {
		return
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range many.Unwrap() {
			placeFaults(q, verb, one, faults)
		}
		return
	}
	block, said := firstBlock(verb), err.Error()
	if fault, ok := errors.AsType[*loops.VerdictError](err); ok {
		block, said = blockOf(q, verb, fault.Pointer), fault.Message
	}
	if faults[block] == "" {
		faults[block] = cut(visible(capital(said)), 300)
	}
}

// blockOf is the input of a pointer such as /content/rows.
func blockOf(q loops.Question, verb, pointer string) string {
	rest, ok := strings.CutPrefix(pointer, "/content/")
	if !ok || q.Schema == nil {
		return firstBlock(verb)
	}
	name, _, _ := strings.Cut(rest, "/")
	name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
	for i, p := range q.Schema.Properties {
		if p.Name == name {
			return propertyBlock(i)
		}
	}
	return firstBlock(verb)
}
