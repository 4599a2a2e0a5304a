// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func completionCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "print a script that completes commands, flags and sessions in a shell",
		Example: `  source <(ctx-lsp completion bash)
  ctx-lsp completion zsh > "${fpath[1]}/_ctx-lsp"
  ctx-lsp completion fish > ~/.config/fish/completions/ctx-lsp.fish
  ctx-lsp completion powershell | Out-String | Invoke-Expression`,
		ValidArgsFunction: completeWords(shells),
	}
	fs := c.Flags()
	jsonFlag(fs, "accepted and ignored: a script is not JSON")
	colorFlag(fs)
	c.RunE = does(func(ctx context.Context, args []string) int {
		if len(args) != 1 {
			return env.usageError("completion", errors.New("expected a shell: "+strings.Join(shells, ", ")))
		}
		root := env.root(entries())
		var err error
		switch args[0] {
		case "bash":
			err = root.GenBashCompletionV2(env.Stdout, true)
		case "zsh":
			err = root.GenZshCompletion(env.Stdout)
		case "fish":
			err = root.GenFishCompletion(env.Stdout, true)
		case "powershell":
			err = root.GenPowerShellCompletionWithDesc(env.Stdout)
		default:
			return env.usageError("completion", fmt.Errorf("there is no completion for %q; expected one of %s%s",
				args[0], strings.Join(shells, ", "), suggestion(args[0], shells)))
		}
		if err != nil {
			return env.fail(err)
		}
		return exitOK
	})
	return c
}

// completeWords returns a completion of the first argument with the given words.
func completeWords(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// completed is the maximum number of sessions that a completion offers.
const completed = 40

// completeSessions completes an argument with the ids of sessions, newest first.
func (env *environment) completeSessions(c *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	query := sessions.Query{Limit: completed}
	if word != "" {
		query = sessions.Query{ID: word}
	}
	sessions, _, err := sessions.NewFinder(env.host()).Find(c.Context(), query)
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var out []cobra.Completion
	for _, s := range sessions[:min(len(sessions), completed)] {
		name := s.Agent
		if e, known := agent.Find(s.Agent); known {
			name = e.Name
		}
		about := []string{name}
		if s.Workspace != "" {
			about = append(about, s.Workspace)
		}
		about = append(about, terminal.Age(env.Now().Sub(s.Modified))+" ago")
		out = append(out, cobra.CompletionWithDesc(terminal.Sentence(s.ID), terminal.Sentence(strings.Join(about, ", "))))
	}
	return out, cobra.ShellCompDirectiveDefault | cobra.ShellCompDirectiveKeepOrder
}
