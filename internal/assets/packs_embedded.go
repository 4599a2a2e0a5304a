// Copyright The ctx-lsp authors. MIT licence.

//go:build !beside

package assets

import _ "embed"

var (
	//go:embed o200k.ctxv
	o200k string
	//go:embed cl100k.ctxv
	cl100k string
	//go:embed p50k.ctxv
	p50k string
	//go:embed r50k.ctxv
	r50k string
)

// text returns a pack that is part of this program, "" if there is none.
func text(vocabulary string) string {
	switch vocabulary {
	case "o200k":
		return o200k
	case "cl100k":
		return cl100k
	case "p50k":
		return p50k
	case "r50k":
		return r50k
	}
	return ""
}

// Missing returns nil: the packs are part of this program.
func Missing() error { return nil }
