// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
)

// A simple command is its words, without redirections. writes is the file that > or >> names.
type simple struct {
	words   []string
	writes  string
	appends bool
	input   string // the body of a here-document
	hasBody bool
}

// A pipeline is commands joined by |. after is the operator before it.
type pipeline []simple

// parse splits a command line into pipelines. ok is false if it contains loops, conditions, substitutions or
// sub-shells, whose output cannot be predicted.
func parse(command string) (list []pipeline, ok bool) {
	p := &parser{rest: command}
	for {
		stage, more, ok := p.simple()
		if !ok {
			return nil, false
		}
		if len(stage.words) > 0 || stage.writes != "" {
			p.current = append(p.current, stage)
		}
		if more != "|" && len(p.current) > 0 {
			p.list = append(p.list, p.current)
			p.current = nil
		}
		if more == "" {
			break
		}
	}
	for _, pipe := range p.list {
		if reserved[firstWord(pipe)] {
			return nil, false
		}
	}
	return p.list, true
}

func firstWord(p pipeline) string {
	if len(p) == 0 || len(p[0].words) == 0 {
		return ""
	}
	return p[0].words[0]
}

var reserved = map[string]bool{"for": true, "while": true, "if": true, "case": true, "until": true, "function": true, "do": true, "then": true, "{": true, "[[": true, "eval": true, "source": true, ".": true}

type parser struct {
	rest    string
	list    []pipeline
	current pipeline
}

// simple reads one command and the operator after it: "|", ";" for any other one, "" at the end.
func (p *parser) simple() (c simple, more string, ok bool) {
	var bodies []string // delimiters of here-documents that follow the line
	for {
		p.rest = strings.TrimLeft(p.rest, " \t\r")
		if p.rest == "" {
			return c, "", true
		}
		switch p.rest[0] {
		case '\n':
			p.rest = p.rest[1:]
			for _, word := range bodies {
				c.input, c.hasBody = p.body(word), true
			}
			return c, ";", true
		case ';':
			p.rest = p.rest[1:]
			return c, ";", true
		case '#':
			end := strings.IndexByte(p.rest, '\n')
			if end < 0 {
				end = len(p.rest)
			}
			p.rest = p.rest[end:]
			continue
		case '|':
			if strings.HasPrefix(p.rest, "||") {
				p.rest = p.rest[2:]
				return c, ";", true
			}
			p.rest = strings.TrimPrefix(p.rest[1:], "&")
			return c, "|", true
		case '&':
			if strings.HasPrefix(p.rest, "&&") {
				p.rest = p.rest[2:]
				if len(bodies) > 0 { // the rest of the line comes before the document
					return c, "", false
				}
				return c, ";", true
			}
			if !strings.HasPrefix(p.rest, "&>") {
				return c, "", false
			}
			p.rest = p.rest[1:]
			continue
		case '(', ')', '`', '{':
			return c, "", false
		}
		if m := redirection().FindStringSubmatch(p.rest); m != nil {
			p.rest = p.rest[len(m[0]):]
			if strings.HasPrefix(m[2], "<<<") {
				return c, "", false
			}
			if strings.HasSuffix(m[0], "&1") || strings.HasSuffix(m[0], "&2") {
				continue
			}
			p.rest = strings.TrimLeft(p.rest, " \t")
			word, ok := p.word()
			switch {
			case !ok:
				return c, "", false
			case strings.HasPrefix(m[2], "<<"):
				bodies = append(bodies, word)
			case m[2] == "<":
				c.words = append(c.words, word)
			case m[1] != "2" && word != "/dev/null":
				c.writes, c.appends = word, m[2] == ">>"
			case word == "/dev/null" && m[1] != "2":
				c.writes = word
			}
			continue
		}
		word, ok := p.word()
		if !ok {
			return c, "", false
		}
		c.words = append(c.words, word)
	}
}

var redirection = onFirstUse(`^(\d?)(<<<|<<-?|>>|>\||>|<)(&[12])?`)

// body cuts a here-document off the rest.
func (p *parser) body(word string) string {
	from := 0
	for line := range strings.Lines(p.rest) {
		if strings.TrimSpace(line) == word {
			text := p.rest[:from]
			p.rest = p.rest[from+len(line):]
			return text
		}
		from += len(line)
	}
	text := p.rest
	p.rest = ""
	return text
}

// word reads one word, with its quotes removed. ok is false if the shell would substitute something in it.
func (p *parser) word() (string, bool) {
	var word strings.Builder
	for i := 0; i < len(p.rest); i++ {
		switch c := p.rest[i]; c {
		case ' ', '\t', '\n', ';', '|', '&', '<', '>', '(', ')':
			p.rest = p.rest[i:]
			return word.String(), true
		case '\'':
			end := strings.IndexByte(p.rest[i+1:], '\'')
			if end < 0 {
				return "", false
			}
			word.WriteString(p.rest[i+1 : i+1+end])
			i += end + 1
		case '"':
			for i++; i < len(p.rest) && p.rest[i] != '"'; i++ {
				switch {
				case p.rest[i] == '\\' && i+1 < len(p.rest) && strings.IndexByte("\"\\$`", p.rest[i+1]) >= 0:
					i++
				case p.rest[i] == '`', p.rest[i] == '$' && i+1 < len(p.rest) && p.rest[i+1] != ' ' && p.rest[i+1] != '"' && p.rest[i+1] != '|':
					return "", false
				}
				word.WriteByte(p.rest[i])
			}
			if i >= len(p.rest) {
				return "", false
			}
		case '\\':
			if i++; i < len(p.rest) && p.rest[i] != '\n' {
				word.WriteByte(p.rest[i])
			}
		case '$', '`':
			return "", false
		default:
			word.WriteByte(c)
		}
	}
	p.rest = ""
	return word.String(), true
}

// inScript matches the command in a call of Codex' code mode.
var inScript = onFirstUse(`\bcmd:\s*("(?:[^"\\]|\\.)*")`)

// commandOf returns the command line that a call runs, "" if it runs none.
func commandOf(call *conversation.Item) string {
	if command := call.Command(); command != "" {
		return command
	}
	if strings.Contains(call.Text, "exec_command(") {
		if all := inScript().FindAllStringSubmatch(call.Text, 2); len(all) == 1 {
			if command, err := strconv.Unquote(all[0][1]); err == nil {
				return command
			}
		}
	}
	return ""
}

// frames are lines before and after a command's output in which agents report how it ended.
var (
	outputBegins = onFirstUse(`(?m)^(?:Output|Stdout): ?\n?`)
	outputEnds   = onFirstUse(`(?m)\n(?:Error: |Stderr: |Exit Code: |Signal: |Background PIDs: |Process Group PGID: |<exited with exit code |<shellId: |</?bash_metadata>|</untrusted_context>|</output>)[^\n]*(?:\n[^\n]*)*\z`)
	headLines    = onFirstUse(`^(?:Exit code:? -?\d+\n|Wall time: [\d.]+ seconds\n|Warning: truncated output[^\n]*\n|Total output lines: \d+\n\n?)+`)
)

// body returns a command's output without the lines that the agent wrote around it.
func body(text string) string {
	if output, ok := fenced(text); ok {
		return output
	}
	head := text[:min(len(text), 500)]
	for _, first := range []string{"Chunk ID: ", "Wall time", "Command: ", "Script completed", "Exit code: ", "Output:", "<output>", "<untrusted_context>"} {
		if strings.HasPrefix(head, first) {
			if m := outputBegins().FindStringIndex(head); m != nil {
				text = text[m[1]:]
			}
			break
		}
	}
	text = headLines().ReplaceAllString(text, "")
	if tail := max(0, len(text)-600); strings.Contains(text[tail:], ": ") || strings.Contains(text[tail:], "<") {
		if m := outputEnds().FindStringIndex(text[tail:]); m != nil {
			text = text[:tail+m[0]]
		}
	}
	return text
}

// fenced returns the output in the message of gptme about a command; false for other texts.
func fenced(text string) (string, bool) {
	if !strings.HasPrefix(text, "Ran ") {
		return "", false
	}
	_, output, ok := strings.Cut(text, "`\n\n```stdout\n")
	if !ok {
		return "", false
	}
	if before, _, errors := strings.Cut(output, "\n```\n\n```stderr\n"); errors {
		return before, true
	}
	if end := strings.LastIndex(output, "\n```\n"); end >= 0 {
		output = output[:end]
	}
	return output, true
}

// elided matches the words that agents put in the place of the middle of a long output.
var elided = onFirstUse(`…\s?\d+ (?:tokens|chars|lines|characters) truncated\s?…|\n?\.{3} ?\[[^\]\n]*(?:truncated|omitted)[^\]\n]*\] ?\.{0,3}|\[\.{3} ?[^\]\n]*(?:truncated|omitted)[^\]\n]*\]`)

// parts splits an output where an agent cut it. Lines that were cut in two are left out.
func parts(output string) (head, tail string, cut bool) {
	m := elided().FindStringIndex(output)
	if m == nil {
		return output, "", false
	}
	head, tail = output[:m[0]], output[m[1]:]
	if last := elided().FindAllStringIndex(tail, -1); len(last) > 0 {
		tail = tail[last[len(last)-1][1]:]
	}
	head = head[:strings.LastIndexByte(head, '\n')+1]
	if at := strings.IndexByte(tail, '\n'); at >= 0 {
		tail = tail[at+1:]
	} else {
		tail = ""
	}
	return head, tail, true
}

// onFirstUse compiles an expression when it is needed, so that other commands do not wait for it.
func onFirstUse(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
