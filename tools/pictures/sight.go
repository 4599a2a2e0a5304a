// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// seen is the file of the pictures of sight lines. The agent read its first function and the next one; after a
// compaction it read the first function again and edited it, and another program changed the comment.
const seen = `package shop

// Parse reads a date such as 2026-03-02.
func Parse(text string) (Date, error) {
	if len(text) != 10 {
		return Date{}, errShort
	}
	return parts(text)
}

// Weekday returns the day of the week.
func (d Date) Weekday() int {
	return d.days() % 7
}

// Next returns the day after d.
func (d Date) Next() Date {
	return fromDays(d.days() + 1)
}
`

// writeSeen writes a workspace with that file, and the session, and returns the workspace.
func writeSeen(home string) (string, error) {
	workspace := filepath.Join(home, "shop")
	file := filepath.Join(workspace, "dates.go")
	transcript := filepath.Join(home, ".claude", "projects", strings.NewReplacer("/", "-", ".", "-").Replace(workspace), "0197f1c8-1111-7000-8000-000000000001.jsonl")
	for _, folder := range []string{workspace, filepath.Dir(transcript)} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return "", err
		}
	}
	w := recordWriter{session: session{id: "0197f1c8-1111-7000-8000-000000000001", folder: workspace}, at: time.Now().Add(-time.Minute)}
	lines := strings.Split(seen, "\n")
	numbered := func(to int) string {
		var b strings.Builder
		for i, line := range lines[:to] {
			fmt.Fprintf(&b, "%6d\t%s\n", i+1, line)
		}
		return b.String()
	}
	w.user("Read dates faster.")
	w.tool("Read", record{"file_path": file, "limit": 14}, numbered(14))
	w.add(record{"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "compactMetadata": record{"trigger": "auto", "preTokens": 167_000}})
	w.add(record{"type": "user", "isCompactSummary": true, "message": record{"role": "user", "content": "Dates are read."}})
	w.tool("Read", record{"file_path": file, "limit": 9}, numbered(9))
	w.tool("Edit", record{"file_path": file, "old_string": "errShort", "new_string": "errLength"}, "The file has been updated.")
	if w.fault != nil {
		return "", w.fault
	}
	if err := os.WriteFile(transcript, []byte(w.text.String()), 0o600); err != nil {
		return "", err
	}
	now := strings.NewReplacer("errShort", "errLength", "2026-03-02.", "2026-03-02 or 2 March 2026.").Replace(seen)
	return workspace, os.WriteFile(file, []byte(now), 0o600)
}

// A recordWriter writes the records of a session of Claude Code, a second apart.
type recordWriter struct {
	session
	at     time.Time
	text   strings.Builder
	parent any
	count  int
	fault  error
}

func (w *recordWriter) add(r record) {
	w.count++
	id := fmt.Sprint("r", w.count)
	for name, value := range (record{
		"uuid": id, "parentUuid": w.parent, "isSidechain": false, "userType": "external", "cwd": w.folder, "sessionId": w.id,
		"version": "2.1.120", "timestamp": w.at.Add(time.Duration(w.count) * time.Second).UTC().Format("2006-01-02T15:04:05.000Z"),
	}) {
		r[name] = value
	}
	line, err := json.Marshal(r)
	if err != nil {
		w.fault = err
	}
	w.text.Write(append(line, '\n'))
	w.parent = id
}

func (w *recordWriter) user(content any) {
	w.add(record{"type": "user", "message": record{"role": "user", "content": content}})
}

// tool adds a call of a tool and its output.
func (w *recordWriter) tool(name string, input record, output string) {
	call := fmt.Sprint("toolu_", w.count)
	w.add(record{"type": "assistant", "requestId": "req_" + call, "message": record{
		"role": "assistant", "type": "message", "model": "claude-opus-4-6", "id": "msg_" + call, "stop_reason": "tool_use",
		"content": []record{{"type": "tool_use", "id": call, "name": name, "input": input}},
		"usage":   record{"input_tokens": 42_000 + w.count, "output_tokens": 40},
	}})
	w.user([]record{{"type": "tool_result", "tool_use_id": call, "content": output}})
}

// drawSight draws the sight lines of a file in a terminal, Neovim and Emacs, if these are installed.
func drawSight(program, out, home string, variables []string) error {
	workspace, err := writeSeen(home)
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		"setup.lua": "vim.o.laststatus = 2\nvim.o.statusline = '%f  %{v:lua.require(\"ctx\").sees()}'\nvim.cmd('Ctx sees')\n",
		"setup.el": `(setq inhibit-startup-screen t ctx-command (list (getenv "CTX_LSP_PATH") "serve" "--shared"))
(menu-bar-mode -1)
(require 'ctx)
(ctx-mode 1)
(set-face-attribute 'mode-line nil :foreground "unspecified-fg" :background "unspecified-bg")
`,
	} {
		if err := os.WriteFile(filepath.Join(workspace, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	for _, p := range []struct {
		picture
		editor, line string
	}{
		{picture{name: "sees", columns: 76, rows: 12, until: "never"}, "", `echo '$ ctx-lsp sees dates.go'; "$CTX_LSP_PATH" sees dates.go`},
		{
			picture{name: "sees-neovim", columns: 76, rows: 22, until: "lines are in"}, "nvim",
			`nvim --clean -n --cmd "set rtp^=$ROOT" -S setup.lua dates.go`,
		},
		{
			picture{name: "sees-emacs", columns: 76, rows: 22, until: "9/19"}, "emacs",
			`emacs -Q -nw -L "$ROOT/extensions/emacs" -l ./setup.el dates.go -f ctx-sees-mode`,
		},
	} {
		if _, err := exec.LookPath(p.editor); p.editor != "" && err != nil {
			fmt.Println("there is no", p.editor, "so", p.name, "stays as it is")
			continue
		}
		script := filepath.Join(home, p.name+".sh")
		if err := os.WriteFile(script, []byte("cd '"+workspace+"'\nexport CTX_LSP_PATH='"+program+"' ROOT='"+root+"'\n"+p.line+"\n"), 0o600); err != nil {
			return err
		}
		screen, err := capture(p.picture, "sh", home, append(variables, "TERM=screen-256color"), script)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		svg := drawScreen(screen, p.columns, "ctx-lsp: "+p.name)
		if err := os.WriteFile(filepath.Join(out, p.name+".svg"), []byte(svg), 0o644); err != nil {
			return err
		}
		fmt.Println(filepath.Join(out, p.name+".svg"))
	}
	return nil
}
