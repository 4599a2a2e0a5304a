// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/redact"
	"github.com/ctx-lsp/ctx-lsp/internal/sight"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// seesAnswer is the output of --json for a file.
type seesAnswer struct {
	Schema  string `json:"schema"` // ctx.sees/1
	Session string `json:"session"`
	*sight.File
}

// seesFiles is the output of --json without a path.
type seesFiles struct {
	Schema  string        `json:"schema"` // ctx.sees/1
	Session string        `json:"session"`
	Files   []sight.Share `json:"files"`
}

func seesCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "sees [PATH[:LINE[-LINE]]]",
		Short: "list which lines of a file are in the next request",
		Example: `  ctx-lsp sees src/client.go         each range of lines with its state, item and time
  ctx-lsp sees src/client.go:40-80   only these lines; the exit code is 3 if one of them is not in the request
  ctx-lsp sees                       the files of the session by tokens, with shares of the states
  ctx-lsp sees src/client.go --json  schema ctx.sees/1`,
		Long: `The states are: verbatim (the next request contains the line as it is on disk), stale (it contains this place of the
file with another text), own (the agent wrote the line itself), summarized (only the summary of a compaction names the
file), gone (the line left the request), never (it was never sent) and unknown (the record does not show it). A line that
is in the request may still be ignored by the model. Whitespace-only lines follow their neighbors. The command compares
texts of the transcript with the file, and stores neither.

The exit code is 0 if all lines are verbatim or own, and 3 if not.`,
	}
	flags := c.Flags()
	session := flags.String("session", "", "use this `SESSION`: an id, the beginning of one, words of a title, or a transcript")
	asJSON := jsonFlag(flags, "print JSON")
	colorMode := colorFlag(flags)
	_ = c.RegisterFlagCompletionFunc("session", env.completeSessions)
	c.RunE = does(func(ctx context.Context, args []string) int {
		if len(args) > 1 {
			return env.usageError("sees", errors.New("expected one file"))
		}
		s, _, chosen := chooseSession(ctx, env, *session)
		if chosen != nil {
			return env.chooseFailed(chosen)
		}
		bar := newProgress(env, "reading", s.Size)
		conv, err := conversation.Read(ctx, s, bar.reach)
		bar.clear()
		if err != nil {
			return env.fail(fmt.Errorf("%s: %w", s.Path, err))
		}
		files := sight.Of(conv.Workspace, env.Dir)
		seen := sight.New(conv, files)
		if len(args) == 0 {
			return env.seesAll(ctx, s, conv, seen, files.Root, *asJSON)
		}
		return env.seesOne(args[0], s, conv, seen, files, *asJSON, env.color(colorMode.value))
	})
	return c
}

// seesOne prints the ranges of a file.
func (env *environment) seesOne(word string, s transcript.Session, conv *conversation.Conversation, seen *sight.Session, files sight.Files, asJSON, color bool) int {
	path, from, to := splitLines(word, func(path string) bool { return env.seesPath(files, conv, path) != "" })
	found := env.seesPath(files, conv, path)
	if found == "" {
		return env.fail(fmt.Errorf("%s cannot be read as a file", path))
	}
	content, _ := files.Read(found)
	f := seen.Of(found, content)
	if from > 0 {
		if from > f.Lines {
			return env.usageError("sees", fmt.Errorf("%s has %d lines", path, f.Lines))
		}
		f = f.Limit(from, to)
	}
	secrets := &redact.Redactor{}
	for i := range f.Ranges {
		if item := f.Ranges[i].Item; item != nil {
			*item = secrets.Line(*item)
		}
	}
	code := exitOK
	if !f.Held() {
		code = exitOver
	}
	if asJSON {
		return max(code, env.printJSON(seesAnswer{"ctx.sees/1", s.ID, f}))
	}
	name := "the agent"
	if known, ok := agent.Find(conv.Agent); ok {
		name = known.Name
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s.\n", terminal.Name(path), f.Text(name))
	f.Write(&b, color, terminal.Name)
	env.wrap(env.Stdout, b.String())
	return code
}

// seesPath returns the resolved path of a file: in the current directory, otherwise in the session's workspace.
func (env *environment) seesPath(files sight.Files, conv *conversation.Conversation, path string) string {
	for _, folder := range []string{env.Dir, conv.Workspace} {
		if found := files.Resolve(folder, path); found != "" {
			if _, ok := files.Read(found); ok {
				return found
			}
		}
	}
	return ""
}

var lineSuffix = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`:(\d{1,9})(?:-(\d{1,9}))?$`) })

// splitLines splits PATH:LINE-LINE. from is 0 without lines, and for a file whose name looks like that.
func splitLines(word string, exists func(string) bool) (path string, from, to int) {
	m := lineSuffix().FindStringSubmatch(word)
	if m == nil || exists(word) {
		return word, 0, 0
	}
	from, _ = strconv.Atoi(m[1])
	if to = from; m[2] != "" {
		to, _ = strconv.Atoi(m[2])
	}
	if from < 1 || to < from {
		return word, 0, 0
	}
	return strings.TrimSuffix(word, m[0]), from, to
}

// seesAll prints the files of a session.
func (env *environment) seesAll(ctx context.Context, s transcript.Session, conv *conversation.Conversation, seen *sight.Session, root string, asJSON bool) int {
	e, err := nativeEngine(env, 1)
	if err != nil {
		return env.fail(err)
	}
	defer e.Close()
	list, err := seen.Files(ctx, &conversation.Counter{Model: conv.Model, Provider: conv.Provider, Call: client.Call(e.Call)})
	if err != nil {
		return env.fail(err)
	}
	if asJSON {
		return env.printJSON(seesFiles{"ctx.sees/1", s.ID, list})
	}
	if len(list) == 0 {
		fmt.Fprintln(env.Stdout, "The session has read or changed no file that is here.")
		return exitOK
	}
	sight.WriteFiles(env.Stdout, list, terminal.Digits, func(path string) string {
		if below, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(below) {
			path = below
		}
		return terminal.Name(path)
	})
	return exitOK
}
