// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"fmt"
	"strings"
)

// manualPage is the page of ctx-lsp in section 1 of the manual, as man(7) describes it.
func manualPage(shown []command, version string) string {
	w := &strings.Builder{}
	fmt.Fprintf(w, ".TH CTX\\-LSP 1 \"\" %s \"User Commands\"\n", quotedRoff("ctx-lsp "+version))
	w.WriteString(".ad l\n") // a narrow terminal cannot stretch lines that long names break early
	w.WriteString(".SH NAME\nctx\\-lsp \\- how full a coding agent's context window is, what fills it, and when it is compacted\n")
	w.WriteString(".SH SYNOPSIS\n.B ctx\\-lsp\n.I command\n.RI [ flag \" ...] [\" argument \" ...]\"\n")
	w.WriteString(".SH DESCRIPTION\nEvery command has\n.B \\-\\-json\nand\n.BR \\-\\-color=auto|always|never .\n")
	w.WriteString("A flag may be written with one dash or two, before its value a space or an equals sign.\n")
	w.WriteString(".SH COMMANDS\n")
	for _, c := range shown {
		fmt.Fprintf(w, ".SS ctx\\-lsp %s\n%s.\n", roff(c.name), roff(sentence(c.summary)))
		for _, b := range helpBlocks(c.usage) {
			writeRoffBlock(w, b)
		}
	}
	w.WriteString(".SH EXIT STATUS\n")
	for _, t := range exitCodes {
		writeRoffTerm(w, t)
	}
	w.WriteString(".SH SEE ALSO\nThe documents of ctx\\-lsp, at\n.UR https://github.com/ctx\\-lsp/ctx\\-lsp\n.UE .\n")
	return w.String()
}

func writeRoffBlock(w *strings.Builder, b helpBlock) {
	if b.title != "" {
		fmt.Fprintf(w, ".PP\n%s:\n", roff(b.title))
	}
	switch b.kind {
	case ofProse:
		fmt.Fprintf(w, ".PP\n%s\n", roff(strings.Join(b.lines, "\n")))
	case ofExamples:
		fmt.Fprintf(w, ".PP\n.RS 4\n.nf\n%s\n.fi\n.RE\n", roff(strings.Join(b.lines, "\n")))
	case ofTerms:
		for _, t := range b.terms {
			writeRoffTerm(w, t)
		}
	}
}

func writeRoffTerm(w *strings.Builder, t helpTerm) {
	fmt.Fprintf(w, ".TP\n.B %s\n", quotedRoff(t.name))
	if t.text != "" {
		fmt.Fprintln(w, roff(t.text))
	}
}

// roff is a text that man shows as it is: a hyphen can be copied, and no line is an order. The dots of an ellipsis and
// signs outside of ASCII are written as groff's names for them, so that the page needs no encoding.
func roff(text string) string {
	w := &strings.Builder{}
	start := true
	for _, r := range text {
		if start && (r == '.' || r == '\'') {
			w.WriteString(`\&`)
		}
		start = r == '\n'
		switch {
		case r == '\\':
			w.WriteString(`\e`)
		case r == '-':
			w.WriteString(`\-`)
		case r == '\'':
			w.WriteString(`\(aq`)
		case r == '`':
			w.WriteString("\\(ga")
		case r == '^':
			w.WriteString(`\(ha`)
		case r == '~':
			w.WriteString(`\(ti`)
		case r > 126:
			fmt.Fprintf(w, `\[u%04X]`, r)
		default:
			w.WriteRune(r)
		}
	}
	return w.String()
}

// quotedRoff is a text as one argument of an order.
func quotedRoff(text string) string { return `"` + strings.ReplaceAll(roff(text), `"`, `\(dq`) + `"` }

// sentence begins with a capital, as a summary does not.
func sentence(text string) string {
	return strings.ToUpper(text[:1]) + text[1:]
}
