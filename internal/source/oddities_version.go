// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
)

const newerForm = "%%s has format version %s, but the newest version tested with ctx-lsp is %s: new kinds of records may not be read."

// A form is where an agent says which version of its own form a store has, and the newest that was tried.
type form struct {
	agent string
	query string   // the one value that tells it, in a database
	field []string // or where it stands in one of the first records
	known string   // numbers divided by points; letters before them do not count
}

// Those of Goose and Hermes are not here: they count each column that is added, so that every new release would be a
// warning. Of their tables the columns are looked at instead.
var forms = []form{
	{agent: agent.CopilotCLI, query: `SELECT max(version) FROM schema_version`, known: "8"},
	{agent: agent.Antigravity, query: `PRAGMA user_version`, known: "1"},
	{agent: agent.CopilotCLI, field: []string{"data", "version"}, known: "1"},
	{agent: agent.Copilot, field: []string{"v", "version"}, known: "3"},
	{agent: agent.Copilot, field: []string{"version"}, known: "3"},
	{agent: agent.Pi, field: []string{"version"}, known: "3"},
	{agent: agent.OMP, field: []string{"version"}, known: "3"},
	{agent: agent.Prime, field: []string{"version"}, known: "3"},
	{agent: agent.OpenClaw, field: []string{"version"}, known: "3"},
	{agent: agent.KimiCode, field: []string{"protocol_version"}, known: "1.5"},
	{agent: agent.KimiCLI, field: []string{"protocol_version"}, known: "1.9"},
	{agent: agent.DSH, field: []string{"version"}, known: "1"},
	{agent: agent.Kiro, field: []string{"version"}, known: "v1"},
}

// form looks whether the store of a session says that it is newer than what is known.
func (o *oddities) form(ctx context.Context, s *Session) {
	for _, f := range forms {
		if f.agent != s.Agent {
			continue
		}
		path, said := s.Path, ""
		if f.query != "" {
			if s.Agent == agent.CopilotCLI {
				path = copilotStore(*s)
			}
			if path == "" || o.seen[path+f.query] {
				continue
			}
			o.seen[path+f.query] = true
			said = formOfDatabase(ctx, path, f.query)
		} else {
			said = formOfRecords(s, f.field)
		}
		if newer(said, f.known) {
			o.is(fmt.Sprintf(newerForm, said, f.known), path)
		}
	}
}

func formOfDatabase(ctx context.Context, path, query string) string {
	if !isDatabaseName(path) {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, databasePatience)
	defer cancel()
	db, err := sqlite.Open(ctx, path)
	if err != nil {
		return "" // the search says so
	}
	defer db.Close()
	var n int64
	if db.QueryRowContext(ctx, query).Scan(&n) != nil {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// formRecords is how many of the first records are asked.
const formRecords = 5

func formOfRecords(s *Session, field []string) string {
	if isDatabaseName(s.Path) {
		return ""
	}
	size := firstRead
	if s.Agent == agent.Copilot { // its first record has all of a chat
		size = longRead
	}
	text, _, err := headBytes(s, size)
	if err != nil {
		return ""
	}
	var doc json.Document
	for range formRecords {
		line := firstLine(text)
		if v, err := doc.Parse(trimSpace(line)); err == nil {
			if v = v.Path(field...); v.Kind() == json.Number {
				return string(v.Raw())
			} else if v.Kind() == json.String && v.TextLen() < 20 {
				return v.String()
			}
		}
		text = text[min(len(line)+1, len(text)):]
	}
	return ""
}

// newer says whether a version is above another. What is no version is not.
func newer(said, known string) bool {
	a, b := strings.Split(strings.TrimLeft(said, "v"), "."), strings.Split(strings.TrimLeft(known, "v"), ".")
	for i, part := range a {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return false
		}
		m := 0
		if i < len(b) {
			m, _ = strconv.Atoi(b[i])
		}
		if n != m {
			return n > m
		}
	}
	return false
}
