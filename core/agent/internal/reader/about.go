// Copyright The ctx-lsp authors. MIT licence.

package reader

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// These parameters name the subject of a tool call, the more reliable ones first. Patterns, questions and descriptions
// are texts, not names.
var (
	fileParameters    = [...]string{"file_path", "filePath", "absolute_path", "notebook_path", "target_file", "path", "dir_path", "relative_path", "filename", "file", "target_directory", "TargetFile", "AbsolutePath", "DirectoryPath"}
	filesParameters   = [...]string{"paths", "files", "file_paths"}
	commandParameters = [...]string{"command", "cmd", "script", "CommandLine", "commands"}
	urlParameters     = [...]string{"url", "uri", "urls", "Url"}
	// searchedParameters are patterns for the paths of files to search.
	searchedParameters = [...]string{"include_pattern", "include", "glob", "file_pattern"}
	agentParameters    = [...]string{"subagent_type", "agent_type", "agent_name", "agent"}
	skillParameters    = [...]string{"skill", "skill_name"}
)

// longestArgument is the length of the longest value that is searched for a name.
const longestArgument = 64 << 10

// About returns the subject of a tool call, from the tool's name and arguments. An argument that is a text may contain
// the arguments, or a patch.
func About(tool string, arguments json.Value) core.Subject {
	if server, name := arguments.Get("server_name"), arguments.Get("tool_name"); HasText(server) && HasText(name) {
		return core.Subject{What: core.OfServer, Holder: Short(server), Name: Short(name)}
	}
	if _, _, ok := core.ServerTool(tool); ok {
		return core.Subject{} // its name is already its subject
	}
	switch arguments.Kind() {
	case json.String:
		return aboutText(tool, arguments)
	case json.Array:
		e := arguments.Elements()
		if e.Next() && e.Value.Kind() == json.Object {
			return About(tool, e.Value)
		}
	case json.Object:
		return aboutObject(tool, arguments)
	}
	return core.Subject{}
}

// aboutText is About for arguments that are one text.
func aboutText(tool string, text json.Value) core.Subject {
	if text.TextLen() > longestArgument && !strings.Contains(tool, "patch") {
		return core.Subject{}
	}
	return aboutBytes(tool, []byte(text.String()))
}

func aboutBytes(tool string, text []byte) core.Subject {
	if strings.Contains(tool, "patch") {
		return patched(string(text))
	}
	if len(text) > 0 && text[0] == '{' && len(text) <= longestArgument {
		if v, err := json.Parse(text); err == nil {
			return aboutObject(tool, v)
		}
	}
	return aboutScript(text)
}

// aboutScript returns the subject of the first command that a script runs: tools.exec_command({cmd: "go test ./..."}).
func aboutScript(text []byte) core.Subject {
	_, rest, ok := strings.Cut(string(text), "exec_command({")
	if !ok {
		return core.Subject{}
	}
	const spaces = " \t\r\n"
	name, rest, ok := strings.Cut(rest, ":")
	rest, quoted := strings.CutPrefix(strings.TrimLeft(rest, spaces), `"`)
	if !ok || !quoted || strings.Trim(name, spaces+`"`) != "cmd" {
		return core.Subject{}
	}
	end := 0
	for end < len(rest) && rest[end] != '"' {
		if rest[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(rest) {
		return core.Subject{}
	}
	v, err := json.Parse([]byte(`"` + rest[:end] + `"`))
	if err != nil {
		return core.Subject{}
	}
	return commanded(v)
}

func aboutObject(tool string, input json.Value) core.Subject {
	if v := first(input, skillParameters[:]); HasText(v) {
		return core.Subject{What: core.OfSkill, Name: Short(v)}
	}
	if tool == "skill" && HasText(input.Get("name")) {
		return core.Subject{What: core.OfSkill, Name: Short(input.Get("name"))}
	}
	if v := first(input, agentParameters[:]); HasText(v) {
		return core.Subject{What: core.OfAgent, Name: Short(v)}
	}
	for _, name := range []string{"patchText", "patch", "input"} {
		if v := input.Get(name); HasText(v) && strings.Contains(tool, "patch") {
			return patched(v.String())
		}
	}
	command, file := first(input, commandParameters[:]), first(input, fileParameters[:])
	if input.Get("is_input").Is("true") {
		return core.Subject{} // the command is typed into a program that runs, such as a password
	}
	if command.Exists() && !(file.Exists() && isEditor(command)) {
		if named := commanded(command); named.What != core.OfNothing {
			return named
		}
	}
	if HasText(file) {
		return AboutFile(file)
	}
	for _, name := range filesParameters {
		if e := input.Get(name).Elements(); e.Next() {
			v := e.Value
			if v.Kind() == json.Object {
				v = first(v, fileParameters[:])
			}
			return AboutFile(v)
		}
	}
	if v := first(input, urlParameters[:]); v.Exists() {
		if e := v.Elements(); e.Next() {
			v = e.Value
		}
		return addressed(v)
	}
	if v := input.Get("pattern"); HasText(v) && strings.EqualFold(tool, "glob") {
		return AboutFile(v) // an array of paths
	}
	if input.Get("pattern").Exists() && searches(tool) {
		// It searches the files that match a pattern, or its whole directory.
		if v := first(input, searchedParameters[:]); HasText(v) {
			return AboutFile(v)
		}
		return core.Subject{What: core.OfFile, Name: "."}
	}
	return core.Subject{}
}

// searches reports whether a tool searches files for a text.
func searches(tool string) bool {
	switch tool {
	case "grep_search", "search_file_content", "Grep", "grep", "grep_code", "codebase_search":
		return true
	}
	return false
}

// first returns the value of the first field that exists.
func first(input json.Value, names []string) json.Value {
	for _, name := range names {
		if v := input.Get(name); v.Exists() && !v.IsNull() {
			return v
		}
	}
	return json.Value{}
}

// isEditor reports whether a command is a verb of a tool that edits files.
func isEditor(command json.Value) bool {
	return command.Is("view") || command.Is("create") || command.Is("str_replace") || command.Is("insert") || command.Is("undo_edit")
}

// AboutFile returns a file as a subject, named by its path.
func AboutFile(path json.Value) core.Subject {
	if !HasText(path) || path.TextLen() > MaxPath {
		return core.Subject{}
	}
	return core.Subject{What: core.OfFile, Name: strings.TrimPrefix(path.String(), "file://")}
}

// addressed returns an address as a subject, without the parts that may be secret: the user, the query, and the path
// from a key on.
func addressed(v json.Value) core.Subject {
	if !HasText(v) || v.TextLen() > MaxPath {
		return core.Subject{}
	}
	s := v.String()
	if path, ok := strings.CutPrefix(s, "file://"); ok {
		return core.Subject{What: core.OfFile, Name: path}
	}
	return core.Subject{What: core.OfURL, Name: address(s)}
}

func address(s string) string {
	if _, rest, ok := strings.Cut(s, "://"); ok {
		s = rest
	}
	for _, end := range []string{"?", "#"} {
		s, _, _ = strings.Cut(s, end)
	}
	host, path, _ := strings.Cut(s, "/")
	if sign := strings.LastIndexByte(host, '@'); sign >= 0 {
		host = host[sign+1:]
	}
	for element := range strings.SplitSeq(strings.TrimRight(path, "/"), "/") {
		if path == "" || likeKey(element) {
			break
		}
		host += "/" + element
	}
	return host
}

// likeKey reports whether an element of a path may be a key, such as that of a webhook, and not a name.
func likeKey(element string) bool {
	digit, upper := false, false
	for i := 0; i < len(element); i++ {
		digit = digit || element[i]-'0' < 10
		upper = upper || element[i]-'A' < 26
	}
	return digit && (len(element) >= 32 || upper && len(element) >= 16)
}

// patched returns the first file that a patch changes, as a subject.
func patched(patch string) core.Subject {
	patch = patch[:min(len(patch), longestArgument)]
	for line := range strings.Lines(patch) {
		for _, start := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "+++ b/"} {
			if path, ok := strings.CutPrefix(line, start); ok {
				if path = strings.TrimSpace(path); path != "" && len(path) <= MaxPath {
					return core.Subject{What: core.OfFile, Name: path}
				}
			}
		}
	}
	return core.Subject{}
}
