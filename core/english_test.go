// Copyright The ctx-lsp authors. MIT licence.

package core

import "strings"

// english joins texts in one line.
func english(texts []Text) string {
	var out []string
	for _, t := range texts {
		out = append(out, t.String())
	}
	return strings.Join(out, " ")
}
