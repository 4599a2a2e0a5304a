// Copyright The ctx-lsp authors. MIT licence.

package api

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// Glance reads the fields of a Reading by which programs decide: those of the schema without the tag glance:"-". A
// value of another type is like a missing one. Glance returns false if v is not an object.
func (to *Reading) Glance(v json.Value) bool {
	*to = Reading{}
	to.glance(v)
	return v.Kind() == json.Object
}

// GlanceAt does the same as Glance for the text of a Reading.
func (to *Reading) GlanceAt(reading []byte) bool {
	var doc json.Document
	v, err := doc.Parse(reading)
	return err == nil && to.Glance(v)
}

func knownText(v json.Value) *string {
	if v.Kind() != json.String {
		return nil
	}
	text := v.String()
	return &text
}

func knownNumber[Of ~int64](v json.Value) *Of {
	n, fault := v.Int64()
	if fault != json.NumberOK {
		return nil
	}
	number := Of(n)
	return &number
}

func wholeNumber(v json.Value) int64 {
	if n, fault := v.Int64(); fault == json.NumberOK {
		return n
	}
	return 0
}

func knownShare(v json.Value) *Hundredths {
	thousandths, fault := v.Milli()
	if fault != json.NumberOK {
		return nil
	}
	share := Hundredths(thousandths / 10)
	return &share
}
