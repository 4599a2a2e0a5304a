// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A Warning names a field that could not be read as expected. It never contains the field's value.
type Warning struct {
	Field  string
	Reason core.Text // the problem with the field
}

// A reader reads the fields of one usage.
type reader struct {
	provider string
	shape    shape
	acc      *Accumulator
	warnings []Warning

	readAt      []int // offsets of the values that the shape's reader has read
	cacheNamed  bool  // a name shows whether the cache is counted separately
	cacheObject bool  // the cache is OpenCode's {read, write}
	entry       bool  // the numbers come from one entry of a list in the usage
	settled     bool  // a nested usage was read instead of this one
	unread      bool  // neither an object nor the events of a stream
}

// maxWarnings is the maximum number of warnings for one value.
const maxWarnings = 32

func (r *reader) warn(field string, reason core.Text) {
	if len(r.warnings) >= maxWarnings {
		return
	}
	for _, w := range r.warnings {
		if w.Field == field && w.Reason.Equal(reason) {
			return
		}
	}
	r.warnings = append(r.warnings, Warning{field, reason})
}

// whole reads a number of tokens. It returns Unknown and adds a warning if the value is anything else.
func (r *reader) whole(v json.Value, name string) int64 {
	r.readAt = append(r.readAt, v.Offset())
	if v.Kind() != json.Number {
		r.warn(name, phrase.FieldKindNumber.Text(phrase.Name(v.Kind().String())))
		return core.Unknown
	}
	n, fault := v.Int64()
	switch {
	case fault == json.NotWhole:
		r.warn(name, phrase.FieldBroken.Text())
	case fault == json.OutOfRange || fault == json.NumberOK && n > core.MaxTokens:
		r.warn(name, phrase.FieldLarge.Text())
	case fault != json.NumberOK:
		r.warn(name, phrase.FieldNoNumber.Text())
	case n < 0:
		r.warn(name, phrase.FieldNegative.Text())
	default:
		return n
	}
	return core.Unknown
}

// must reads a field that every complete usage has.
func (r *reader) must(u json.Value, key string) int64 {
	v := u.Get(key)
	if !v.Exists() {
		r.warn(key, phrase.FieldAbsent.Text())
		return core.Unknown
	}
	return r.whole(v, key)
}

// may reads a field that may be absent but not null.
func (r *reader) may(u json.Value, key string) int64 {
	v := u.Get(key)
	if !v.Exists() {
		return core.Unknown
	}
	return r.whole(v, key)
}

// nullable reads a field that its provider documents as number or null.
func (r *reader) nullable(u json.Value, key string) int64 {
	v := u.Get(key)
	if v.IsNull() {
		return core.Unknown
	}
	return r.whole(v, key)
}

// inside reads a field of a nested object; the object may be absent or null.
func (r *reader) inside(u json.Value, object, key string) int64 {
	o := r.object(u, object)
	v := o.Get(key)
	if !v.Exists() {
		return core.Unknown
	}
	return r.whole(v, object+"."+key)
}

// object returns a nested object, or a zero Value with a warning if the value is neither an object nor null.
func (r *reader) object(u json.Value, key string) json.Value {
	v := u.Get(key)
	if v.IsNull() {
		return json.Value{}
	}
	if v.Kind() != json.Object {
		r.warn(key, phrase.FieldKindObject.Text(phrase.Name(v.Kind().String())))
		return json.Value{}
	}
	return v
}

// numeral reads a field that may be a number or a string of digits, such as a header or an attribute.
func (r *reader) numeral(v json.Value, name string) int64 {
	if !v.Exists() {
		return core.Unknown
	}
	if v.Kind() != json.String {
		return r.whole(v, name)
	}
	n, err := strconv.ParseUint(v.String(), 10, 63)
	if err != nil || int64(n) > core.MaxTokens {
		r.warn(name, phrase.FieldNoNumber.Text())
		return core.Unknown
	}
	return int64(n)
}

// first returns the first known number, or Unknown.
func first(numbers ...int64) int64 {
	for _, n := range numbers {
		if n != core.Unknown {
			return n
		}
	}
	return core.Unknown
}

// has reports whether an object has any of the keys, whatever their values.
func has(u json.Value, keys ...string) bool {
	for f := u.Fields(); f.Next(); {
		if among(f.Name(), keys...) {
			return true
		}
	}
	return false
}

func among(name []byte, words ...string) bool {
	for _, word := range words {
		if word == string(name) {
			return true
		}
	}
	return false
}
