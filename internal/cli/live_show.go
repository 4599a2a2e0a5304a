// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/ctx-lsp/ctx-lsp/internal/top"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// show returns the command that shows something about a session in the user's pager, in place of the screen.
func (l *live) show(ctx context.Context, what top.Shown, session, argument string) tea.Cmd {
	note := func(text string) tea.Cmd { return func() tea.Msg { return top.Noted(text) } }
	pager := pagerOf(l.env.Getenv)
	if pager == nil {
		return note("no pager was found; set PAGER")
	}
	page := func(text []byte, more ...string) tea.Cmd {
		command := exec.CommandContext(ctx, pager[0], append(slices.Clone(pager[1:]), more...)...)
		if command.Env = l.env.variables(); text != nil {
			command.Stdin = bytes.NewReader(text)
		}
		return tea.ExecProcess(command, func(err error) tea.Msg {
			if err != nil {
				return top.Noted(pager[0] + ": " + err.Error())
			}
			return nil
		})
	}
	if what == top.Transcript {
		for _, s := range l.follower.Sessions() {
			if s.ID == session && slices.Contains([]transcript.Form{transcript.Lines, transcript.WithSidecars, transcript.Document}, s.Form) {
				return page(nil, s.Path)
			}
		}
		return note("its agent keeps no transcript that a pager can show")
	}
	arguments := []string{"handover", session}
	if what == top.Fits {
		arguments = []string{"fits", "--session=" + session, "--", argument}
	}
	return func() tea.Msg {
		self, err := os.Executable()
		if err != nil {
			return top.Noted(err.Error())
		}
		command := exec.CommandContext(ctx, self, arguments...)
		command.Dir, command.Env = l.env.Dir, l.env.variables()
		var problems bytes.Buffer
		command.Stderr = &problems
		text, err := command.Output()
		if len(text) == 0 {
			problem, _, _ := strings.Cut(problems.String(), "\n")
			if problem == "" && err != nil {
				problem = err.Error()
			}
			return top.Noted(strings.TrimPrefix(problem, "ctx-lsp: "))
		}
		return top.Then(page(text))
	}
}

// pagerOf returns the command of the user's pager, or nil.
func pagerOf(getenv func(string) string) []string {
	for _, name := range []string{getenv("PAGER"), "less -R", "more"} {
		words := strings.Fields(name)
		if len(words) == 0 {
			continue
		}
		if path, err := exec.LookPath(words[0]); err == nil {
			return append([]string{path}, words[1:]...)
		}
	}
	return nil
}
