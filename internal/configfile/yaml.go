// Copyright The ctx-lsp authors. MIT licence.

package configfile

import (
	"bufio"
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// YAML adds the named values of a YAML file to found. A name is the path of keys with dots between them.
func YAML(path string, found map[string]string, names ...string) {
	text, ok := safefile.Small(path)
	if !ok {
		return
	}
	type level struct {
		indent int
		key    string
	}
	var above []level
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := lines.Text()
		rest := strings.TrimLeft(line, " ")
		key, value, isKey := strings.Cut(rest, ":")
		if !isKey || rest[0] == '#' || rest[0] == '-' || rest[0] == '\t' {
			continue
		}
		indent := len(line) - len(rest)
		for len(above) > 0 && above[len(above)-1].indent >= indent {
			above = above[:len(above)-1]
		}
		name := strings.TrimSpace(key)
		for i := len(above) - 1; i >= 0; i-- {
			name = above[i].key + "." + name
		}
		value, _, _ = strings.Cut(value, " #")
		if value = strings.Trim(strings.TrimSpace(value), `"'`); value == "" {
			if len(above) < 8 {
				above = append(above, level{indent, strings.TrimSpace(key)})
			}
		} else if slices.Contains(names, name) && len(value) < 200 {
			found[name] = value
		}
	}
}

// maxScalar is the maximum length of a text on one line that YAMLScalar returns.
const maxScalar = 4096

// YAMLScalar returns the value of a key at the top level of a YAML document: plain, quoted, or a block. It returns ""
// for anything that is not text.
func YAMLScalar(text []byte, key string) string {
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		value, ok := strings.CutPrefix(line, key+":")
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		switch {
		case value == "" || value == "null" || value == "~" || len(value) > maxScalar:
			return ""
		case value[0] == '|' || value[0] == '>':
			var block []string
			for _, inner := range lines[i+1:] {
				if strings.TrimSpace(inner) != "" && inner[0] != ' ' {
					break
				}
				block = append(block, strings.TrimSpace(inner))
			}
			return strings.TrimSpace(strings.Join(block, " "))
		case value[0] == '"':
			if end := strings.LastIndexByte(value, '"'); end > 0 {
				if plain, err := strconv.Unquote(value[:end+1]); err == nil {
					return plain
				}
			}
			return ""
		case value[0] == '\'':
			if end := strings.LastIndexByte(value, '\''); end > 0 {
				return strings.ReplaceAll(value[1:end], "''", "'")
			}
			return ""
		case value[0] == '[' || value[0] == '{' || value[0] == '&' || value[0] == '*':
			return ""
		}
		if comment := strings.Index(value, " #"); comment >= 0 {
			value = strings.TrimSpace(value[:comment])
		}
		return value
	}
	return ""
}

// YAMLKeys returns the keys of a mapping that is a member of the document, as a block of indented lines.
func YAMLKeys(path, member string) (keys []string) {
	text, ok := safefile.Small(path)
	if !ok {
		return nil
	}
	inside, indent := false, 0
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := strings.TrimRight(lines.Text(), " \t\r")
		rest := strings.TrimLeft(line, " ")
		if rest == "" || rest[0] == '#' {
			continue
		}
		if len(rest) == len(line) { // a member of the document
			inside, indent = line == member+":", 0
			continue
		}
		key, _, isKey := strings.Cut(rest, ":")
		if at := len(line) - len(rest); inside && isKey && (indent == 0 || at == indent) {
			indent, keys = at, append(keys, strings.Trim(key, `"'`))
		}
	}
	return keys
}
