// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/handover"
	"github.com/ctx-lsp/ctx-lsp/internal/source"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

func init() {
	register(command{
		name:    "handover",
		summary: "a note with which somebody else goes on: goal, todos, files, failures, last words",
		usage: `  ctx-lsp handover                       of the session in front in this workspace
  ctx-lsp handover 0197f1c2 --tokens=800  shorter
  ctx-lsp handover --out notes.md        into a new file
  ctx-lsp handover | claude              as the first prompt of another session
  ctx-lsp handover --json                the same, and what it was written from; schema ctx.handover/1

The note is written from the transcript, and no model is asked. It has what was asked first and last, the open entries
of the agent's own list, the files that were touched, the commands that fail, and the agent's last words, in at most as
many tokens as you say, counted as the session's model counts. What is too long loses its middle.

Flags:
  --tokens=N             how long it may be (2k); at least 150
  --out=FILE             write it into this file, which must not exist yet

Exit codes: 0 done, 1 error, 2 usage.
`,
		run: runHandover,
	})
}

// handoverAnswer is what --json prints.
type handoverAnswer struct {
	Schema string `json:"schema"` // ctx.handover/1
	*api.HandoverAnswer
}

func runHandover(ctx context.Context, env *environment, args []string) int {
	flags := newFlags("handover")
	asJSON := flags.Bool("json", false, "print JSON")
	most := tokensFlag{tokens: handover.Usual}
	flags.Var(&most, "tokens", "how long it may be")
	out := flags.String("out", "", "write it into this file")
	colorFlag(flags)
	word, err := parseSession(flags, args)
	if err == nil && most.tokens < handover.Smallest {
		err = fmt.Errorf("--tokens is at least %d", handover.Smallest)
	}
	if err != nil {
		return env.usageError("handover", err)
	}
	s, _, chosen := chooseSession(ctx, env, word)
	if chosen != nil {
		return env.chooseFailed(chosen)
	}
	e, err := nativeEngine(env, 1)
	if err != nil {
		return env.fail(err)
	}
	defer e.Close()
	note, err := handover.Write(ctx, s, source.Call(e.Call), most.tokens)
	if err != nil {
		return env.fail(fmt.Errorf("%s: %w", s.Path, err))
	}
	switch {
	case *out != "":
		if err := writeNew(filepath.Join(env.Dir, *out), *out, note.Text); err != nil {
			return env.fail(err)
		}
		if !*asJSON {
			fmt.Fprintf(env.Stderr, "ctx-lsp: %s has a note of %s tokens\n", *out, terminal.Digits(note.Tokens))
			return exitOK
		}
	case !*asJSON:
		_, err := fmt.Fprint(env.Stdout, note.Text)
		if err != nil {
			return env.fail(err)
		}
		return exitOK
	}
	return env.printJSON(handoverAnswer{"ctx.handover/1", note})
}

// writeNew writes a file for its owner alone, because a conversation stands in it; it writes over nothing.
func writeNew(path, name, text string) error {
	if filepath.IsAbs(name) {
		path = name
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already, and is left as it is; name another file", name)
	}
	if err != nil {
		return errors.New(inSentence(name, err))
	}
	_, err = f.WriteString(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
