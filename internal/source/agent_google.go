// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

var geminiCLI = Agent{
	ID: agent.GeminiCLI, Home: Folder{Variable: "GEMINI_CLI_HOME", Within: ".gemini"},
	Roots: func(e dirs.Environment, home, from string) []Root {
		return []Root{{Path: e.Join(home, "tmp"), From: from, list: listGemini}}
	},
	Family:            agent.GeminiCLI,
	EndsAlone:         true,
	WorkspaceSettings: []string{".gemini/settings.json"},
}

var qwenCode = Agent{
	ID: agent.QwenCode, Home: Folder{Variable: "QWEN_HOME", Default: ".qwen"}, Variables: []string{"QWEN_RUNTIME_DIR"},
	Roots: func(e dirs.Environment, home, from string) []Root {
		if v := e.Variable("QWEN_RUNTIME_DIR"); v != "" {
			home, from = v, "QWEN_RUNTIME_DIR"
		}
		return []Root{{Path: e.Join(home, "projects"), From: from, list: listQwen}}
	},
	Family:            agent.GeminiCLI,
	EndsAlone:         true,
	WorkspaceSettings: []string{".qwen/settings.json"},
}

func init() {
	geminiCLI.Settings = func(e dirs.Environment, home, workspace string, found configfile.Values) {
		geminiCLI.jsonSettings(e.Join(home, "settings.json"), workspace, found, "model.compressionThreshold")
	}
	qwenCode.Settings = func(e dirs.Environment, home, workspace string, found configfile.Values) {
		qwenCode.jsonSettings(e.Join(home, "settings.json"), workspace, found, "chatCompression.contextPercentageThreshold")
	}
}

var antigravity = Agent{
	ID: agent.Antigravity, Home: Folder{Default: ".gemini"},
	Roots: func(e dirs.Environment, home, _ string) (roots []Root) {
		for _, program := range []string{"antigravity-cli", "antigravity", "antigravity-ide"} {
			roots = append(roots, Root{Name: program, Path: e.Join(home, program, "conversations"), list: storeFiles("*.db")})
		}
		return roots
	},
	Tried: []Version{{Query: `PRAGMA user_version`, Known: "1"}},
}
