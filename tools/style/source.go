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

// copyright is the text with which every source file starts.
const copyright = "Copyright The ctx-lsp authors. MIT licence."

// A language describes the syntax of comments.
type language struct {
	line  string   // the start of a comment on one line
	block []string // the starts of lines of a comment on several lines
	// header is the complete first line, if it is not a comment on one line.
	header string
	// lead means that the language itself may need the first line, for the name of a program or the type of a document.
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

// languageOf returns the language of a file; ok is false for a file that is not source code.
func languageOf(file string) (language, bool) {
	switch file {
	case "Makefile":
		return languages[".mk"], true
	case ".ci/run", ".githooks/commit-msg":
		return languages[".sh"], true
	}
	if strings.Contains(file, "/test/pages/") {
		return language{}, false // pages of a test stand for third-party pages
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

// first returns the first line of a file in the language.
func (l language) first() string {
	if l.header != "" {
		return l.header
	}
	return l.line + " " + copyright
}

// headed reports whether a text starts with the header. A line that the language needs may come before it. An empty
// line must follow it, or an empty line of the same comment, except in an HTML page.
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

// isComment reports whether a line belongs to a comment.
func (l language) isComment(line string) bool {
	line = strings.TrimLeft(line, " \t")
	if strings.HasPrefix(line, "---@") {
		return false // a Lua type annotation must stay on one line
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

// directive matches a comment for a tool, which must stay on one line.
var directive = regexp.MustCompile(`^//[a-z]+:[a-z]`)

// tagged matches a struct field with a tag, up to its comment.
var tagged = regexp.MustCompile("`[a-z]+:\"[^`]*`\\s*// ")

// wideComments returns comments in a Go file with a line that is too wide, including comments after code.
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
				line = line[at[1]:] // gofumpt determines the columns of fields and tags before it
			}
			if utf8.RuneCountInString(line) > columns && !oneWord(line) {
				findings = append(findings, finding{file, first + i, tooWide(line)})
			}
		}
	}
}

// oneWord reports whether a line cannot be broken: it is a comment mark and one long address.
func oneWord(line string) bool { return len(strings.Fields(line)) <= 2 }

func tooWide(line string) string {
	return fmt.Sprintf("a comment of %d columns; %d are the most", utf8.RuneCountInString(line), columns)
}
