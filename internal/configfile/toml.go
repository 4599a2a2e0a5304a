// Copyright The ctx-lsp authors. MIT licence.

package configfile

import (
	"bufio"
	"bytes"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// TOML reads those numbers of a file of settings in TOML that are named, each by its table, if it has one, and
// its key.
func TOML(path string, found map[string]string, names ...string) {
	text, ok := safefile.Small(path)
	if !ok {
		return
	}
	table := ""
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			name, _, _ := strings.Cut(strings.TrimLeft(line, "["), "]")
			table = strings.TrimSpace(name) + "."
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		name := table + strings.TrimSpace(key)
		if !ok || !slices.Contains(names, name) {
			continue
		}
		value, _, _ = strings.Cut(value, "#")
		if value = strings.ReplaceAll(strings.TrimSpace(value), "_", ""); value != "" {
			found[name] = value
		}
	}
}
