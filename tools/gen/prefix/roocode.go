// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// Roo Code is published as an extension of an editor and not at npm, so its sources are read from a clone of its
// repository that the user names. Its prompt is built here like in Roo Code's mode "code", without servers, skills or
// the user's own instructions.

// sources is one commit in a clone of a repository.
type sources struct{ clone, commit string }

func (s *sources) file(path string) (string, error) {
	out, err := exec.Command("git", "-C", s.clone, "show", s.commit+":"+path).Output()
	if err != nil {
		return "", fmt.Errorf("%s has no %s at %s: %w", s.clone, path, s.commit, err)
	}
	return string(out), nil
}

// list returns the names of the TypeScript files in a directory.
func (s *sources) list(folder string) (names []string, err error) {
	out, err := exec.Command("git", "-C", s.clone, "ls-tree", "--name-only", s.commit, folder+"/").Output()
	if err != nil {
		return nil, fmt.Errorf("%s has no folder %s at %s: %w", s.clone, folder, s.commit, err)
	}
	for _, name := range strings.Fields(string(out)) {
		if strings.HasSuffix(name, ".ts") {
			names = append(names, name)
		}
	}
	return names, nil
}

const (
	rooPrompts = "src/core/prompts"
	rooTools   = rooPrompts + "/tools/native-tools"
	rooMode    = "code"
)

// readRooCode returns what Roo Code sends to a family of models.
func readRooCode(s *sources, f family) (q request, err error) {
	if q.system, err = rooSystem(s); err != nil {
		return q, err
	}
	left, err := rooLeftOut(s, f)
	if err != nil {
		return q, err
	}
	files, err := s.list(rooTools)
	if err != nil {
		return q, err
	}
	for _, file := range files {
		t, err := rooTool(s, file)
		if err != nil {
			return q, err
		}
		if t.Name != "" && !slices.Contains(left, t.Name) {
			q.tools = append(q.tools, t)
		}
	}
	if len(q.tools) == 0 {
		return q, errors.New("no file of " + rooTools + " defines a tool")
	}
	return q, nil
}

// rooLeftOut returns the tools that are not offered to a family: those of settings that are off by default, those that
// only some models have, and those that the family's own tools replace.
func rooLeftOut(s *sources, f family) ([]string, error) {
	const file = "src/shared/tools.ts"
	source, err := s.file(file)
	if err != nil {
		return nil, err
	}
	script := script{values: map[string]value{}}
	if err := script.load(source); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	groups, _ := script.values["TOOL_GROUPS"].(*object)
	if groups == nil {
		return nil, errors.New(file + " has no TOOL_GROUPS")
	}
	off := []string{"codebase_search", "generate_image", "run_slash_command", "access_mcp_resource"}
	for _, name := range groups.keys {
		group, _ := groups.values[name].(*object)
		if group == nil {
			continue
		}
		some, _ := group.values["customTools"].([]value)
		for _, tool := range some {
			off = append(off, text(tool))
		}
	}
	if f.asTypes() {
		off = slices.DeleteFunc(off, func(name string) bool { return name == "apply_patch" })
		off = append(off, "apply_diff", "write_to_file")
	}
	return off, nil
}

// rooSystem builds the system prompt.
func rooSystem(s *sources) (string, error) {
	script := script{values: map[string]value{}}
	sections, err := s.list(rooPrompts + "/sections")
	if err != nil {
		return "", err
	}
	for _, file := range append(sections, "packages/types/src/mode.ts", rooPrompts+"/system.ts") {
		source, err := s.file(file)
		if err != nil {
			return "", err
		}
		if err := script.load(source); err != nil {
			return "", fmt.Errorf("%s: %w", file, err)
		}
	}
	modes, _ := script.values["DEFAULT_MODES"].([]value)
	listed, role := []string{}, ""
	for _, each := range modes {
		mode, ok := each.(*object)
		if !ok {
			continue
		}
		if text(mode.values["slug"]) == rooMode {
			role = text(mode.values["roleDefinition"])
		}
		listed = append(listed, fmt.Sprintf("  * %q mode (%s) - %s", text(mode.values["name"]), text(mode.values["slug"]), text(mode.values["whenToUse"])))
	}
	if role == "" {
		return "", errors.New("packages/types/src/mode.ts has no mode " + rooMode)
	}
	evaluate := func(f value, args ...value) (value, error) {
		known, ok := f.(*function)
		if !ok {
			return nil, errors.New("a function of " + rooPrompts + "/sections is missing")
		}
		p := parser{script: &script, scope: script.values}
		return p.call(known, args)
	}
	// Values from the machine, the editor or the user are set to those of a typical machine.
	script.values["osName"], script.values["getShell"] = constant("Linux 6.12"), constant("/bin/bash")
	script.values["roleDefinition"], script.values["skillsSection"] = role, ""
	head, err := evaluate(script.values["getModesSection"])
	if err != nil {
		return "", err
	}
	script.values["modesSection"] = text(head) + strings.Join(listed, "\n")
	if script.values["addCustomInstructions"], err = rooInstructions(s, &script, evaluate); err != nil {
		return "", err
	}
	prompt, ok := script.values["generatePrompt"].(*function)
	if !ok {
		return "", errors.New(rooPrompts + "/system.ts has no function generatePrompt")
	}
	// The earlier statements would read the user's settings for values that are known here.
	_, body, ok := strings.Cut(prompt.body, "const basePrompt")
	if !ok {
		return "", errors.New(rooPrompts + "/system.ts has no basePrompt")
	}
	v, err := evaluate(&function{params: []string{"cwd"}, body: "const basePrompt" + body}, "/home/user/project")
	if err != nil {
		return "", fmt.Errorf("%s/system.ts: %w", rooPrompts, err)
	}
	for _, part := range []string{role, "TOOL USE", "CAPABILITIES", "MODES", "RULES", "SYSTEM INFORMATION", "OBJECTIVE"} {
		if !strings.Contains(text(v), part) {
			return "", fmt.Errorf("the system prompt that was read has no part %q", part)
		}
	}
	return text(v), nil
}

// rooInstructions returns the function that writes the instructions at the end. Without a user's settings they contain
// only the language.
func rooInstructions(s *sources, script *script, evaluate func(value, ...value) (value, error)) (*function, error) {
	const file = rooPrompts + "/sections/custom-instructions.ts"
	source, err := s.file(file)
	if err != nil {
		return nil, err
	}
	_, behind, language := strings.Cut(source, "`Language Preference:")
	_, last, ending := strings.Cut(source, "return joinedSections")
	if !language || !ending {
		return nil, errors.New(file + " is not written as it was")
	}
	p := parser{script: script, source: "`Language Preference:" + behind, scope: map[string]value{
		"languageName": "English", "options": &object{values: map[string]value{"language": "en"}},
	}}
	line, err := p.template()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	v, err := evaluate(&function{params: []string{"joinedSections"}, body: "joinedSections" + last, plain: true}, line)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return constant(text(v)), nil
}

// rooTool reads the definition in a file; the name is empty if the file has none.
func rooTool(s *sources, file string) (t tool, err error) {
	source, err := s.file(file)
	if err != nil {
		return t, err
	}
	script := script{values: map[string]value{}}
	if err := script.load(source); err != nil {
		return t, fmt.Errorf("%s: %w", file, err)
	}
	for _, v := range script.values {
		definition, _ := v.(*object)
		if definition == nil {
			continue
		}
		f, _ := definition.values["function"].(*object)
		if f == nil {
			continue
		}
		t.Name, t.Description = text(f.values["name"]), text(f.values["description"])
		if t.Parameters, err = encoded(f.values["parameters"]); err != nil {
			return t, fmt.Errorf("%s: %w", file, err)
		}
		if t.Name == "" || t.Description == "" || string(t.Parameters) == "null" {
			return t, fmt.Errorf("%s: the definition of %q was not understood", file, t.Name)
		}
	}
	return t, nil
}
