// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"fmt"
	"io"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// fitsListed is the maximum number of files that are listed, of those to leave out and of those to keep.
const fitsListed = 10

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
	out := 0 // the parts to leave out come first
	for out < len(answer.Parts) && answer.Parts[out].LeftOut {
		out++
	}
	if out == 0 {
		writeParts(w, answer.Parts, name)
	} else {
		fmt.Fprintf(w, "Leave out %s\n", countParts(answer.Parts[:out]))
		writeParts(w, answer.Parts[:out], name)
		fmt.Fprintf(w, "Keep %s%s\n", countParts(answer.Parts[out:]), keptShare(answer))
		writeParts(w, answer.Parts[out:], name)
	}
	if skipped > 0 {
		fmt.Fprintf(w, "  not counted: %s\n", Count(skipped, "file that is not text", "files that are not text"))
	}
}

// writeParts lists the largest files.
func writeParts(w io.Writer, parts []api.FitsPart, name func(string) string) {
	for i, p := range parts {
		if i == fitsListed && len(parts) > fitsListed+1 {
			fmt.Fprintf(w, "  %9s  in %d smaller files\n", Digits(sumOfParts(parts[i:])), len(parts)-i)
			return
		}
		fmt.Fprintf(w, "  %9s  %s\n", Digits(p.Tokens), name(p.Label))
	}
}

// keptShare returns how full the session is with the parts to keep, or "" without a threshold.
func keptShare(answer *api.FitsAnswer) string {
	if answer.Fewer == nil || answer.Fewer.ThresholdPercent == nil {
		return ""
	}
	return fmt.Sprintf(" → %d%% of the threshold", (*answer.Fewer.ThresholdPercent+50)/100)
}

func countParts(parts []api.FitsPart) string {
	return Count(len(parts), "file", "files") + ", " + Digits(sumOfParts(parts)) + " tokens"
}

func sumOfParts(parts []api.FitsPart) (sum int64) {
	for _, p := range parts {
		sum += p.Tokens
	}
	return sum
}

// Count returns a number with a noun in the singular or plural.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n) + " " + many
}
