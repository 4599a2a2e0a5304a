// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"fmt"
	"io"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// fitsListed is the maximum number of files that are listed.
const fitsListed = 20

// WriteFit prints in one line whether texts fit, followed by the model that they were counted for and the files, the
// largest first. skipped is the number of files that are not text. name prepares a file's path for the reader.
func WriteFit(w io.Writer, answer *api.FitsAnswer, model string, skipped int, name func(string) string, color bool) {
	headline := Name(answer.Text)
	if color {
		headline = "\x1b[1m" + headline + "\x1b[0m"
	}
	fmt.Fprintln(w, headline)
	if model != "" {
		how := "counted"
		if answer.Basis == "estimated" {
			how = "estimated"
		}
		fmt.Fprintf(w, "  %s for %s\n", how, Name(model))
	}
	if len(answer.Parts) < 2 && skipped == 0 {
		return
	}
	for i, p := range answer.Parts {
		if i == fitsListed {
			fmt.Fprintf(w, "  and %d smaller files\n", len(answer.Parts)-i)
			break
		}
		note := ""
		if p.LeftOut {
			note = "  (leave it out)"
		}
		fmt.Fprintf(w, "  %9s  %s%s\n", Digits(p.Tokens), name(p.Label), note)
	}
	if skipped > 0 {
		fmt.Fprintf(w, "  not counted: %s\n", Count(skipped, "file that is not text", "files that are not text"))
	}
}

// Count returns a number with a noun in the singular or plural.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n) + " " + many
}
