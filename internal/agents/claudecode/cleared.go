// Copyright The ctx-lsp authors. MIT licence.

package claudecode

import (
	"bytes"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Cleared reports whether a transcript begins with the /clear that ended the conversation before it.
func Cleared(path string) bool {
	f, err := safefile.File(path)
	if err != nil {
		return false
	}
	defer f.Close()
	text := transcript.ReadSome(f, nil, 0, transcript.FirstRead)
	for line := 0; len(text) > 0 && line < transcript.HeadLines; line++ {
		record := transcript.FirstLine(text)
		text = text[min(len(record)+1, len(text)):]
		if bytes.Contains(record, []byte("<command-name>/clear</command-name>")) {
			return true
		}
		if bytes.Contains(record, []byte(`"type":"assistant"`)) {
			return false
		}
	}
	return false
}
