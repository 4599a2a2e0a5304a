// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"io"

	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// Bounds on what is read of an agent's list of models.
const (
	maxModelList = 16 << 20
	maxModels    = 200
)

// openCodeModels finds the limits of models where OpenCode looks for them: in
// its copy of a registry, of which those by way of GitHub Copilot are used,
// because it allows less than their makers and says so nowhere else; then in the
// models that the person has described.
func openCodeModels(e dirs.Environment, of string, files []configfile.File, found map[string]string) {
	n := 0
	take := func(provider string, models json.Value) {
		for f := models.Fields(); f.Next() && n < maxModels; {
			limit := f.Value.Get("limit")
			window := limitWord(limit.Get("context"))
			if window == "-" || f.Key.TextLen() > 150 {
				continue
			}
			name := "models." + provider + "/" + f.Key.String()
			if _, known := found[name]; !known {
				n++
			}
			found[name] = window + " " + limitWord(limit.Get("input")) + " " + limitWord(limit.Get("output"))
		}
	}
	if f, err := safefile.Open(e.Join(e.CacheHome(), of), "models.json"); err == nil {
		text, err := io.ReadAll(io.LimitReader(f, maxModelList+1))
		f.Close()
		if err == nil && len(text) <= maxModelList {
			if v, err := json.Parse(text); err == nil {
				take("github-copilot", v.Path("github-copilot", "models"))
			}
		}
	}
	for _, file := range files {
		v, ok := file.Read()
		if !ok {
			continue
		}
		for f := v.Get("provider").Fields(); f.Next(); {
			if f.Key.TextLen() < 100 {
				take(f.Key.String(), f.Value.Get("models"))
			}
		}
	}
}

// limitWord is a limit as a setting has it; "-" for none.
func limitWord(v json.Value) string {
	if n, fault := v.Int64(); fault == json.NumberOK && n > 0 {
		return string(v.Raw())
	}
	return "-"
}
