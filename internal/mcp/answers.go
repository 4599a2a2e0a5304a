// Copyright The ctx-lsp authors. MIT licence.

package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/focus"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/sight"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/textfiles"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Answers answers an agent's queries about the sessions and files of one workspace. All fields except Unredacted must
// be set.
type Answers struct {
	Workspace    string
	Machine      *follow.Machine
	Search       func() *focus.Search // searches the workspace
	Files        *textfiles.Files
	Vocabularies textfiles.Vocabularies
	Learned      *state.Learned
	Now          func() time.Time
	Engine       func() (*engine.Pool, error)
	Sentence     func(error) string // returns an error as a sentence
	Version      string
	// Unredacted leaves secrets in names and texts, because the user asked for it.
	Unredacted bool

	root *os.Root
	// one limits the calls to one at a time, because a call may read a whole session, and an agent may send many at
	// once.
	one chan struct{}
	// sights has the sessions whose texts are in memory because the agent asks about files again and again.
	sights sight.Sessions
}

// NewAnswers opens a workspace and resolves its links once. The caller sets the other fields.
func NewAnswers(workspace string) (*Answers, error) {
	workspace, err := filepath.EvalSymlinks(workspace)
	if err != nil {
		return nil, fmt.Errorf("the workspace: %w", err)
	}
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return nil, fmt.Errorf("the workspace: %w", err)
	}
	return &Answers{Workspace: workspace, root: root, one: make(chan struct{}, 1), sights: sight.Sessions{For: sight.KeptFor}}, nil
}

// Close closes the workspace.
func (a *Answers) Close() error { return a.root.Close() }

// plainName leaves a path unchanged, because a program reads it.
func plainName(path string) string { return path }

// aboutSession are the parameters of a tool about a session.
type aboutSession struct {
	Session string `json:"session,omitempty" jsonschema:"another session's id"`
}

// aboutTexts are the parameters of a tool about texts and a session.
type aboutTexts struct {
	Files   []string `json:"files,omitempty" jsonschema:"files or folders of the workspace"`
	Text    string   `json:"text,omitempty"`
	Session string   `json:"session,omitempty" jsonschema:"another session's id"`
}

// Status describes how full the window of a session is; an empty id means the current session.
func (a *Answers) Status(ctx context.Context, session string) (string, error) {
	return a.status(ctx, aboutSession{session})
}

func (a *Answers) status(ctx context.Context, in aboutSession) (string, error) {
	return a.describe(ctx, in, func(r *api.Reading) string { return terminal.ForAgent(r, a.Now()) })
}

func (a *Answers) largest(ctx context.Context, in aboutSession) (string, error) {
	return a.describe(ctx, in, func(r *api.Reading) string { return terminal.LargestForAgent(r.Largest) })
}

// describe returns the text for the Reading of a session.
func (a *Answers) describe(ctx context.Context, in aboutSession, text func(*api.Reading) string) (string, error) {
	reading, e, done, err := a.reading(ctx, in.Session)
	if err != nil {
		return "", err
	}
	defer done()
	if reading, err = client.Call(e.Call).InWords(ctx, reading, ""); err != nil {
		return "", err
	}
	r, err := terminal.Parse(reading)
	if err != nil {
		return "", err
	}
	return text(r), nil
}

func (a *Answers) fits(ctx context.Context, in aboutTexts) (string, error) {
	parts, skipped, err := a.texts(ctx, in)
	if err != nil {
		return "", err
	}
	reading, e, done, err := a.reading(ctx, in.Session)
	if err != nil {
		return "", err
	}
	defer done()
	r, err := terminal.Parse(reading)
	if err != nil {
		return "", err
	}
	answer, err := client.Call(e.Call).Fits(ctx, &api.FitsParams{ID: r.Session, Parts: textfiles.Parts(parts)}).Read()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	terminal.WriteFit(&out, answer, r.Model, skipped, plainName, false)
	return out.String(), nil
}

// count returns the tokens of texts, counted for the model of the session. Without a session it uses the encoding that
// ctx-lsp count uses without a model.
func (a *Answers) count(ctx context.Context, in aboutTexts) (string, error) {
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
	counter, err := a.Vocabularies.NewCounter(model, "", "")
	if err != nil && model != "" { // texts for an unknown model are counted like those without one
		model = ""
		counter, err = a.Vocabularies.NewCounter("", "", "")
	}
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, part := range parts {
		counted, err := counter.Count(ctx, strings.NewReader(part.Text))
		if err != nil {
			return "", err
		}
		mark := ""
		if counter.Basis == "estimated" {
			mark = "~"
		}
		fmt.Fprintf(&out, "%s%s %s\n", mark, terminal.Digits(counted.Tokens), terminal.Name(part.Path))
	}
	if skipped > 0 {
		fmt.Fprintf(&out, "not counted: %s\n", terminal.Count(skipped, "file that is not text", "files that are not text"))
	}
	if model == "" {
		fmt.Fprintf(&out, "in %s\n", counter.Encoding)
	}
	return out.String(), nil
}

// mostForgotten is the maximum number of dropped items in a result; the ones left out are small.
const mostForgotten = 20

func (a *Answers) forgotten(ctx context.Context, in aboutSession) (string, error) {
	s, _, err := a.session(ctx, in.Session)
	if err != nil {
		return "", err
	}
	e, err := a.Engine()
	if err != nil {
		return "", err
	}
	defer e.Close()
	answer, err := conversation.Forgotten(ctx, s, client.Call(e.Call), 0, a.Unredacted, nil)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	conversation.WriteForgotten(&out, answer, "", conversation.AllDropped, false)
	lines := slices.Collect(strings.Lines(out.String()))
	if more := len(lines) - mostForgotten; more > 0 {
		lines = append(lines[:mostForgotten], fmt.Sprintf("  and %s\n", terminal.Count(more, "smaller item", "smaller items")))
	}
	return strings.Join(lines, ""), nil
}

// reading returns the Reading of a session of the workspace (the current one if none is named), and the engine that has
// it open until done is called.
func (a *Answers) reading(ctx context.Context, id string) (reading []byte, e engine.Engine, done func(), err error) {
	s, children, err := a.session(ctx, id)
	if err != nil {
		return nil, nil, nil, err
	}
	pool, err := a.Engine()
	if err != nil {
		return nil, nil, nil, err
	}
	defer func() {
		if err != nil {
			pool.Close()
		}
	}()
	if err := follow.Teach(ctx, pool.Call, a.Learned, a.Now()); err != nil {
		return nil, nil, nil, err
	}
	reading, err = a.Machine.Read(ctx, pool.Call, s, children, func(transcript.Session, error) {})
	return reading, pool, func() { pool.Close() }, err
}

// session finds a session of the workspace. An id from another directory is not found, because an agent may only read
// about the directory it was started in.
func (a *Answers) session(ctx context.Context, id string) (transcript.Session, []transcript.Session, error) {
	search := a.Search()
	if id == "" {
		found, err := search.Front(ctx)
		return found.Session, found.Children, err
	}
	sessions, _, err := search.Finder.Find(ctx, sessions.Query{ID: id, Near: a.Workspace})
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

// texts reads the texts that a tool counts: files of the workspace, without following links out of it, and a text.
func (a *Answers) texts(ctx context.Context, in aboutTexts) (parts []textfiles.Text, skipped int, err error) {
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
			return nil, 0, errors.New(textfiles.Sentence(name, err))
		}
	}
	texts, skipped, err := a.Files.Texts(ctx, in.Files, room, true, a.open)
	return append(parts, texts...), skipped, textfiles.InSentence(err, plainName)
}

// open opens a file of the workspace. Pipes and devices are not opened.
func (a *Answers) open(path string) (io.ReadCloser, error) {
	info, err := a.root.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("it is not a regular file")}
	}
	return a.root.Open(path)
}
