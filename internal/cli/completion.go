// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

func init() {
	register(command{
		name:    "completion",
		summary: "a script that completes commands and flags in a shell",
		usage: `  source <(ctx-lsp completion bash)
  ctx-lsp completion zsh > "${fpath[1]}/_ctx-lsp"
  ctx-lsp completion fish > ~/.config/fish/completions/ctx-lsp.fish
  ctx-lsp completion powershell | Out-String | Invoke-Expression
`,
		run: runCompletion,
	})
}

var shells = []string{"bash", "zsh", "fish", "powershell"}

func runCompletion(ctx context.Context, env *environment, args []string) int {
	fs := newFlags("completion")
	fs.Bool("json", false, "accepted; scripts are not JSON")
	colorFlag(fs)
	rest, err := parseFlags(fs, args)
	if err != nil {
		return env.usageError("completion", err)
	}
	if len(rest) != 1 {
		return env.usageError("completion", errors.New("it takes the name of a shell: "+strings.Join(shells, ", ")))
	}
	write, ok := map[string]func(io.Writer){"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion, "powershell": powershellCompletion}[rest[0]]
	if !ok {
		return env.usageError("completion", fmt.Errorf("there is no completion for %q (there is one for %s)%s", rest[0], strings.Join(shells, ", "), suggestion(rest[0], shells)))
	}
	write(env.Stdout)
	return exitOK
}

var flagInUsage = regexp.MustCompile(`--[a-z][a-z-]*`)

// commandFlags lists the flags that a command's help names, and those that every command has.
func commandFlags(c command) []string {
	flags := flagInUsage.FindAllString(c.usage, -1)
	flags = append(flags, "--json", "--color", "--help")
	slices.Sort(flags)
	return slices.Compact(flags)
}

// commandWords lists the words that may follow a command, where they are few.
func commandWords(c command) []string {
	switch c.name {
	case "help":
		return commandNames()
	case "completion":
		return shells
	case "call":
		return api.MethodNames()
	}
	return nil
}

func bashCompletion(w io.Writer) {
	fmt.Fprintf(w, "_ctx_lsp() {\n  local word=${COMP_WORDS[COMP_CWORD]} words=\n  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words='%s'\n  else\n    case ${COMP_WORDS[1]} in\n",
		strings.Join(commandNames(), " "))
	for _, c := range commands {
		if !c.hidden {
			ids := ""
			if takesSession(c) {
				ids = `; [[ $word == -* ]] || words+=" $(ctx-lsp complete session "$word" 2>/dev/null | cut -f1)"`
			}
			fmt.Fprintf(w, "      %s) words='%s'%s ;;\n", c.name, strings.Join(append(commandWords(c), commandFlags(c)...), " "), ids)
		}
	}
	fmt.Fprint(w, "    esac\n  fi\n  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n}\ncomplete -o default -F _ctx_lsp ctx-lsp\n")
}

func zshCompletion(w io.Writer) {
	fmt.Fprint(w, "#compdef ctx-lsp\n_ctx_lsp() {\n  if (( CURRENT == 2 )); then\n    local -a names=(\n")
	for _, c := range commands {
		if !c.hidden {
			fmt.Fprintf(w, "      '%s:%s'\n", c.name, strings.ReplaceAll(c.summary, "'", `'\''`))
		}
	}
	fmt.Fprint(w, "    )\n    _describe command names\n    return\n  fi\n  case ${words[2]} in\n")
	for _, c := range commands {
		if !c.hidden {
			ids := ""
			if takesSession(c) {
				ids = `local -a ids; ids=(${(f)"$(ctx-lsp complete session "$PREFIX" 2>/dev/null | sed 's/:/\\:/g; s/\t/:/')"}); _describe session ids; `
			}
			fmt.Fprintf(w, "    %s) %scompadd -- %s; _files ;;\n", c.name, ids, strings.Join(append(commandWords(c), commandFlags(c)...), " "))
		}
	}
	fmt.Fprint(w, "  esac\n}\nif [ \"$funcstack[1]\" = _ctx-lsp ]; then _ctx_lsp; else compdef _ctx_lsp ctx-lsp; fi\n")
}

func fishCompletion(w io.Writer) {
	for _, c := range commands {
		if c.hidden {
			continue
		}
		fmt.Fprintf(w, "complete -c ctx-lsp -n __fish_use_subcommand -f -a %s -d '%s'\n", c.name, strings.ReplaceAll(c.summary, "'", `\'`))
		for _, flag := range commandFlags(c) {
			fmt.Fprintf(w, "complete -c ctx-lsp -n '__fish_seen_subcommand_from %s' -l %s\n", c.name, strings.TrimPrefix(flag, "--"))
		}
		if takesSession(c) {
			fmt.Fprintf(w, "complete -c ctx-lsp -n '__fish_seen_subcommand_from %s' -a '(ctx-lsp complete session (commandline -ct) 2>/dev/null)'\n", c.name)
		}
		if words := commandWords(c); len(words) > 0 {
			fmt.Fprintf(w, "complete -c ctx-lsp -n '__fish_seen_subcommand_from %s' -f -a '%s'\n", c.name, strings.Join(words, " "))
		}
	}
}

func powershellCompletion(w io.Writer) {
	fmt.Fprint(w, "Register-ArgumentCompleter -Native -CommandName ctx-lsp -ScriptBlock {\n  param($word, $line, $position)\n  $words = @{\n")
	var withSession []string
	for _, c := range commands {
		if c.hidden {
			continue
		}
		fmt.Fprintf(w, "    '%s' = '%s'\n", c.name, strings.Join(append(commandWords(c), commandFlags(c)...), " "))
		if takesSession(c) {
			withSession = append(withSession, "'"+c.name+"'")
		}
	}
	fmt.Fprintf(w, `  }
  $typed = @($line.CommandElements | ForEach-Object { $_.ToString() })
  if ($typed.Count -gt 2 -or ($typed.Count -eq 2 -and $word -eq '')) { $command = $typed[1]; $known = $words[$command] } else { $command = ''; $known = '%s' }
  "$known".Split(' ') | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
  if ($command -in %s -and $word -notlike '-*') {
    ctx-lsp complete session $word 2>$null | ForEach-Object {
      $id, $about = $_ -split "`+"`t"+`", 2
      [System.Management.Automation.CompletionResult]::new($id, $id, 'ParameterValue', $about)
    }
  }
}
`, strings.Join(commandNames(), " "), strings.Join(withSession, ", "))
}
