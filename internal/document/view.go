// Copyright The ctx-lsp authors. MIT licence.

package document

import "github.com/ctx-lsp/ctx-lsp/core/api"

// The values that optional parameters point to.
var (
	yes = true
	no  = false
)

// viewOnly requests a view without its sections and findings.
func viewOnly() *api.ShowOptions {
	return &api.ShowOptions{View: &yes, Sections: &no, Findings: &no}
}

// noView requests no view.
func noView() *api.ShowOptions { return &api.ShowOptions{View: &no} }

// known returns a number as an optional parameter, nil for 0, which means unknown.
func known(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}

// optional returns a number as an optional parameter.
func optional(n int) *int64 {
	v := int64(n)
	return &v
}
