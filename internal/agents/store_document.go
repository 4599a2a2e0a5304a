// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// mostDocument bounds a document of a session.
const mostDocument = 64 << 20

// document reads a session that is one JSON document.
func document(path string) (json.Value, error) {
	f, err := safefile.File(path)
	if err != nil {
		return json.Value{}, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostDocument+1))
	if err != nil {
		return json.Value{}, err
	}
	if len(text) > mostDocument {
		return json.Value{}, fmt.Errorf("%s has more than 64 MB, the maximum for one session", path)
	}
	v, err := json.Parse(transcript.Unmarked(text))
	if err != nil {
		return json.Value{}, fmt.Errorf("%s is incomplete JSON: it is being written, or it was cut off", path)
	}
	return v, nil
}

// eachLine calls see with the records of a file of lines, and with the number of each line.
func eachLine(path string, see func(line string, record json.Value)) error {
	f, err := safefile.File(path)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostDocument+1))
	if err != nil {
		return err
	}
	if len(text) > mostDocument {
		return fmt.Errorf("%s has more than 64 MB, the maximum for one session", path)
	}
	n := 0
	for line := range bytes.Lines(transcript.Unmarked(text)) {
		n++
		if v, err := json.Parse(transcript.TrimSpace(line)); err == nil {
			see(strconv.Itoa(n), v)
		}
	}
	return nil
}

// storeFileOf returns the agent whose sessions are all in files of this name; nil if there is none.
func storeFileOf(name string) *Agent {
	for _, a := range all {
		if a.Store != nil && a.Store.File == name {
			return a
		}
	}
	return nil
}

// OfDocument returns the agent whose store a text is, by its content; nil if it is unknown. Only a file that begins
// like one is read as a whole.
func OfDocument(path string) *Agent {
	f, err := safefile.File(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	start := make([]byte, 4096)
	n, _ := io.ReadFull(f, start)
	head := string(transcript.TrimSpace(start[:n]))
	switch {
	case strings.HasPrefix(strings.ReplaceAll(head, " ", ""), `{"kind":0,"v":{`):
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return nil
		}
		if state, _, err := readLog(f); err == nil && isChat(parsed(state)) {
			return &copilotChat
		}
		return nil
	case !strings.HasPrefix(head, "{"):
		return nil
	case storeFileOf(filepath.Base(path)) != nil:
	case !strings.Contains(head, `"requests"`) && !strings.Contains(head, `"responderUsername"`) &&
		!strings.Contains(head, `"history"`) && !strings.Contains(head, `"sessionId"`):
		return nil
	}
	v, err := document(path)
	if err != nil {
		return nil
	}
	for _, a := range all {
		if a.Store != nil && a.Store.Text != nil && a.Store.Text(v) {
			return a
		}
	}
	return nil
}
