// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	marker   = regexp.MustCompile(`<!-- generated: ([^>]*) -->`)
	noParams = regexp.MustCompile(`(?i)\b(has|have|takes|without|expects) (no parameters|parameters)`)
	ofKind   = regexp.MustCompile("(?:refused with the kind `|\"data\": ?\\{\"kind\": ?\")([a-z_]+)")
)

func documented(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestDocumentedParametersAreThoseOfTheSchema checks each method's section of docs/protocol.md: its first table is that
// of the type of the method's parameters, it contains no other method's parameters, and it states that there are none
// only if that is true. Each type of parameters must have a table in the documents.
func TestDocumentedParametersAreThoseOfTheSchema(t *testing.T) {
	s, err := load(filepath.Join("..", "..", "..", "core", "api"))
	if err != nil {
		t.Fatal(err)
	}
	protocol, daemon := documented(t, "protocol.md"), documented(t, "daemon.md")
	takes := map[string]method{}
	for _, m := range s.methods {
		takes[m.name] = m
	}
	sections := 0
	for _, section := range strings.Split(protocol, "\n## ")[1:] {
		title, body, _ := strings.Cut(section, "\n")
		m, ofMethod := takes[title]
		if !ofMethod {
			continue
		}
		sections++
		needed := len(s.byName[m.takes].fields) > 0
		var tables []string
		for _, found := range marker.FindAllStringSubmatch(body, -1) {
			tables = append(tables, strings.Split(found[1], ", ")...)
		}
		if needed && (len(tables) == 0 || tables[0] != m.takes) {
			t.Errorf("%s takes %s, and its section begins with the table of %v", title, m.takes, tables)
		}
		if match := noParams.FindString(body); match != "" && needed {
			t.Errorf("the section of %s says %q, and it takes %s", title, match, m.takes)
		}
		for _, table := range tables {
			for _, other := range s.methods {
				if table == other.takes && table != m.takes {
					t.Errorf("the section of %s has the table of %s, which %s takes", title, table, other.name)
				}
			}
		}
	}
	if sections != len(s.methods) {
		t.Errorf("%d sections of %d methods", sections, len(s.methods))
	}
	var everywhere []string
	for _, found := range marker.FindAllStringSubmatch(protocol+daemon, -1) {
		everywhere = append(everywhere, strings.Split(found[1], ", ")...)
	}
	for _, m := range slices.Concat(s.methods, s.daemonMethods, s.notifications) {
		if len(s.byName[m.takes].fields) > 0 && !slices.Contains(everywhere, m.takes) {
			t.Errorf("no document has the table of %s, which %s takes", m.takes, m.name)
		}
	}
}

// TestDocumentedKindsOfErrorsAreInTheTable checks that each kind of error in the documents is in the table.
func TestDocumentedKindsOfErrorsAreInTheTable(t *testing.T) {
	s, err := load(filepath.Join("..", "..", "..", "core", "api"))
	if err != nil {
		t.Fatal(err)
	}
	known := s.byName["ErrorKind"].words
	found := 0
	for _, name := range []string{"protocol.md", "daemon.md", "hosts.md", "tokens.md", "providers.md"} {
		for _, kind := range ofKind.FindAllStringSubmatch(strings.Join(strings.Fields(documented(t, name)), " "), -1) {
			found++
			if !slices.Contains(known, kind[1]) {
				t.Errorf("docs/%s names the kind of error %q, which the table lacks", name, kind[1])
			}
		}
	}
	if found < 3 {
		t.Errorf("only %d kinds are named", found)
	}
}
