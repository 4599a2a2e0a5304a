// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

var (
	openCode = openCodeAgent(agent.OpenCode, "opencode.db", "OPENCODE_DB", "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "OPENCODE_CONFIG_CONTENT")
	kilo     = openCodeAgent(agent.Kilo, "kilo.db", "KILO_DB", "KILO_CONFIG", "KILO_CONFIG_DIR", "KILO_CONFIG_CONTENT")
	miMoCode = Agent{
		ID: agent.MiMoCode, Home: Folder{Elsewhere: inData("mimocode")}, Family: agent.OpenCode,
		Roots: func(e dirs.Environment, home, _ string) []Root {
			return []Root{{Path: e.Join(home, "mimocode.db"), list: listDatabase}}
		},
	}
	zCode = Agent{
		ID: agent.ZCode, Home: Folder{Default: ".zcode"}, Family: agent.OpenCode, Variables: []string{"ZCODE_SESSION_DB", "ZCODE_SESSION_DB_PATH"},
		Roots: func(e dirs.Environment, home, _ string) []Root {
			root := Root{Path: e.Join(home, "cli", "db", "db.sqlite"), list: listDatabase}
			for _, variable := range []string{"ZCODE_SESSION_DB", "ZCODE_SESSION_DB_PATH"} {
				if v := e.Folder(variable); v != "" {
					root.Path, root.From = v, variable
				}
			}
			return []Root{root}
		},
	}
)

// inData is a folder in the XDG data directory.
func inData(name string) func(dirs.Environment) string {
	return func(e dirs.Environment) string { return e.Join(e.DataHome(), name) }
}

// openCodeVariables move the line of OpenCode and of its fork.
var openCodeVariables = []string{"OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX", "OPENCODE_DISABLE_AUTOCOMPACT", "OPENCODE_DISABLE_PRUNE"}

// openCodeAgent describes OpenCode or its fork: its database, with the variable that names it, and the variables of its
// settings.
func openCodeAgent(id, database, moved, config, folder, content string) Agent {
	a := Agent{
		ID: id, Home: Folder{Elsewhere: inData(id)}, Family: agent.OpenCode,
		Variables:         append([]string{moved, config, folder, content}, openCodeVariables...),
		WorkspaceSettings: []string{id + ".json", id + ".jsonc", "." + id + "/" + id + ".json", "." + id + "/" + id + ".jsonc"},
	}
	a.Roots = func(e dirs.Environment, home, _ string) []Root { return openCodeRoots(e, home, moved, database) }
	workspaceFiles := a.workspaceFiles
	a.Settings = func(e dirs.Environment, _, workspace string, found configfile.Values) {
		fromEnvironment(e, found, openCodeVariables...)
		own := []configfile.File{
			{Name: e.Join(e.ConfigHome(), id, id+".json")}, {Name: e.Join(e.ConfigHome(), id, id+".jsonc")}, {Name: e.Folder(config)},
		}
		own = append(own, workspaceFiles(workspace)...)
		if folder := e.Folder(folder); folder != "" {
			own = append(own, configfile.File{Name: e.Join(folder, id+".json")}, configfile.File{Name: e.Join(folder, id+".jsonc")})
		}
		if text := e.Getenv(content); text != "" && len(text) <= safefile.MaxSmall {
			own = append(own, configfile.File{Text: text})
		}
		for _, file := range own {
			configfile.JSON(file, found, "compaction.auto", "compaction.prune", "compaction.reserved", "compaction.threshold_percent")
		}
		openCodeModels(e, id, own, found)
	}
	return a
}

// openCodeRoots lists the database that a variable names, or every database in the data folder, and the tree of files
// of versions up to 1.1.
func openCodeRoots(e dirs.Environment, data, variable, file string) (roots []Root) {
	named := e.Variable(variable)
	switch {
	case named == "" || named == ":memory:":
		roots = append(roots, Root{Path: e.Join(data, file), list: listDatabase})
		// Builds of other channels have databases of their own.
		others, _ := filepath.Glob(e.Join(data, "opencode-*.db"))
		for _, other := range others {
			roots = append(roots, Root{Path: other, list: listDatabase})
		}
	case e.Absolute(named):
		roots = append(roots, Root{Path: named, From: variable, list: listDatabase})
	default:
		roots = append(roots, Root{Path: e.Join(data, named), From: variable, list: listDatabase})
	}
	return append(roots, Root{Name: "files", Path: e.Join(data, "storage"), list: listTree})
}
