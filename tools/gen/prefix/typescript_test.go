// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestValuesOfTypeScriptAreRead checks every form in which prompts and definitions of tools are written.
func TestValuesOfTypeScriptAreRead(t *testing.T) {
	s := script{values: map[string]value{}}
	err := s.load(`import * as os from "os"
import type { X } from './x'
const LIMIT: number = 2_000 // lines
/** Not this: const WRONG = "no". */
export const NAMES = ["a", 'b', ` + "`c`" + `] as const
function note(images: boolean): string {
	if (images) {
		return "with images"
	}
	return "without"
}
export function tool(options: { images?: boolean } = {}): Tool {
	const { images = false } = options
	const properties: Record<string, unknown> = { path: { type: "string", "in": LIMIT }, // the last
	}
	const description =
		"Reads up to " + LIMIT +
		` + "` lines \\`so\\` ${note(images)}${os.homedir().toPosix()}.\\u0041`" + `
	return { type: "function", function: { name: "read", description, parameters: { properties, strict: true } } } satisfies Tool
}
const escape = (v: string) => v.replace(/\"/g, "&quot;").replace(/'/g, "x")
const choice = LIMIT ? "yes" : "no"
const other = missing?.thing ?? "else"
async function later(cwd: string, hub?: Hub): Promise<string> {
	await wait(cwd)
	return ` + "`${cwd.toPosix()}${hub ? `\nservers` : ''}`" + `
}
export default { name: "d", list: [1, -2, null, !0] }
`)
	if err != nil {
		t.Fatal(err)
	}
	call := func(name string, args ...value) value {
		t.Helper()
		f, ok := s.values[name].(*function)
		if !ok {
			t.Fatalf("%s is %T", name, s.values[name])
		}
		v, err := (&parser{script: &s, scope: s.values}).call(f, args)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return v
	}
	for name, c := range map[string]struct {
		v    value
		want string
	}{
		"a list":     {s.values["NAMES"], `["a","b","c"]`},
		"a default":  {s.values["default"], `{"name":"d","list":[1,-2,null,true]}`},
		"a choice":   {s.values["choice"], `"yes"`},
		"a fallback": {s.values["other"], `"else"`},
		"a function": {call("later", "/w"), `"/w"`},
		"its choice": {call("later", "/w", true), `"/w\nservers"`},
		"a tool":     {call("tool"), "{\"type\":\"function\",\"function\":{\"name\":\"read\",\"description\":\"Reads up to 2000 lines `so` without.A\",\"parameters\":{\"properties\":{\"path\":{\"type\":\"string\",\"in\":2000}},\"strict\":true}}}"},
	} {
		got, err := encoded(c.v)
		if err != nil || string(got) != c.want {
			t.Errorf("%s is %s (%v), want %s", name, got, err, c.want)
		}
	}
	for _, broken := range []string{"const a = {", "const a = `x${`", "const a = [1, @]", "const f = (a) => f(a)\nconst b = f(1)"} {
		if err := (&script{values: map[string]value{}}).load(broken); err == nil && !strings.Contains(broken, "f(a)") {
			t.Errorf("%q was read", broken)
		}
	}
}

// TestSourcesOfAnAgentAreRead builds a prompt from a repository with the layout of Roo Code's.
func TestSourcesOfAnAgentAreRead(t *testing.T) {
	clone := t.TempDir()
	put := func(path, text string) {
		path = filepath.Join(clone, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(rooPrompts+"/sections/rules.ts", "export function getRulesSection(cwd: string): string {\n\treturn `RULES of ${cwd.toPosix()}, TOOL USE, CAPABILITIES, OBJECTIVE, SYSTEM INFORMATION of ${osName()}`\n}\n")
	put(rooPrompts+"/sections/modes.ts", "export async function getModesSection(context: X): Promise<string> {\n\tconst allModes = await all(context)\n\tconst content = `MODES\n${allModes.map((m) => m.name).join(\"\\n\")}`\n\treturn content\n}\n")
	put(rooPrompts+"/sections/custom-instructions.ts", "export async function addCustomInstructions(a: string): Promise<string> {\n\tif (options.language) {\n\t\tsections.push(\n\t\t\t`Language Preference:\n${languageName} (${options.language})`,\n\t\t)\n\t}\n\treturn joinedSections\n\t\t? `OWN\n${joinedSections}`\n\t\t: \"\"\n}\n\nfunction after() {}\n")
	put(rooPrompts+"/system.ts", "async function generatePrompt(context: X, cwd: string): Promise<string> {\n\tif (!context) {\n\t\tthrow new Error(\"none\")\n\t}\n\tconst { roleDefinition } = ask()\n\tconst basePrompt = `${roleDefinition}\n${modesSection}\n${getRulesSection(cwd)}\n${await addCustomInstructions(a)}`\n\n\treturn basePrompt\n}\n")
	put("packages/types/src/mode.ts", "export const DEFAULT_MODES: readonly M[] = [\n\t{ slug: \"code\", name: \"Code\", roleDefinition: \"You write.\", whenToUse: \"To write.\" },\n] as const\n")
	for _, name := range []string{"apply_diff", "apply_patch", "edit", "generate_image", "read_file"} {
		put(rooTools+"/"+name+".ts", "const TEXT = `Does it.`\nexport default {\n\ttype: \"function\",\n\tfunction: { name: \""+name+"\", description: TEXT, parameters: { type: \"object\" } },\n} satisfies T\n")
	}
	put("src/shared/tools.ts", "export const TOOL_GROUPS: Record<G, C> = {\n\tedit: {\n\t\ttools: [\"apply_diff\"],\n\t\tcustomTools: [\"edit\", \"apply_patch\"],\n\t},\n}\n")
	put(rooTools+"/index.ts", "import a from \"./apply_diff\"\nexport { b } from \"./b\"\nexport function getNativeTools(o: O = {}): T[] {\n\treturn [a]\n}\n")
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", clone, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...).CombinedOutput()
		if err != nil {
			t.Skipf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "a")
	s := &sources{clone, git("rev-parse", "HEAD")}
	q, err := readRooCode(s, family{"*", "claude-sonnet-4-6"})
	if err != nil {
		t.Fatal(err)
	}
	const want = "You write.\nMODES\n  * \"Code\" mode (code) - To write.\nRULES of /home/user/project, TOOL USE, CAPABILITIES, OBJECTIVE, SYSTEM INFORMATION of Linux 6.12\nOWN\nLanguage Preference:\nEnglish (en)"
	if q.system != want {
		t.Errorf("the prompt is\n%s\nwant\n%s", q.system, want)
	}
	names := func(q request) (names []string) {
		for _, t := range q.tools {
			names = append(names, t.Name+" "+t.Description+" "+string(t.Parameters))
		}
		return names
	}
	if got := strings.Join(names(q), "; "); got != `apply_diff Does it. {"type":"object"}; read_file Does it. {"type":"object"}` {
		t.Errorf("the tools are %s", got)
	}
	q, err = readRooCode(s, family{"gpt-", "gpt-5.4"})
	if got := strings.Join(names(q), "; "); err != nil || got != `apply_patch Does it. {"type":"object"}; read_file Does it. {"type":"object"}` {
		t.Errorf("the tools for GPT are %s (%v)", got, err)
	}
	put(rooPrompts+"/system.ts", "export const other = 1\n")
	git("commit", "-qam", "b")
	if _, err := readRooCode(&sources{clone, git("rev-parse", "HEAD")}, family{"*", "x"}); err == nil || !strings.Contains(err.Error(), "generatePrompt") {
		t.Errorf("a prompt that is written otherwise was read: %v", err)
	}
}
