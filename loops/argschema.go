package loops

import (
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaSteps bounds what validating against an asker's schema may cost: a schema of 500 nodes can ask for more steps than
// there is time, by references that double at each level.
const schemaSteps = 50_000

var errSchemaCost = errors.New("the schema takes too many steps")

// noLoader loads nothing.
type noLoader struct{}

// Load implements jsonschema.URLLoader.
func (noLoader) Load(string) (any, error) {
	return nil, errors.New("nothing outside the schema is loaded")
}

// argSchema is a compiled schema of arguments.
type argSchema struct {
	schema *jsonschema.Schema
	steps  *int
}

// compileSchema compiles a schema of arguments. Drafts 4 to 2020-12 come with the library; patterns are RE2.
func compileSchema(raw []byte) (*argSchema, error) {
	n, faults := parseStrict(raw)
	if len(faults) > 0 {
		return nil, fmt.Errorf("read the schema of the arguments: %w", &FaultsError{faults})
	}
	const self = "mem:///arguments"
	steps := new(int)
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	c.AssertVocabs()
	c.RegisterVocabulary(&jsonschema.Vocabulary{URL: "mem:///steps", Compile: func(*jsonschema.CompilerContext, map[string]any) (jsonschema.SchemaExt, error) {
		return stepCounter{steps}, nil
	}})
	if err := c.AddResource(self, n.value()); err != nil {
		return nil, fmt.Errorf("compile the schema of the arguments: %w", err)
	}
	schema, err := c.Compile(self)
	if err != nil {
		return nil, fmt.Errorf("compile the schema of the arguments: %w", err)
	}
	return &argSchema{schema, steps}, nil
}

// stepCounter is told of each schema that is tried on a value, and ends a validation that takes too long.
type stepCounter struct{ steps *int }

// Validate implements jsonschema.SchemaExt.
func (s stepCounter) Validate(*jsonschema.ValidatorContext, any) {
	if *s.steps++; *s.steps > schemaSteps {
		panic(errSchemaCost)
	}
}

// validate returns what does not fit, nil where all does, and errSchemaCost where that would take too long to tell.
func (s *argSchema) validate(n *node) (err error) {
	*s.steps = 0
	defer func() {
		if r := recover(); r != nil {
			if r != any(errSchemaCost) {
				panic(r)
			}
			err = errSchemaCost
		}
	}()
	return s.schema.Validate(n.value())
}
