// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// ModelOf returns the known model that an agent's settings name for a workspace; "" if they name none.
func ModelOf(e dirs.Environment, id, workspace string) string {
	a := ByID(id)
	if a == nil || a.ModelSetting == "" || a.SettingsFiles == nil || !e.Allows(id) {
		return ""
	}
	home, _ := a.Home.In(e)
	for _, file := range slices.Backward(a.SettingsFiles(a, e, home, workspace)) {
		text, ok := file.Content()
		if !ok {
			continue
		}
		written, _ := configfile.Find(file.Form, text, a.ModelSetting)
		for i := range written {
			if found := knownModel(written[i].Value); found != "" {
				return found
			}
		}
	}
	return ""
}

// knownModel returns a model that is in the table. The name of a family, such as opus, means its newest model.
func knownModel(name string) string {
	if _, ok := model.Find(name, "", ""); ok {
		return name
	}
	family, _, _ := strings.Cut(name, "[")
	newest := ""
	for i := range model.Len() {
		m := model.At(i)
		version, ok := strings.CutPrefix(m.ID, "claude-"+family+"-")
		if ok && len(version) <= len("5-5") && version[0] >= '0' && version[0] <= '9' {
			newest = max(newest, m.ID)
		}
	}
	return newest
}
