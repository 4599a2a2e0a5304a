// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"fmt"
	"strings"
)

// manualColumns is where the lines of a document end.
const manualColumns = 120

// manualMarkdown is docs/commands.md.
func manualMarkdown(shown []command) string {
	w := &strings.Builder{}
	w.WriteString("# Commands\n\n")
	w.WriteString(filled("This page is made of the help of each command (`make generated`). Every command has `--json` and "+
		"`--color=auto|always|never`. `ctx-lsp help --man` prints the same as a manual page.", "") + "\n")
	w.WriteString("| | |\n|---|---|\n")
	for _, c := range shown {
		fmt.Fprintf(w, "| [`ctx-lsp %s`](#ctx-lsp-%s) | %s |\n", c.name, c.name, markdown(c.summary))
	}
	w.WriteString("\n| exit code | |\n|---|---|\n")
	for _, t := range exitCodes {
		fmt.Fprintf(w, "| %s | %s |\n", t.name, markdown(t.text))
	}
	for _, c := range shown {
		fmt.Fprintf(w, "\n## ctx-lsp %s\n\n%s", c.name, filled(markdown(sentence(c.summary))+".", ""))
		for _, b := range helpBlocks(c.usage) {
			w.WriteString("\n")
			writeMarkdownBlock(w, b)
		}
	}
	return w.String()
}

func writeMarkdownBlock(w *strings.Builder, b helpBlock) {
	if b.title != "" {
		w.WriteString(filled(markdown(b.title)+":", "") + "\n")
	}
	switch b.kind {
	case ofProse:
		w.WriteString(filled(markdown(strings.Join(b.lines, " ")), ""))
	case ofExamples:
		fmt.Fprintf(w, "```text\n%s\n```\n", strings.Join(b.lines, "\n"))
	case ofTerms:
		for _, t := range b.terms {
			text := "- `" + t.name + "`"
			if t.text != "" {
				text += ": " + markdown(t.text)
			}
			w.WriteString(filled(text, "  "))
		}
	}
}

// markdown is a text that Markdown shows as it is.
func markdown(text string) string {
	return strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`, "|", `\|`, "~", `\~`).Replace(text)
}

// filled is a paragraph in lines of manualColumns. Those behind the first are indented.
func filled(text, indent string) string {
	w := &strings.Builder{}
	column := 0
	for i, word := range strings.Fields(text) {
		length := len([]rune(word))
		switch {
		case i == 0:
		case column+1+length > manualColumns:
			w.WriteString("\n" + indent)
			column = len(indent)
		default:
			w.WriteByte(' ')
			column++
		}
		w.WriteString(word)
		column += length
	}
	return w.String() + "\n"
}
