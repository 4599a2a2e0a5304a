// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// root is the top of the repository.
const root = "../.."

// A translated text is a text of a front end in English and in one other language.
type translated struct{ file, english, text string }

// TestTranslationsUseTheGlossary checks that the translation of each text with a term of the glossary contains the
// glossary's translation of that term.
func TestTranslationsUseTheGlossary(t *testing.T) {
	terms := glossary(t)
	for column, texts := range map[int][]translated{
		1: append(editorTexts(t, "de"), browserTexts(t, "de")...),
		2: editorTexts(t, "ja"),
		3: editorTexts(t, "zh-cn"),
	} {
		if len(texts) < 500 {
			t.Errorf("column %d has only %d texts", column, len(texts))
		}
		for _, term := range terms {
			used := 0
			for _, text := range texts {
				if !contains(text.english, term[0]) {
					continue
				}
				used++
				if !containsOne(text.text, term[column]) {
					t.Errorf("%s: %q is not translated as %q\n  %s\n  %s", text.file, term[0], term[column], text.english, text.text)
				}
			}
			if used == 0 {
				t.Errorf("no text in column %d contains %q", column, term[0])
			}
		}
	}
}

// TestTermsAreFoundInTexts checks how terms are found: as whole words, also in the plural, but not in code and names.
func TestTermsAreFoundInTexts(t *testing.T) {
	for text, want := range map[string]bool{
		"The agent ended.": true, "Agents and tools": true, "Open AGENTS.md": false, "Set `agent` here": false, "{agent} is idle": false,
		"[Open](command:ctx.agent)": false, "reagents": false,
	} {
		if contains(text, "agent") != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
	if !containsOne("Ein Schätzwert", "geschätzt, schätz") || containsOne("Ein Wert", "geschätzt, schätz") {
		t.Error("alternatives are not compared one by one, without case")
	}
}

// code matches what translations keep: code, placeholders, links and file names.
var code = regexp.MustCompile("`[^`]*`|\\{[^}]*\\}|\\(command:[^)]*\\)|\\w+\\.md")

// contains reports whether an English text contains a term as a word, in singular or plural.
func contains(english, term string) bool {
	return regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(term) + `s?\b`).MatchString(code.ReplaceAllString(english, ""))
}

// containsOne reports whether a text contains one of the alternatives, which are separated by commas.
func containsOne(text, alternatives string) bool {
	for _, a := range strings.Split(alternatives, ", ") {
		if strings.Contains(strings.ToLower(text), strings.ToLower(a)) {
			return true
		}
	}
	return false
}

// glossary returns the rows of the glossary's table of translations: the term, then its translations.
func glossary(t *testing.T) [][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs/architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| English | German | Japanese | Chinese |\n|---|---|---|---|\n")
	if !found {
		t.Fatal("docs/architecture.md has no table of translations")
	}
	var terms [][]string
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		row := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		if len(row) != 4 || row[0] == "" || row[1] == "" || row[2] == "" || row[3] == "" {
			t.Fatalf("a term needs all four languages: %s", line)
		}
		terms = append(terms, row)
	}
	if len(terms) < 20 {
		t.Fatalf("the glossary has only %d terms", len(terms))
	}
	return terms
}

// editorTexts returns the texts of the VS Code extension in a language: those of its code, the daemon and the core,
// with English keys, and those of its manifest.
func editorTexts(t *testing.T, language string) []translated {
	t.Helper()
	dir := filepath.Join(root, "extensions/vscode")
	var bundle, english, manifest map[string]string
	readJSON(t, filepath.Join(dir, "l10n", "bundle.l10n."+language+".json"), &bundle)
	readJSON(t, filepath.Join(dir, "package.nls.json"), &english)
	readJSON(t, filepath.Join(dir, "package.nls."+language+".json"), &manifest)
	var texts []translated
	for key, text := range bundle {
		texts = append(texts, translated{"bundle.l10n." + language + ".json", key, text})
	}
	for key, text := range manifest {
		texts = append(texts, translated{"package.nls." + language + ".json", english[key], text})
	}
	return texts
}

// browserTexts returns the messages of the browser extension in a language.
func browserTexts(t *testing.T, language string) []translated {
	t.Helper()
	type messages map[string]struct{ Message string }
	var english, other messages
	dir := filepath.Join(root, "extensions/browser/_locales")
	readJSON(t, filepath.Join(dir, "en/messages.json"), &english)
	readJSON(t, filepath.Join(dir, language, "messages.json"), &other)
	var texts []translated
	for key, message := range other {
		texts = append(texts, translated{"_locales/" + language + "/messages.json: " + key, english[key].Message, message.Message})
	}
	return texts
}

func readJSON(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
