// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/focus"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/textfiles"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// aboutSession is what a tool is told that asks about a session alone.
type aboutSession struct {
	Session string `json:"session,omitempty" jsonschema:"another session's id"`
}

// aboutTexts is what a tool is told that asks about texts too.
type aboutTexts struct {
	Files   []string `json:"files,omitempty" jsonschema:"files or folders of the workspace"`
	Text    string   `json:"text,omitempty"`
	Session string   `json:"session,omitempty" jsonschema:"another session's id"`
}

func (a *asked) status(ctx context.Context, in aboutSession) (string, error) {
	return a.tell(ctx, in, func(r *api.Reading) string { return terminal.Told(r, a.env.Now()) })
}

func (a *asked) largest(ctx context.Context, in aboutSession) (string, error) {
	return a.tell(ctx, in, func(r *api.Reading) string { return terminal.ToldLargest(r.Largest) })
}

// tell answers with what is said of the Reading of a session.
func (a *asked) tell(ctx context.Context, in aboutSession, say func(*api.Reading) string) (string, error) {
	reading, _, done, err := a.reading(ctx, in.Session)
	if err != nil {
		return "", err
	}
	defer done()
	r, err := terminal.Parse(reading)
	if err != nil {
		return "", err
	}
	return say(r), nil
}

func (a *asked) fits(ctx context.Context, in aboutTexts) (string, error) {
	parts, skipped, err := a.texts(ctx, in)
	if err != nil {
		return "", err
	}
	reading, e, done, err := a.reading(ctx, in.Session)
	if err != nil {
		return "", err
	}
	defer done()
	report := fitReport{Skipped: skipped}
	if report.FitsAnswer, _, err = askFits(ctx, e, reading, parts); err != nil {
		return "", err
	}
	var out strings.Builder
	env := *a.env
	env.Stdout = &out
	writeFit(&env, &report, false)
	return out.String(), nil
}

// count answers with the tokens of texts, as the model of the session counts them. Without a session they are those of
// the encoding that ctx-lsp count uses without a model.
func (a *asked) count(ctx context.Context, in aboutTexts) (string, error) {
	parts, skipped, err := a.texts(ctx, in)
	if err != nil {
		return "", err
	}
	model := ""
	reading, _, done, err := a.reading(ctx, in.Session)
	if err == nil {
		defer done()
		if r, failed := terminal.Parse(reading); failed == nil {
			model = r.Model
		}
	} else if in.Session != "" || !errors.Is(err, focus.ErrNoSession) {
		return "", err
	}
	var report countReport
	counter, _, err := newFileCounter(a.env, &report, model, "", "", false)
	if err != nil && model != "" { // a model that nobody knows is counted like texts without one
		model = ""
		counter, _, err = newFileCounter(a.env, &report, "", "", "", false)
	}
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, part := range parts {
		counted, err := counter.text(ctx, strings.NewReader(part.Text), newProgress(a.env, "", 0))
		if err != nil {
			return "", err
		}
		mark := ""
		if counted.Basis == "estimated" {
			mark = "~"
		}
		fmt.Fprintf(&out, "%s%s %s\n", mark, terminal.Digits(counted.Tokens), terminal.Name(part.Path))
	}
	if skipped > 0 {
		fmt.Fprintf(&out, "not counted: %s\n", countOf(skipped, "file that is not text", "files that are not text"))
	}
	if model == "" {
		fmt.Fprintf(&out, "in %s\n", report.Encoding)
	}
	return out.String(), nil
}

// mostForgotten is how many lines an agent is told of what was dropped; what is left out is small.
const mostForgotten = 20

func (a *asked) forgotten(ctx context.Context, in aboutSession) (string, error) {
	s, _, err := a.session(ctx, in.Session)
	if err != nil {
		return "", err
	}
	e, err := nativeEngine(a.env, 1)
	if err != nil {
		return "", err
	}
	defer e.Close()
	answer, err := conversation.Forgotten(ctx, s, client.Call(e.Call), 0, a.unredacted)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	writeForgot(&out, answer, true, false)
	lines := slices.Collect(strings.Lines(out.String()))
	if more := len(lines) - mostForgotten; more > 0 {
		lines = append(lines[:mostForgotten], fmt.Sprintf("  and %s\n", countOf(more, "smaller item", "smaller items")))
	}
	return strings.Join(lines, ""), nil
}

// reading is the Reading of a session of the workspace, of the one in front when none is named, and the engine that
// has it open until done is called.
func (a *asked) reading(ctx context.Context, id string) (reading []byte, e engine.Engine, done func(), err error) {
	s, children, err := a.session(ctx, id)
	if err != nil {
		return nil, nil, nil, err
	}
	pool, err := nativeEngine(a.env, 1)
	if err != nil {
		return nil, nil, nil, err
	}
	defer func() {
		if err != nil {
			pool.Close()
		}
	}()
	if err := teach(ctx, a.env, pool); err != nil {
		return nil, nil, nil, err
	}
	reading, err = readSession(ctx, a.env, pool, s, children)
	return reading, pool, func() { pool.Close() }, err
}

// session finds a session of the workspace. An id that belongs to another folder is not found: what an agent is told
// is about the folder that it was started in.
func (a *asked) session(ctx context.Context, id string) (transcript.Session, []transcript.Session, error) {
	search := a.env.search()
	if id == "" {
		found, err := search.Front(ctx)
		return found.Session, found.Children, err
	}
	sessions, _, err := search.Finder.Find(ctx, sessions.Query{ID: id, Near: a.env.Dir})
	switch {
	case err != nil:
		return transcript.Session{}, nil, err
	case len(sessions) == 0:
		return transcript.Session{}, nil, fmt.Errorf("no session of this workspace has an id starting with %q", id)
	case len(sessions) > 1 && sessions[0].ID != id:
		return transcript.Session{}, nil, fmt.Errorf("%d sessions of this workspace have ids starting with %q", len(sessions), id)
	}
	children, err := search.Children(ctx, sessions[0])
	return sessions[0], children, err
}

// texts reads what a tool is asked about: files of the workspace, which a link does not lead out of, and a text.
func (a *asked) texts(ctx context.Context, in aboutTexts) (parts []textfiles.Text, skipped int, err error) {
	if in.Text != "" {
		parts = append(parts, textfiles.Text{Path: "the text", Text: in.Text})
	}
	if len(in.Files) == 0 && in.Text == "" {
		return nil, 0, errors.New("pass either files or a text")
	}
	room := int64(textfiles.Most) - int64(len(in.Text))
	if room < 0 {
		return nil, 0, textfiles.ErrTooMuch
	}
	for _, name := range in.Files {
		if !filepath.IsLocal(name) {
			return nil, 0, fmt.Errorf("%q is not in the workspace: use paths relative to its root that do not lead out of it", name)
		}
		if _, err := a.root.Stat(name); err != nil {
			return nil, 0, errors.New(inSentence(name, err))
		}
	}
	texts, skipped, err := a.env.textFiles().Texts(ctx, in.Files, room, true, a.open)
	return append(parts, texts...), skipped, a.env.fileError(err)
}

// open opens a file of the workspace. Pipes and devices are not opened.
func (a *asked) open(path string) (io.ReadCloser, error) {
	info, err := a.root.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("it is not a regular file")}
	}
	return a.root.Open(path)
}
