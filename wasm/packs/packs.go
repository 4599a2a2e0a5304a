// Copyright The ctx-lsp authors. MIT licence.

// Package packs contains the public vocabularies for Go programs that call core/api in their own process.
package packs

import (
	"bytes"
	"encoding/json"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

// Call calls a method like [api.Core.Call]. If the method needs a vocabulary of this package, Call loads it and calls
// the method again.
func Call(core *api.Core, method string, params []byte) []byte {
	for last := ""; ; {
		answer := core.Call(method, params)
		name := missing(answer)
		pack, ok := assets.Pack(name)
		if !ok || name == last || core.Load(name, pack) != nil {
			return answer
		}
		last = name
	}
}

// missing returns the vocabulary that a call needed; "" if it needed none.
func missing(answer []byte) string {
	if !bytes.Contains(answer, []byte(api.NeedsVocabulary)) {
		return ""
	}
	var failed struct {
		Error struct {
			Data struct{ Kind, Name string }
		}
	}
	if json.Unmarshal(answer, &failed) != nil || failed.Error.Data.Kind != api.NeedsVocabulary {
		return ""
	}
	return failed.Error.Data.Name
}
