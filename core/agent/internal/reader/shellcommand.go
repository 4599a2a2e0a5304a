// Copyright The ctx-lsp authors. MIT licence.

package reader

import (
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

const (
	commandWords = 5  // maximum number of words in a command's name
	commandBytes = 80 // maximum number of bytes

	// MaxCommand is the longest command line, in bytes, that is searched for a name.
	MaxCommand = 4 << 10
)

// commanded names a command by its program and the plain words after it. It leaves out anything that may be text or a
// secret: quoted text, the values of flags and variables, and everything after a pipe or a redirection. A command that
// only shows one file is about that file.
func commanded(v json.Value) core.Subject {
	var words []string
	switch v.Kind() {
	case json.String:
		if v.TextLen() == 0 {
			return core.Subject{}
		}
		text := v.Raw()
		if len(text) > MaxCommand {
			text = text[1:MaxCommand] // the name is at the beginning
			words = ShellWords(string(text))
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

// NameCommand names a command that is split into words.
func NameCommand(words []string) core.Subject {
	words = past(words)
	if len(words) == 0 {
		return core.Subject{}
	}
	program := words[0]
	for i := len(program) - 1; i > 0; i-- {
		if program[i-1] == '/' || program[i-1] == '\\' {
			program = program[i:]
			break
		}
	}
	if !IsName(program) {
		return core.Subject{}
	}
	if path, ok := shownFile(program, words[1:]); ok {
		return core.Subject{What: core.OfFile, Holder: program, Name: path}
	}
	name, n, flag, text := program, 1, false, beginsWithText(program)
	for _, w := range words[1:] {
		if n >= commandWords || len(name)+1+len(w) > commandBytes || isJoint(w) {
			break
		}
		value := flag
		if flag = strings.HasPrefix(w, "-"); flag {
			continue
		}
		if text {
			text = false
			continue
		}
		if program == "echo" || program == "printf" || !isPlain(w) || value && !strings.Contains(w, "/") {
			continue // a text, or the value of a flag, which may be anything
		}
		if strings.Contains(w, "://") {
			w = address(w)
		}
		name += " " + w
		n++
	}
	return core.Subject{What: core.OfCommand, Name: name}
}

// beginsWithText reports whether a program's first argument is a text to search for or to replace.
func beginsWithText(program string) bool {
	switch program {
	case "grep", "egrep", "fgrep", "rg", "ag", "ack", "sed", "awk", "jq", "perl", "findstr", "Select-String":
		return true
	}
	return false
}

// past skips the words before the command that matters: variables, a change of directory, and a shell or another
// program that runs it.
func past(words []string) []string {
	for range 8 {
		for len(words) > 0 && isAssignment(words[0]) {
			words = words[1:]
		}
		if len(words) == 0 {
			return nil
		}
		switch word := words[0]; {
		case word == "cd" || word == "pushd" || word == "export" || word == "set" || word == "source":
			i := 1
			for i < len(words) && !isJoint(words[i]) {
				i++
			}
			if i+1 >= len(words) {
				return words // nothing follows it
			}
			words = words[i+1:]
		case isShell(word) && len(words) > 2 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c"):
			words = ShellWords(unquoted(words[2]))
		case word == "sudo" || word == "env" || word == "time" || word == "nohup" || word == "exec" || word == "command" || word == "npx" && len(words) > 1 && words[1] == "--yes":
			words = words[1:]
			for len(words) > 0 && strings.HasPrefix(words[0], "-") {
				words = words[1:]
			}
		case word == "timeout" && len(words) > 2:
			words = words[1:]
			for len(words) > 1 && strings.HasPrefix(words[0], "-") {
				words = words[1:]
			}
			words = words[1:]
		case word == "for" || word == "while" || word == "if" || word == "until":
			i := slices.IndexFunc(words, func(w string) bool { return w == "do" || w == "then" })
			if i < 0 || i+1 >= len(words) {
				return words[:1]
			}
			words = words[i+1:]
		case isJoint(word):
			words = words[1:]
		default:
			return words
		}
	}
	return words
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

// isPlain reports whether a word may appear in a name, because it is neither text nor a secret.
func isPlain(word string) bool {
	if word == "" {
		return false
	}
	element := 0
	for i := 0; i < len(word); i++ {
		c := word[i]
		if element++; c == '/' {
			element = 0
		}
		if element > 40 || element == len(word) && element > 32 {
			return false // a key, not a name
		}
		if c|0x20-'a' < 26 || c-'0' < 10 || c >= 0x80 || strings.IndexByte("_-./:+,~^*[]{}\\", c) >= 0 {
			continue
		}
		if strings.Contains(word, "://") {
			return true // only a part of an address is shown
		}
		return false
	}
	return true
}

// shownFile returns the file that a command shows; ok is false if the command does anything else.
func shownFile(program string, words []string) (path string, ok bool) {
	switch program {
	case "cat", "head", "tail", "nl", "bat", "less", "more", "sed", "type", "Get-Content", "gc":
	default:
		return "", false
	}
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
		case path != "" || strings.ContainsAny(w, "*?$"):
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
			for i++; i < len(line) && line[i] != c; i++ {
				if c == '"' && line[i] == '\\' && i+1 < len(line) {
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
