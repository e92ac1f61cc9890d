package loops

import (
	"cmp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// schemaFaults lists the places in which a value does not fit a schema, each once, ten at most. The library's own words
// repeat the value; these do not.
func schemaFaults(e *jsonschema.ValidationError) []Fault {
	const most = 10
	faults := leafFaults(e)
	slices.SortFunc(faults, func(a, b Fault) int {
		return cmp.Or(strings.Compare(a.Pointer, b.Pointer), strings.Compare(a.Message, b.Message))
	})
	faults = slices.Compact(faults)
	return faults[:min(len(faults), most)]
}

func leafFaults(e *jsonschema.ValidationError) []Fault {
	var place strings.Builder
	for _, token := range e.InstanceLocation {
		place.WriteString("/" + escapePointer(token))
	}
	at := place.String()
	members := func(names []string, message string) []Fault {
		faults := make([]Fault, 0, len(names))
		for _, name := range names {
			faults = append(faults, Fault{Pointer: at + "/" + escapePointer(name), Message: message})
		}
		return faults
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		return members(k.Missing, "The call's schema requires this. Add it.")
	case *kind.AdditionalProperties:
		return members(k.Properties, "The call's schema does not know this. Leave it out.")
	case *kind.Type:
		return []Fault{{Pointer: at, Message: "The call's schema wants another type: " + strings.Join(k.Want, " or ") + "."}}
	case *kind.AnyOf, *kind.OneOf:
		return []Fault{{Pointer: at, Message: "It fits none, or too many, of the forms that the call's schema allows."}}
	}
	if len(e.Causes) > 0 {
		var faults []Fault
		for _, cause := range e.Causes {
			faults = append(faults, leafFaults(cause)...)
		}
		return faults
	}
	keyword := strings.Join(e.ErrorKind.KeywordPath(), "/")
	return []Fault{{Pointer: at, Message: "It does not meet " + cmp.Or(keyword, "a rule") + " of the call's schema."}}
}
