// Copyright The ctx-lsp authors. MIT licence.

package check

import (
	"fmt"
	"io"
	"strings"
)

// These characters have a meaning in GitHub's workflow commands, and names and messages may contain untrusted text. In
// properties, commas and colons have a meaning too.
var (
	escapeText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHub writes the findings as annotations of GitHub's workflows, and the effect of the change as a notice.
func (r *Report) GitHub(w io.Writer) error {
	for _, f := range r.Findings {
		place := ""
		if f.Path != "" {
			place = fmt.Sprintf("file=%s,line=%d,col=%d,endLine=%d,", escapeProperty.Replace(f.Path), f.Line, f.Column, f.EndLine)
		}
		if _, err := fmt.Fprintf(w, "::%s %stitle=ctx %s::%s\n", githubLevels[f.Severity], place, escapeProperty.Replace(f.Code), escapeText.Replace(f.Message)); err != nil {
			return err
		}
	}
	if r.Change != nil {
		_, err := fmt.Fprintf(w, "::notice title=ctx::%s\n", escapeText.Replace(r.Change.Text))
		return err
	}
	return nil
}
