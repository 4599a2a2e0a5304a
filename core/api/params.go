// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"slices"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Each of the readers below reads one field, for the loops of read_gen.go. It refuses values that it does not
// understand and names the field, so that a caller's typo is an error instead of being ignored.

func wrong(f *json.Fields, problem string) *Error { return invalid(shorten(f.Key.String()), problem) }

// mustBe returns the error for a value of the wrong type.
func mustBe(f *json.Fields, what string) *Error {
	return wrong(f, "must be "+what+", not "+f.Value.Kind().String()+".")
}

func readString(f *json.Fields, to *string) *Error {
	switch {
	case f.Value.Kind() == json.Null:
		return nil
	case f.Value.Kind() != json.String:
		return mustBe(f, "a string")
	case f.Value.TextLen() > maxString:
		return wrong(f, "is longer than 4096 bytes.")
	}
	*to = f.Value.String()
	return nil
}

const maxString = 4096

func readBody(c *Core, f *json.Fields, to *[]byte) *Error {
	if f.Value.Kind() != json.String {
		return mustBe(f, "a string")
	}
	*to = c.text(f.Value)
	return nil
}

// tokens reads a number of tokens; problem describes why it cannot, or is "".
func tokens(v json.Value, to *int64) (problem string) {
	n, fault := v.Int64()
	switch {
	case fault == json.NotANumber:
		return "must be a number of tokens, not " + v.Kind().String() + "."
	case fault == json.NotWhole:
		return "must be a whole number."
	case fault == json.OutOfRange || n > core.MaxTokens:
		return "is larger than " + strconv.FormatInt(core.MaxTokens, 10) + "."
	case n < 0:
		return "must not be negative."
	}
	*to = n
	return ""
}

func readTokens(f *json.Fields, to *int64) *Error {
	if problem := tokens(f.Value, to); problem != "" {
		return wrong(f, problem)
	}
	return nil
}

// readOptional is readTokens for a field that may be null.
func readOptional(f *json.Fields, to *int64) *Error {
	if f.Value.Kind() == json.Null {
		return nil
	}
	return readTokens(f, to)
}

func readIndex(f *json.Fields, most int, to *int) *Error {
	n := int64(0)
	if err := readTokens(f, &n); err != nil {
		return err
	}
	if n > int64(most) {
		return wrong(f, "is "+strconv.FormatInt(n, 10)+", beyond the end at "+strconv.Itoa(most)+".")
	}
	*to = int(n)
	return nil
}

// readOptionalIndex is readIndex for a field that may be null.
func readOptionalIndex(f *json.Fields, most int, to *int64) *Error {
	if f.Value.Kind() == json.Null {
		return nil
	}
	n := 0
	err := readIndex(f, most, &n)
	*to = int64(n)
	return err
}

const maxTime = 1 << 52

// moment reads a time in milliseconds since 1970. It returns false if it is invalid.
func moment(v json.Value, to *int64) bool {
	n, fault := v.Int64()
	if fault != json.NumberOK || n < 0 || n > maxTime {
		return false
	}
	*to = n
	return true
}

func readTime(f *json.Fields, to *int64) *Error {
	if f.Value.Kind() != json.Null && !moment(f.Value, to) {
		return wrong(f, "must be a time in milliseconds since 1970.")
	}
	return nil
}

func readBool(f *json.Fields, to *bool) *Error {
	switch f.Value.Kind() {
	case json.Null:
		return nil
	case json.Bool:
		*to = f.Value.Bool()
		return nil
	}
	return mustBe(f, "true or false")
}

// readNot reads a field that is stored negated.
func readNot(f *json.Fields, to *bool) *Error {
	stated := !*to
	err := readBool(f, &stated)
	*to = !stated
	return err
}

// readWord reads one of the words in the schema. null and "" leave the field empty.
func readWord[T ~string](f *json.Fields, to *T, words []string, called string) *Error {
	word := ""
	if err := readString(f, &word); err != nil {
		return err
	}
	if word != "" && !slices.Contains(words, word) {
		return unknownName(f.Key.String(), called, word, words)
	}
	*to = T(word)
	return nil
}

// readArray stores an array, which is read later.
func readArray(f *json.Fields, to *json.Value) *Error {
	if *to = f.Value; to.Kind() != json.Array {
		return mustBe(f, "an array")
	}
	return nil
}

func (c *Core) readLimits(f *json.Fields, to *core.Limits) *Error {
	switch f.Value.Kind() {
	case json.Null:
		return nil
	case json.Object:
		return c.fillLimits(f.Value, to).within(f.Key.String())
	}
	return mustBe(f, "an object with window, input and output")
}

// readLimit reads a window or an input. null withdraws an earlier value, and is stored as 0. A 0 is refused, because
// tables write it for unknown.
func readLimit(f *json.Fields, to *int64) *Error {
	if f.Value.Kind() == json.Null {
		*to = 0
		return nil
	}
	if err := readTokens(f, to); err != nil {
		return err
	}
	if *to == 0 {
		return wrong(f, "must be at least 1; leave it out if it is unknown.")
	}
	return nil
}

// readWithheld reads whether the window depends on something unknown. It is stored instead of a window.
func readWithheld(f *json.Fields, to *int64) *Error {
	var withheld bool
	if err := readBool(f, &withheld); err != nil {
		return err
	}
	if withheld {
		*to = core.WindowWithheld
	}
	return nil
}

// readOutput reads a maximum output, which is 0 in tables that do not contain it.
func readOutput(f *json.Fields, to *int64) *Error {
	if f.Value.Kind() == json.Null {
		*to = 0
		return nil
	}
	return readTokens(f, to)
}
