// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

func init() {
	register(command{
		name:    "context",
		summary: "the picture of a session's window: a grid by kind, what has a name below",
		usage: `  ctx-lsp context                       the session in front in this workspace
  ctx-lsp context 0197f1c2              a session by its id, or the beginning of it
  ctx-lsp context transcript.jsonl      a transcript, whatever its name and place
  ctx-lsp context --top=30              more of the largest things of the conversation
  ctx-lsp context --json                the same as JSON, schema ctx.context/1

Each cell of the grid is a hundredth of the window. Names are those of files, commands, servers and tools; what was
said is never shown.

Flags:
  --top=N                how many of the largest things are listed (10)
  --hide-paths           show of the paths of files no more than the last element
  --plain                ASCII and no colour
  --color=auto|always|never

Exit codes: 0 done, 1 error, 2 usage.
`,
		run: runContext,
	})
}

func runContext(ctx context.Context, env *environment, args []string) int {
	fs := newFlags("context")
	asJSON := fs.Bool("json", false, "print JSON")
	top := fs.Int("top", 10, "how many of the largest things")
	hide := fs.Bool("hide-paths", false, "show only the last element of paths")
	look := lookFlags(fs)
	word, err := parseSession(fs, args)
	switch {
	case err != nil:
	case *top < 0 || *top > 1000:
		err = errors.New("--top is from 0 to 1000")
	}
	if err != nil {
		return env.usageError("context", err)
	}
	picture, failed := contextOf(ctx, env, word, *top, *hide)
	if failed != exitOK {
		return failed
	}
	if *asJSON {
		return env.printJSON(picture)
	}
	if err := terminal.Context(env.Stdout, picture, look.style(env)); err != nil {
		return env.fail(err)
	}
	return exitOK
}

// contextOf reads a session and makes its picture. If something fails, it
// prints the error and returns an exit code.
func contextOf(ctx context.Context, env *environment, word string, top int, hidePaths bool) (*terminal.Picture, int) {
	e, err := nativeEngine(env, 1)
	if err != nil {
		return nil, env.fail(err)
	}
	defer e.Close()
	s, children, err := chooseSession(ctx, env, word)
	if err != nil {
		return nil, env.chooseFailed(err)
	}
	env.hidePaths = env.hidePaths || hidePaths
	reading, err := readSession(ctx, env, e, s, children)
	if err != nil {
		return nil, env.fail(err)
	}
	r, err := terminal.Parse(reading)
	if err != nil {
		return nil, env.fail(err)
	}
	params := idParams(r.Session)
	answer, err := result(e.Call(ctx, "ctx/session/items", append(params[:len(params)-1], fmt.Sprintf(`,"top":%d}`, top)...)))
	if err != nil {
		return nil, env.fail(err)
	}
	var items api.ItemsAnswer
	if err := json.Unmarshal(answer, &items); err != nil {
		return nil, env.fail(err)
	}
	picture := terminal.NewPicture(r, items.Items)
	if e, ok := agent.Find(r.Agent); ok {
		picture.AgentName = e.Name
	}
	return picture, exitOK
}
