// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/textfiles"
)

// handoverAnswer is the output of --json.
type handoverAnswer struct {
	Schema string `json:"schema"` // ctx.handover/1
	*api.HandoverAnswer
}

func handoverCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "handover [SESSION | FILE]",
		Short: "write a handover note: goal, to-dos, files, failures, last words",
		Example: `  ctx-lsp handover                        the current session of this workspace
  ctx-lsp handover 0197f1c2 --tokens=800  a shorter one
  ctx-lsp handover --out notes.md         into a new file
  ctx-lsp handover | claude               as the first prompt of another session
  ctx-lsp handover --json                 with its sources; schema ctx.handover/1`,
		Long: `The note is written from the transcript, without a model: the first and the last request, open entries of the agent's own
list, changed files, failing commands and the agent's last words. Tokens are counted for the session's model. Parts that
are too long lose their middle. Values that look like keys, tokens or passwords are removed, and the note says how many;
control characters are made visible.`,
		ValidArgsFunction: env.completeSessions,
	}
	flags := c.Flags()
	most := tokensFlag{tokens: conversation.UsualHandover}
	flags.Var(&most, "tokens", "limit the note to `N` tokens, at least 150")
	out := flags.String("out", "", "write to this `FILE`, which must not exist yet")
	unredacted := unredactedFlag(flags)
	asJSON := jsonFlag(flags, "print JSON")
	colorFlag(flags)
	c.RunE = does(func(ctx context.Context, args []string) int {
		word, err := oneSession(args)
		if err == nil && most.tokens < conversation.SmallestHandover {
			err = fmt.Errorf("--tokens must be at least %d", conversation.SmallestHandover)
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
		bar := newProgress(env, "handover", s.Size)
		note, err := conversation.Handover(ctx, s, client.Call(e.Call), most.tokens, *unredacted, bar.reach)
		bar.clear()
		if err != nil {
			return env.fail(fmt.Errorf("%s: %w", s.Path, err))
		}
		switch {
		case *out != "":
			if err := writeNew(filepath.Join(env.Dir, *out), *out, note.Text); err != nil {
				return env.fail(err)
			}
			if !*asJSON {
				env.errorf("wrote %s (%s tokens)", *out, terminal.Digits(note.Tokens))
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
	})
	return c
}

// writeNew writes a new file that only its owner can read, because it contains a conversation. It overwrites nothing.
func writeNew(path, name, text string) error {
	if filepath.IsAbs(name) {
		path = name
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s already exists and was not changed; name another file", name)
	}
	if err != nil {
		return errors.New(textfiles.Sentence(name, err))
	}
	_, err = f.WriteString(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
