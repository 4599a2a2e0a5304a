// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/statusline"
)

// hookExec is the command that a hook runs at a threshold.
type hookExec struct {
	command string
	timeout time.Duration
	at      statusline.Bound
}

// execNow is the hidden flag that runs the command, in a process of its own that nothing waits for.
const execNow = "exec-now"

// check returns an error for flags that cannot be used together.
func (x *hookExec) check(fs *pflag.FlagSet) error {
	given := map[string]bool{}
	fs.Visit(func(f *pflag.Flag) { given[f.Name] = true })
	switch {
	case given["exec"] && x.command == "":
		return errors.New("--exec requires a command")
	case given["exec-timeout"] && !given["exec"]:
		return errors.New("--exec-timeout requires --exec")
	case x.timeout <= 0 || x.timeout > time.Hour:
		return errors.New("--exec-timeout must be greater than 0 and at most 1h")
	case given["at"] && given["from"]:
		return errors.New("--at and --from cannot be used together")
	}
	return nil
}

// key distinguishes the marks of this hook from those of another hook of the same agent.
func (x *hookExec) key() string {
	if x.command == "" && !x.at.IsSet() {
		return ""
	}
	return " " + x.at.String() + " " + x.command
}

// start runs the command in another process. It reports a command that cannot be run, without stopping the agent.
func (x *hookExec) start(env *environment, event *statusline.HookEvent, r *api.Reading, reading []byte) {
	self, err := os.Executable()
	var in *os.File
	if err == nil {
		folder := env.host().StateDir()
		if folder == "" {
			folder = os.TempDir()
		}
		folder = filepath.Join(folder, "hooks")
		if err = os.MkdirAll(folder, 0o700); err == nil {
			in, err = os.CreateTemp(folder, "reading-*")
		}
	}
	if err == nil {
		defer in.Close()
		defer os.Remove(in.Name()) // its reader has it open; elsewhere it goes with the old marks
		if _, err = in.Write(append(reading, '\n')); err == nil {
			_, err = in.Seek(0, io.SeekStart)
		}
	}
	if err == nil {
		again := exec.Command(self, "hook", "--"+execNow, "--", x.timeout.String(), x.command)
		again.Stdin, again.Dir = in, env.Dir
		again.Env = env.variables()
		for name, value := range map[string]string{
			"LEVEL": string(r.Compaction.Level), "PERCENT": r.Display.Mark + r.Display.Percent, "USED": r.Display.Used,
			"LIMIT": r.Display.Limit, "LEFT": r.Display.Left, "AGENT": r.Agent, "MODEL": r.Model,
			"SESSION": event.SessionID, "WORKSPACE": r.Workspace, "TRANSCRIPT": event.TranscriptPath,
		} {
			again.Env = append(again.Env, "CTX_"+name+"="+strings.ReplaceAll(value, "\x00", ""))
		}
		err = process.StartDetached(again)
	}
	if err != nil {
		env.errorf("hook: the --exec command cannot be run: %s", plainError(err))
	}
}

// runExecNow runs the command of a hook and ends it when its time is over, with whatever it has started.
func runExecNow(ctx context.Context, env *environment, args []string) int {
	if len(args) != 2 {
		return exitUsage
	}
	timeout, err := time.ParseDuration(args[0])
	if err != nil {
		return exitUsage
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := inShell(ctx, args[1])
	cmd.Stdin, cmd.WaitDelay = env.Stdin, time.Second
	if cmd.Run() != nil {
		return exitError
	}
	return exitOK
}
