// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// TestTheSettingsOfRulesAreKnown runs every rule with many versions, models and values, and checks that each setting
// that it reads is in the list, and that the list has no other.
func TestTheSettingsOfRulesAreKnown(t *testing.T) {
	read := map[string]bool{}
	for _, e := range entries {
		for _, version := range []string{"", "0.1.0", "1.0.0", "2.0.0", "2.1.19", "2.1.100", "2.1.200", "2.1.300", "3.0.0", "99.0.0"} {
			for _, model := range []string{"", "claude-opus-5-5", "gpt-5"} {
				for _, provider := range []string{"", "anthropic"} {
					for _, value := range []string{"", "0", "1", "0.5", "70", "200000", "false", "true", "auto", "gpt-5"} {
						in := Installation{Agent: e.ID, Version: version, Model: model, Provider: provider, Limits: core.Limits{Window: 200_000, Input: core.Unknown, Output: 8_000}}
						in.Setting = func(name string) string {
							read[name] = true
							return value
						}
						Rule(in)
					}
				}
			}
		}
	}
	for name := range read {
		if !KnowsSetting(name) {
			t.Errorf("a rule reads %q, which is not in the list", name)
		}
	}
	text := sources(t)
	for _, name := range strings.Fields(settingNames) {
		before, _, _ := strings.Cut(name, "*")
		if !strings.Contains(text, `"`+before) {
			t.Errorf("no rule reads %q", name)
		}
	}
	for _, name := range []string{"", "*", "models", "ANTHROPIC_API_KEY", "modelSettings.autoCompactWindow", "autoCompactWindow\nidleCompaction", "PATH", "model"} {
		if KnowsSetting(name) {
			t.Errorf("%q is known", name)
		}
	}
}

// sources returns the source text of this package, except its tests and the list.
func sources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	paths, _ := filepath.Glob("*.go")
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") || path == "settings.go" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}
