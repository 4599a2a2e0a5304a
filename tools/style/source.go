// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"go/scanner"
	"go/token"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// copyright is the text with which every source file begins.
const copyright = "Copyright The ctx-lsp authors. MIT licence."

// A language says how comments are written.
type language struct {
	line  string   // what begins a comment of one line
	block []string // what begins a line of a comment of several lines
	// header is the whole first line, if that is not a comment of one line.
	header string
	// lead is true if the language itself may need the first line: for the name of a program, or the type of a document.
	lead bool
}

var languages = map[string]language{
	".go":   {line: "//"},
	".ts":   {line: "//", block: []string{"/*", "*"}, lead: true},
	".js":   {line: "//", block: []string{"/*", "*"}, lead: true},
	".mjs":  {line: "//", block: []string{"/*", "*"}, lead: true},
	".cjs":  {line: "//", block: []string{"/*", "*"}, lead: true},
	".lua":  {line: "--", lead: true},
	".sh":   {line: "#", lead: true},
	".mk":   {line: "#"},
	".py":   {line: "#", lead: true},
	".yml":  {line: "#"},
	".vim":  {line: `"`},
	".el":   {line: ";;", lead: true},
	".css":  {block: []string{"/*", "*"}, header: "/* " + copyright + " */"},
	".html": {block: []string{"<!--"}, header: "<!-- " + copyright + " -->", lead: true},
}

// languageOf is the language of a file; ok is false for a file that is no source.
func languageOf(file string) (language, bool) {
	switch file {
	case "Makefile":
		return languages[".mk"], true
	case ".ci/run":
		return languages[".sh"], true
	}
	if strings.Contains(file, "/test/pages/") {
		return language{}, false // pages of a test stand for those of other people
	}
	l, ok := languages[path.Ext(file)]
	return l, ok
}

func checkSource(file, text string) []finding {
	l, ok := languageOf(file)
	if !ok {
		return nil
	}
	var findings []finding
	if !headed(l, text) && !strings.HasPrefix(file, "examples/") { // examples are copied into other programs
		findings = append(findings, finding{file, 1, fmt.Sprintf("the file does not begin with %q and a line that is empty", l.first())})
	}
	if path.Ext(file) == ".go" {
		return append(findings, wideComments(file, text)...)
	}
	for i, line := range strings.Split(text, "\n") {
		if utf8.RuneCountInString(line) > columns && l.isComment(line) && !oneWord(line) {
			findings = append(findings, finding{file, i + 1, tooWide(line)})
		}
	}
	return findings
}

// first is the line with which a file of the language begins.
func (l language) first() string {
	if l.header != "" {
		return l.header
	}
	return l.line + " " + copyright
}

// headed says whether a text begins with the header. A line that the language needs may stand before it. An empty line
// follows it, or an empty line of the same comment, but not in an HTML page.
func headed(l language, text string) bool {
	lines := strings.SplitN(text, "\n", 5)
	if l.lead && len(lines) > 2 && lines[0] != l.first() {
		if lines = lines[1:]; lines[0] == "" {
			lines = lines[1:]
		}
	}
	if lines[0] != l.first() {
		return false
	}
	return l.lead && l.line == "" || len(lines) < 2 || lines[1] == "" || lines[1] == l.line
}

// isComment says whether a line belongs to a comment.
func (l language) isComment(line string) bool {
	line = strings.TrimLeft(line, " \t")
	if strings.HasPrefix(line, "---@") {
		return false // an annotation of a Lua type must stay on one line
	}
	if l.line != "" && strings.HasPrefix(line, l.line) {
		return true
	}
	for _, mark := range l.block {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return false
}

// directive matches a comment that a tool reads, which must stay on one line.
var directive = regexp.MustCompile(`^//[a-z]+:[a-z]`)

// tagged matches a field of a struct with a tag, up to its comment.
var tagged = regexp.MustCompile("`[a-z]+:\"[^`]*`\\s*// ")

// wideComments finds comments of a Go file, also those behind code, with a line that is too wide.
func wideComments(file, text string) []finding {
	var findings []finding
	lines := strings.Split(text, "\n")
	files := token.NewFileSet()
	source := files.AddFile(file, -1, len(text))
	var s scanner.Scanner
	s.Init(source, []byte(text), nil, scanner.ScanComments)
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return findings
		}
		if tok != token.COMMENT || directive.MatchString(literal) {
			continue
		}
		first := source.Line(pos)
		for i := range strings.Count(literal, "\n") + 1 {
			line := lines[first-1+i]
			if at := tagged.FindStringIndex(line); at != nil {
				line = line[at[1]:] // the columns of fields and tags before it are gofumpt's
			}
			if utf8.RuneCountInString(line) > columns && !oneWord(line) {
				findings = append(findings, finding{file, first + i, tooWide(line)})
			}
		}
	}
}

// oneWord is true for a line that nobody can break: a comment mark and one long address.
func oneWord(line string) bool { return len(strings.Fields(line)) <= 2 }

func tooWide(line string) string {
	return fmt.Sprintf("a comment of %d columns; %d are the most", utf8.RuneCountInString(line), columns)
}
