// Copyright The ctx-lsp authors. MIT licence.

package reader

import (
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// MaxCommand is the longest command line, in bytes, that is searched for a name.
const MaxCommand = 4 << 10

const (
	maxProgram    = 40 // bytes of a program's name
	maxSubcommand = 24
)

// commanded names a command by its program, and by the subcommand if the program is known to have one. Every other word
// may be text or a secret, and names are saved. A command that only shows one file is about that file.
func commanded(v json.Value) core.Subject {
	var words []string
	switch v.Kind() {
	case json.String:
		if v.TextLen() == 0 {
			return core.Subject{}
		}
		if text := v.Raw(); len(text) > MaxCommand {
			words = ShellWords(unescaped(text[1:MaxCommand])) // the name is at the beginning
		} else {
			words = ShellWords(v.String())
		}
	case json.Array:
		for e := v.Elements(); e.Next() && len(words) < 64; {
			if e.Value.Kind() == json.Object {
				return commanded(first(e.Value, commandParameters[:]))
			}
			if words = append(words, ""); e.Value.TextLen() <= MaxCommand {
				words[len(words)-1] = e.Value.String()
			}
		}
		if v.Len() == 1 && len(words) == 1 {
			words = ShellWords(words[0]) // a list of command lines
		}
	default:
		return core.Subject{}
	}
	return NameCommand(words)
}

// unescaped returns the beginning of a JSON string, up to the first escape by a number, such as \u0020.
func unescaped(raw []byte) string {
	var text []byte
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c == '\\' {
			if i++; i == len(raw) || raw[i] == 'u' {
				break
			}
			switch c = raw[i]; c {
			case 'n':
				c = '\n'
			case 't', 'r', 'b', 'f':
				c = ' '
			}
		}
		text = append(text, c)
	}
	return string(text)
}

// NameCommand names a command that is split into words.
func NameCommand(words []string) core.Subject {
	words = past(words)
	if len(words) == 0 {
		return core.Subject{}
	}
	program := words[0]
	if strings.Contains(program, "://") {
		return core.Subject{}
	}
	for i := len(program) - 1; i > 0; i-- {
		if program[i-1] == '/' || program[i-1] == '\\' {
			program = program[i:]
			break
		}
	}
	if !IsName(program) || len(program) > maxProgram || strings.Contains(program, ":") {
		return core.Subject{}
	}
	if path, ok := shownFile(program, words[1:]); ok {
		return core.Subject{What: core.OfFile, Holder: program, Name: path}
	}
	name := program
	if sub := subcommand(program, words[1:]); sub != "" {
		name += " " + sub
	}
	return core.Subject{What: core.OfCommand, Name: name}
}

// subcommand returns the word after a program if it selects one of the program's functions; "" if it may be anything
// else.
func subcommand(program string, words []string) string {
	if !hasSubcommands(program) {
		return ""
	}
	for program == "git" || program == "go" || program == "make" {
		switch {
		case len(words) > 1 && (words[0] == "-C" || words[0] == "-c" && program == "git"):
			words = words[2:]
			continue
		case len(words) > 0 && words[0] == "--no-pager":
			words = words[1:]
			continue
		}
		break
	}
	if len(words) == 0 || len(words[0]) > maxSubcommand {
		return ""
	}
	for i := 0; i < len(words[0]); i++ {
		if c := words[0][i]; (c < 'a' || c > 'z') && (c != '-' || i == 0) {
			return ""
		}
	}
	return words[0]
}

// hasSubcommands reports whether the first word after a program is the name of a function, a target, a script or a
// package, and never data.
func hasSubcommands(program string) bool {
	switch program {
	case "git", "gh", "glab", "hg", "svn", "jj", // versions
		"go", "cargo", "rustup", "dotnet", "swift", "zig", "mix", "stack", "cabal", "flutter", "dart", "bazel", "mvn", "gradle", "gradlew", "make", "just", "rake", "rails",
		"npm", "npx", "pnpm", "yarn", "bun", "bunx", "deno", "nx", "turbo", "lerna",
		"pip", "pip3", "pipx", "uv", "uvx", "poetry", "pdm", "hatch", "conda", "ruff", "pre-commit", "gem", "bundle", "composer",
		"apt", "apt-get", "dnf", "yum", "brew", "snap", "systemctl", "nix",
		"docker", "docker-compose", "podman", "kubectl", "helm", "minikube", "kind", "skaffold", "vagrant", "terraform", "tofu", "pulumi",
		"aws", "gcloud", "az", "vercel", "netlify", "heroku", "fly", "flyctl", "wrangler", "firebase", "supabase", "prisma",
		"redis-cli", "openssl", "vault", "op", "ctx-lsp":
		return true
	}
	return false
}

// past skips the words before the command that matters: variables, a change of directory, and a shell or another
// program that runs it. It returns nil if these words contain a command themselves, whose words could be taken for the
// program.
func past(words []string) []string {
	for range 8 {
		for len(words) > 0 && isAssignment(words[0]) {
			if mayRun(words[0]) {
				return nil
			}
			words = words[1:]
		}
		if len(words) == 0 {
			return nil
		}
		begin, flagged := words, true
		switch word := words[0]; {
		case word == "cd" || word == "pushd" || word == "export" || word == "set" || word == "source" || word == ".":
			i := 1
			for i < len(words) && (!isJoint(words[i]) || isRedirection(words[i]) || words[i] == "&" && isRedirection(words[i-1])) {
				i++
			}
			if i+1 >= len(words) {
				return words[:1] // nothing follows it
			}
			words = words[i+1:]
		case isShell(word) && len(words) > 2 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c"):
			words, begin = ShellWords(unquoted(words[2])), nil
		case word == "sudo":
			words, flagged = pastFlags(words[1:], "AEHKSbikns")
		case word == "env" || word == "time" || word == "nohup" || word == "exec" || word == "command":
			words, flagged = pastFlags(words[1:], "cilpv0")
		case word == "npx" && len(words) > 1 && (words[1] == "--yes" || words[1] == "-y"):
			words = words[2:]
		case word == "timeout" && len(words) > 2:
			if words, flagged = pastFlags(words[1:], "v"); len(words) > 0 {
				words = words[1:]
			}
		case word == "for" || word == "while" || word == "if" || word == "until":
			i := slices.IndexFunc(words, func(w string) bool { return w == "do" || w == "then" })
			if i < 0 || i+1 >= len(words) {
				return words[:1]
			}
			words = words[i+1:]
		case isRedirection(word):
			words = words[min(2, len(words)):]
		case isJoint(word):
			words = words[1:]
		default:
			return words
		}
		if !flagged {
			return begin[:1]
		}
		if slices.ContainsFunc(begin[:max(len(begin)-len(words), 0)], mayRun) {
			return nil
		}
	}
	return words
}

// pastFlags skips the flags of a program that runs another one. flagged is false if one of them may have a value: its
// letter is not among those without.
func pastFlags(words []string, without string) (rest []string, flagged bool) {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		flag := words[0]
		switch words = words[1:]; {
		case flag == "--":
			return words, true
		case strings.HasPrefix(flag, "--"):
			if !strings.Contains(flag, "=") && flag != "--foreground" && flag != "--preserve-status" {
				return nil, false
			}
		case strings.Trim(flag[1:], without) != "":
			return nil, false
		}
	}
	return words, true
}

// mayRun reports whether a word may contain a command, which ShellWords splits like any other text.
func mayRun(word string) bool {
	return strings.ContainsAny(word, "(`") || strings.Contains(word, "${")
}

func isShell(word string) bool {
	switch word {
	case "bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh", "/usr/bin/bash":
		return true
	}
	return false
}

// isAssignment reports whether a word has the form NAME=value.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(unquoted(word), "=")
	return ok && IsName(name) && !strings.ContainsAny(name, "/.:-")
}

// shownFile returns the file that a command shows; ok is false if the command does anything else.
func shownFile(program string, words []string) (path string, ok bool) {
	switch program {
	case "cat", "head", "tail", "nl", "bat", "less", "more", "sed", "type", "Get-Content", "gc":
	default:
		return "", false
	}
	lines := false // a range was given; anything else before the file is a program of sed
	for _, w := range words {
		switch {
		case isJoint(w):
			if w == "|" || w == "2>" {
				return path, path != "" // a part of the file, or the file with numbers
			}
			return "", false
		case strings.HasPrefix(w, "-"):
			if program == "sed" && strings.HasPrefix(w, "-i") {
				return "", false
			}
		case isRange(unquoted(w)):
			lines = true
		case program == "sed" && !lines || path != "" || strings.ContainsAny(w, "*?$"):
			return "", false
		default:
			path = unquoted(w)
		}
	}
	return path, path != "" && len(path) <= MaxPath
}

// isRange reports whether a word selects lines to show: 20, or 1,80p.
func isRange(word string) bool {
	for i := 0; i < len(word); i++ {
		if c := word[i]; (c < '0' || c > '9') && c != ',' && c != 'p' && c != '$' && c != ';' && c != '+' {
			return false
		}
	}
	return true
}

// isJoint reports whether a word is an operator between two commands, or before a file to write.
func isJoint(word string) bool {
	switch word {
	case "&&", "||", "|", ";", "&", ">", ">>", "<", "<<", "2>", "\n":
		return true
	}
	return false
}

// isRedirection reports whether a word is an operator before a file.
func isRedirection(word string) bool {
	return word == ">" || word == ">>" || word == "<" || word == "2>"
}

// unquoted removes the mark of a quoted word.
func unquoted(word string) string { return strings.TrimPrefix(word, `"`) }

// ShellWords splits a command line roughly like a shell: quoted text is one word, which begins with a quote, and an
// operator between commands is a separate word. It stops at text that follows <<.
func ShellWords(line string) []string {
	var words []string
	word, begun, quoted := []byte(nil), false, false
	end := func() {
		switch {
		case quoted:
			words = append(words, `"`+string(word))
		case begun:
			words = append(words, string(word))
		}
		word, begun, quoted = word[:0], false, false
	}
	for i := 0; i < len(line) && len(words) < 64; i++ {
		switch c := line[i]; c {
		case ' ', '\t', '\r':
			end()
		case '\n', ';', '|', '&', '<', '>':
			digits := c == '>' && begun && string(word) == "2"
			if digits {
				word, begun = word[:0], false
			}
			end()
			joint := string(c)
			if c != '\n' && c != ';' && i+1 < len(line) && line[i+1] == c {
				joint += joint
				i++
			}
			if digits {
				joint = "2>"
			}
			if joint == "<<" {
				return words
			}
			words = append(words, joint)
		case '#':
			if begun {
				word = append(word, c)
				continue
			}
			for i+1 < len(line) && line[i+1] != '\n' {
				i++
			}
		case '\'', '"':
			begun, quoted = true, true
			ansi := i > 0 && line[i-1] == '$'
			for i++; i < len(line) && line[i] != c; i++ {
				if (c == '"' || ansi) && line[i] == '\\' && i+1 < len(line) {
					i++
				}
				word = append(word, line[i])
			}
		case '\\':
			if i+1 < len(line) && line[i+1] != '\n' && (line[i+1] == ' ' || line[i+1] == '\'' || line[i+1] == '"' || line[i+1] == '\\' || line[i+1] == '&' || line[i+1] == '|' || line[i+1] == ';') {
				i++
				word, begun = append(word, line[i]), true
			} else if i+1 < len(line) && line[i+1] == '\n' {
				i++
				end()
			} else {
				word, begun = append(word, c), true
			}
		default:
			word, begun = append(word, c), true
		}
	}
	end()
	return words
}
