// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents/opencode"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

var (
	openCode = openCodeAgent(agent.OpenCode, "opencode", "opencode-ai", "opencode.db", "OPENCODE_DB", "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "OPENCODE_CONFIG_CONTENT")
	kilo     = openCodeAgent(agent.Kilo, "kilo", "@kilocode/cli", "kilo.db", "KILO_DB", "KILO_CONFIG", "KILO_CONFIG_DIR", "KILO_CONFIG_CONTENT")
	miMoCode = Agent{
		ID: agent.MiMoCode, Home: Folder{Elsewhere: inData("mimocode")}, Family: agent.OpenCode,
		Places: Places{
			Roots: inHome(Root{Path: "mimocode.db", List: listDatabase}),
		},
		Process: Process{Programs: []string{"mimo"}},
	}
	zCode = Agent{
		ID:        agent.ZCode,
		Home:      Folder{Default: ".zcode"},
		Variables: []string{"ZCODE_SESSION_DB", "ZCODE_SESSION_DB_PATH"},
		Family:    agent.OpenCode,
		Places: Places{
			Roots: func(e dirs.Environment, home, _ string) []Root {
				root := Root{Path: e.Join(home, "cli", "db", "db.sqlite"), List: listDatabase}
				for _, variable := range []string{"ZCODE_SESSION_DB", "ZCODE_SESSION_DB_PATH"} {
					if v := e.Folder(variable); v != "" {
						root.Path, root.From = v, variable
					}
				}
				return []Root{root}
			},
		},
		Process: Process{Programs: []string{"zcode"}},
	}
)

// openCodeTables are the tables of versions 1 and 2 whose names begin like those of sessions.
var openCodeTables = &SessionTables{
	Prefix: "session", Read: []string{"session", "session_v2", "session_message", "session_share"},
	ID: "id", Of: "session_id", Workspace: "directory", Changed: "time_updated",
}

// inData returns a directory in the XDG data directory.
func inData(name string) func(dirs.Environment) string {
	return func(e dirs.Environment) string { return e.Join(e.DataHome(), name) }
}

// openCodeVariables affect the threshold of OpenCode and of its fork.
var openCodeVariables = []string{"OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX", "OPENCODE_DISABLE_AUTOCOMPACT", "OPENCODE_DISABLE_PRUNE"}

// openCodeAgent describes OpenCode or its fork: its program, its script, its database, with the variable that names it,
// and the variables of its settings.
func openCodeAgent(id, program, script, database, moved, config, folder, content string) Agent {
	a := Agent{
		ID:        id,
		Home:      Folder{Elsewhere: inData(id)},
		Variables: append([]string{moved, config, folder, content}, openCodeVariables...),
		Family:    agent.OpenCode,
		Configuration: Configuration{
			WorkspaceSettings: []string{id + ".json", id + ".jsonc", "." + id + "/" + id + ".json", "." + id + "/" + id + ".jsonc"},
		},
		Process: Process{Programs: []string{program}, Packages: []string{script}},
	}
	a.ExitsBeside, a.AsksForSummary, a.SessionTables = true, true, openCodeTables
	a.Forms = map[transcript.Form]*Form{
		transcript.Database: {Open: opencode.OpenDatabase, Sessions: openCodeSessions},
		transcript.Folder:   {Open: opencode.OpenTree, State: treeState, Part: treeSession, Below: treeBelow},
	}
	a.Load = func(l *promptload.Loader) { opencode.Load(l, id, HomeOf(l.Environment, agent.ClaudeCode)) }
	if id == agent.OpenCode {
		a.AlwaysProcess, a.Tabs, a.PromptFolders = true, id, []string{".config/opencode"}
		a.Start = "opencode --prompt"
	}
	a.ServersUnrecorded, a.MemoryUnrecorded = true, true
	for _, folder := range []string{"~/.config/" + id, ".", "./." + id} {
		for _, ending := range []string{".json", ".jsonc"} {
			a.MCPFiles = append(a.MCPFiles, MCPFile{Path: folder + "/" + id + ending, Member: "mcp", Nested: true})
		}
	}
	a.Roots = func(e dirs.Environment, home, _ string) []Root { return openCodeRoots(e, home, moved, database) }
	a.ModelSetting = "model"
	a.SettingsFiles = func(a *Agent, e dirs.Environment, _, workspace string) []SettingsFile {
		as := SettingsFile{
			Strict: true,
			Names:  []string{"compaction.auto", "compaction.prune", "compaction.reserved", "compaction.buffer", "compaction.threshold_percent"},
			Windows: []ModelWindow{
				{Model: "provider.*.models.*", Window: "limit.context", Input: "limit.input", Output: "limit.output"},
				{Model: "providers.*.models.*", Window: "limit.context", Input: "limit.input", Output: "limit.output"},
			},
		}
		files := a.files(workspace, as, e.Join(e.ConfigHome(), id, id+".json"), e.Join(e.ConfigHome(), id, id+".jsonc"), e.Folder(config))
		if folder := e.Folder(folder); folder != "" {
			files = append(files, a.files("", as, e.Join(folder, id+".json"), e.Join(folder, id+".jsonc"))...)
		}
		if text := e.Getenv(content); text != "" && len(text) <= safefile.MaxSmall {
			as.Text = text
			files = append(files, as)
		}
		return files
	}
	a.Settings = func(a *Agent, e dirs.Environment, home, workspace string, found configfile.Values) {
		fromEnvironment(e, found, openCodeVariables...)
		a.fromFiles(e, home, workspace, found)
		openCodeModels(e, id, a.SettingsFiles(a, e, home, workspace), found)
	}
	return a
}

// openCodeRoots lists the database that a variable names, or every database in the data folder, and the tree of files
// of versions up to 1.1.
func openCodeRoots(e dirs.Environment, data, variable, file string) (roots []Root) {
	named := e.Variable(variable)
	switch {
	case named == "" || named == ":memory:":
		roots = append(roots, Root{Path: e.Join(data, file), List: listDatabase})
		// Builds of other channels have their own databases.
		others, _ := filepath.Glob(e.Join(data, "opencode-*.db"))
		for _, other := range others {
			roots = append(roots, Root{Path: other, List: listDatabase})
		}
	case e.Absolute(named):
		roots = append(roots, Root{Path: named, From: variable, List: listDatabase})
	default:
		roots = append(roots, Root{Path: e.Join(data, named), From: variable, List: listDatabase})
	}
	return append(roots, Root{Name: "files", Path: e.Join(data, "storage"), List: listTree})
}

// listDatabase lists the sessions of a database; it has to ask the database.
func listDatabase(root Root, see func(Candidate)) error {
	info, err := os.Stat(root.Path)
	if err != nil {
		return err
	}
	sessions, err := listed(root, transcript.Database, func() ([]transcript.Session, error) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		return DatabaseSessions(ctx, root.Agent, root.Path)
	})
	for i := range sessions {
		s := &sessions[i]
		see(Candidate{Agent: root.Agent, Path: root.Path, Info: info, Kind: transcript.Database, ID: s.ID, Parent: s.Parent, Alone: s.Parent == "", Session: s})
	}
	return err
}

// DatabaseSessions lists the sessions of an OpenCode database.
func DatabaseSessions(ctx context.Context, agent, path string) (sessions []transcript.Session, err error) {
	err = transcript.Patiently(ctx, path, func(ctx context.Context) error {
		sessions, err = sessionsOfDatabase(ctx, agent, path)
		return err
	})
	return sessions, err
}

// openCodeSessions lists the sessions of a database; only its form is known.
func openCodeSessions(ctx context.Context, path string) ([]transcript.Session, error) {
	return DatabaseSessions(ctx, agent.OpenCode, path)
}

func sessionsOfDatabase(ctx context.Context, agent, path string) ([]transcript.Session, error) {
	db, err := sqlite.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	// A migration copies sessions to the tables of version 2, and the older rows no longer change.
	var sessions []transcript.Session
	newer, err := db.Columns(ctx, "session_v2")
	if err != nil {
		return nil, err
	}
	if len(newer) > 0 {
		idle := "0"
		if newer["time_idle"] {
			idle = "coalesce(time_idle,0)"
		}
		sessions, err = selectSessions(ctx, db, agent, path, fmt.Sprintf(`SELECT %s, max(coalesce(time_updated,0), %s,
			coalesce((SELECT m.time_updated FROM session_message m WHERE m.session_id=s.id ORDER BY seq DESC LIMIT 1),0)) FROM session_v2 s`, sessionColumns, idle), nil)
		if err != nil {
			return nil, err
		}
		setVersion2(sessions)
		older, err := db.Columns(ctx, "session")
		if err != nil || len(older) == 0 {
			return sessions, err
		}
	}
	return selectSessions(ctx, db, agent, path, `SELECT `+sessionColumns+`, coalesce(time_updated,0) FROM session`, sessions)
}

// setVersion2 sets the version of sessions in the tables of version 2: a copied one has the number of the version that
// began it.
func setVersion2(sessions []transcript.Session) {
	for i := range sessions {
		if s := &sessions[i]; !agent.AtLeast(s.Version, "2") {
			s.Version = "2"
		}
	}
}

// sessionColumns are the columns of a session without the time of its last change.
const sessionColumns = `id, coalesce(parent_id,''), coalesce(directory,''), coalesce(title,''), coalesce(version,''), coalesce(time_created,0)`

// selectSessions appends the sessions that a query returns to those that are known, except other copies of these.
func selectSessions(ctx context.Context, db *sqlite.DB, agent, path, query string, known []transcript.Session) ([]transcript.Session, error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, sqlite.Sentence(path, err)
	}
	defer rows.Close()
	copied := make(map[string]bool, len(known))
	for i := range known {
		copied[known[i].Key] = true
	}
	for rows.Next() && len(known) < transcript.MostSessions {
		s := transcript.Session{Agent: agent, Path: path, Form: transcript.Database}
		var created, updated int64
		if err := rows.Scan(&s.Key, &s.Parent, &s.Workspace, &s.Label, &s.Version, &created, &updated); err != nil {
			continue // skip a row with wrong types
		}
		if copied[s.Key] {
			continue
		}
		s.ID, s.Started, s.Modified = s.Key, transcript.Milliseconds(created), transcript.Milliseconds(updated)
		known = append(known, s)
	}
	return known, sqlite.Sentence(path, rows.Err())
}

// TreeSessions lists the sessions of an OpenCode storage folder.
func TreeSessions(storage string, see func(path, id string, info os.FileInfo)) error {
	projects, err := os.ReadDir(filepath.Join(storage, "session"))
	if err != nil {
		return err
	}
	for _, project := range projects {
		if !project.IsDir() {
			continue
		}
		files, _ := os.ReadDir(filepath.Join(storage, "session", project.Name()))
		for _, file := range files {
			id, ok := strings.CutSuffix(file.Name(), ".json")
			if info, err := file.Info(); ok && err == nil && strings.HasPrefix(id, "ses") {
				see(filepath.Join(storage, "session", project.Name(), file.Name()), id, info)
			}
		}
	}
	return nil
}

// Bounds on an agent's list of models.
const (
	MaxModelList = 16 << 20
	maxModels    = 200
)

// openCodeModels finds the limits of models where OpenCode looks for them: in its copy of a registry, of which those by
// way of GitHub Copilot are used, because it allows less than their makers and publishes that nowhere else; then in the
// models that the user has described.
func openCodeModels(e dirs.Environment, of string, files []SettingsFile, found map[string]string) {
	n := 0
	take := func(provider string, models json.Value) {
		for f := models.Fields(); f.Next() && n < maxModels; {
			limit := f.Value.Get("limit")
			window := limitWord(limit.Get("context"))
			if window == "-" || f.Key.TextLen() > 150 {
				continue
			}
			name := modelLimits + provider + "/" + f.Key.String()
			if _, known := found[name]; !known {
				n++
			}
			found[name] = window + " " + limitWord(limit.Get("input")) + " " + limitWord(limit.Get("output"))
		}
	}
	if f, err := safefile.Open(e.Join(e.CacheHome(), of), "models.json"); err == nil {
		text, err := io.ReadAll(io.LimitReader(f, MaxModelList+1))
		f.Close()
		if err == nil && len(text) <= MaxModelList {
			if v, err := json.Parse(text); err == nil {
				take("github-copilot", v.Path("github-copilot", "models"))
			}
		}
	}
	for _, file := range files {
		v, ok := file.Read()
		if !ok {
			continue
		}
		for _, member := range []string{"provider", "providers"} { // the name before version 2, and since
			for f := v.Get(member).Fields(); f.Next(); {
				if f.Key.TextLen() < 100 {
					take(f.Key.String(), f.Value.Get("models"))
				}
			}
		}
	}
}

// limitWord returns a limit as a setting; "-" if there is none.
func limitWord(v json.Value) string {
	if n, fault := v.Int64(); fault == json.NumberOK && n > 0 {
		return string(v.Raw())
	}
	return "-"
}

// listTree lists OpenCode's folder of files.
func listTree(root Root, see func(Candidate)) error {
	err := TreeSessions(root.Path, func(path, id string, info os.FileInfo) {
		see(Candidate{Agent: root.Agent, Path: path, Info: info, Kind: transcript.Folder, ID: id})
	})
	if os.IsNotExist(err) {
		return nil // newer versions keep other things in this folder
	}
	return err
}

// treeSession returns a file of the storage folder if it is a session.
func treeSession(document string) (string, bool) { return document, opencode.IsTreeSession(document) }

// treeState changes every two seconds: the parts of such a session are in many folders, so its tail finds out what has
// changed.
func treeState(string) transcript.State {
	return transcript.State{Modified: time.Now().Truncate(2 * time.Second)}
}

// treeBelow passes the sessions of a storage folder to see. A folder that cannot be read has none.
func treeBelow(folder string, see func(path string)) bool {
	if !opencode.IsTree(folder) {
		return false
	}
	_ = TreeSessions(folder, func(path, _ string, _ os.FileInfo) { see(path) })
	return true
}
