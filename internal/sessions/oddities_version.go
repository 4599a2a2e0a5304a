// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"context"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// form checks whether the store of a session reports a version newer than the supported ones.
func (o *oddities) form(ctx context.Context, s *transcript.Session) {
	for _, v := range agents.Of(*s).Tried {
		path, said := s.Path, ""
		if v.Query != "" {
			if agents.Of(*s).UsageStore != nil {
				path = agents.UsageStore(*s)
			}
			if path == "" || o.seen[path+v.Query] {
				continue
			}
			o.seen[path+v.Query] = true
			said = formOfDatabase(ctx, path, v.Query)
		} else {
			said = formOfRecords(s, v)
		}
		if newer(said, v.Known) {
			o.is(phrase.NewerForm, path, said, v.Known)
		}
	}
}

func formOfDatabase(ctx context.Context, path, query string) string {
	if !isDatabaseName(path) {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, transcript.DatabasePatience)
	defer cancel()
	db, err := sqlite.Open(ctx, path)
	if err != nil {
		return "" // the search reports that
	}
	defer db.Close()
	var n int64
	if db.QueryRowContext(ctx, query).Scan(&n) != nil {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// formRecords is how many of the first records are checked.
const formRecords = 5

func formOfRecords(s *transcript.Session, version agents.Version) string {
	if isDatabaseName(s.Path) {
		return ""
	}
	size := transcript.FirstRead
	if version.Long {
		size = transcript.LongRead
	}
	text, _, err := transcript.Beginning(s, size)
	if err != nil {
		return ""
	}
	var doc json.Document
	for range formRecords {
		line := transcript.FirstLine(text)
		if v, err := doc.Parse(transcript.TrimSpace(line)); err == nil {
			if v = v.Path(version.Field...); v.Kind() == json.Number {
				return string(v.Raw())
			} else if v.Kind() == json.String && v.TextLen() < 20 {
				return v.String()
			}
		}
		text = text[min(len(line)+1, len(text)):]
	}
	return ""
}

// newer reports whether a version is higher than another. It returns false if one is not a version.
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
