// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/redact"
	"github.com/ctx-lsp/ctx-lsp/internal/sight"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

const (
	// lensPatience is how long a transcript may be read for a lens: other requests about documents wait for it.
	lensPatience = 2 * time.Second
	// mostSightText bounds the size of a file in bytes.
	mostSightText = 8 << 20
)

// answerSees answers ctx/sees.
func (c *connection) answerSees(r *request) ([]byte, *api.Error) {
	var asked api.SeesParams
	if err := r.read(&asked); err != nil {
		return nil, err
	}
	if asked.Path == "" || strings.ContainsRune(asked.Path, 0) {
		return nil, api.Invalid("path", "is missing: it names the file.")
	}
	if asked.Text != nil && len(*asked.Text) > mostSightText {
		return nil, api.Invalid("text", "is too long.")
	}
	at, fault := c.transcriptOf(r)
	if fault != nil {
		return nil, fault
	}
	out, fault := c.seesFile(r, at, longestReading, asked.Path, asked.Text)
	if fault != nil {
		return nil, fault
	}
	out.Session, out.Path = asked.ID, asked.Path
	return answer(out)
}

// seesFile returns what the next request of a session holds of a file.
func (c *connection) seesFile(r *request, at transcript.Session, within time.Duration, path string, text *string) (*api.SeesAnswer, *api.Error) {
	entry := c.server.sights.Of(at, "")
	entry.Lock()
	defer entry.Unlock()
	var out *api.SeesAnswer
	fault := c.readTranscript(r, at, within, func(ctx context.Context, progress func(int64)) error {
		seen, conv, err := entry.Next(ctx, progress)
		if err != nil {
			return err
		}
		out = seesAnswer(seesIn(entry.Workspace, seen, path, text), agentNamed(conv.Agent))
		return nil
	})
	if fault != nil {
		c.server.sights.Drop(entry)
	}
	return out, fault
}

// sightLens returns the lens above a file with what the next request holds of it, if the client wants one. Errors show
// none.
func (c *connection) sightLens(r *request, uri string) *document.Lens {
	path, ok := document.Path(uri)
	if !ok || !c.currentSettings().Sight {
		return nil
	}
	s, _ := c.sessionOf("")
	if s == nil {
		return nil
	}
	s.mu.Lock()
	from := s.origin
	s.mu.Unlock()
	if from == nil {
		return nil
	}
	var text *string
	if open, ok := c.documents.set.Text(uri); ok && len(open) <= mostSightText {
		text = &open
	}
	out, fault := c.seesFile(r, from.Session, lensPatience, path, text)
	if fault != nil || len(out.Ranges) == 0 || out.Lines == 0 {
		return nil
	}
	return &document.Lens{Command: &document.Command{Title: out.Text.Text}}
}

// refreshSights has clients that show such lenses request them again, because a session has changed.
func (s *Server) refreshSights() {
	s.eachConnection(func(c *connection) {
		if !c.currentSettings().Sight || !c.about().refreshLenses || c.sightsAsked.Swap(true) {
			return
		}
		go func() {
			defer c.survive("refreshing lenses")
			defer c.sightsAsked.Store(false)
			_ = c.sendRequest(context.Background(), "workspace/codeLens/refresh", nil, nil) // a refusal is logged
		}()
	})
}

// seesIn returns the answer for a file, or for the text that an editor has of it.
func seesIn(workspace *sight.Workspace, seen *sight.Session, path string, text *string) *sight.File {
	found := workspace.Resolve("", path)
	if found == "" {
		return sight.Unseen(path, sight.Outside)
	}
	if text == nil {
		content, ok := workspace.Read(found)
		if !ok || len(content) > mostSightText {
			return sight.Unseen(path, sight.Unread)
		}
		text = &content
	}
	return seen.Of(found, *text)
}

func agentNamed(id string) string {
	if known, ok := agent.Find(id); ok {
		return known.Name
	}
	return id
}

// seesAnswer returns an answer of the protocol. Names of items that look like secrets are struck.
func seesAnswer(f *sight.File, agent string) *api.SeesAnswer {
	count := f.Count()
	out := &api.SeesAnswer{
		Lines: int64(f.Lines), Held: int64(count[sight.Verbatim] + count[sight.Own]),
		Ranges: make([]api.SightRange, 0, len(f.Ranges)), Text: api.TextOf(f.Text(agent)),
	}
	secrets := &redact.Redactor{}
	struck := map[string]string{}
	for i := range f.Ranges {
		r := &f.Ranges[i]
		if r.Item != nil {
			clean, known := struck[*r.Item]
			if !known {
				clean = secrets.Line(*r.Item)
				struck[*r.Item] = clean
			}
			r.Item = &clean
		}
		each := api.SightRange{From: int64(r.From), To: int64(r.To), State: api.SightState(r.State), Item: r.Item, Text: api.TextOf(r.Text())}
		if r.At != nil {
			at := api.Time(*r.At)
			each.At = &at
		}
		out.Ranges = append(out.Ranges, each)
	}
	return out
}
