// Copyright The ctx-lsp authors. MIT licence.

// Package opencode reads the sessions of OpenCode and of agents that keep theirs in the same way, and finds what it
// loads.
package opencode

import (
	"context"
	"database/sql"
	"fmt"
	"hash/maphash"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// OpenCode keeps all its sessions in one database; versions up to 1.1 kept a
// tree of small files. Both give the same records, which are rows. Version 2 uses other tables of the same database. A
// migration copies sessions there under their ids, and leaves the older tables unchanged.

// databaseTail returns the rows of one session, and later those that have changed.
type databaseTail struct {
	session  transcript.Session
	seen     map[string]uint64 // hashes of the returned rows, by table and id
	migrated bool              // the rows were in the tables of version 2
	messages int               // rows that were there at the last read
	parts    int
	last     int64    // largest seq seen, version 2 only
	since    [2]int64 // largest time_updated seen: messages, parts
	undone   undone

	read    sqlite.Seen // the database's state when it was last read
	given   int64
	pending transcript.Queue
}

func (t *databaseTail) Position() int64 { return t.given }

func (t *databaseTail) Next(ctx context.Context, b *transcript.Batch) error {
	if err := t.pending.Next(ctx, b, t.query); err != nil {
		return err
	}
	t.given += int64(len(b.Body))
	return nil
}

// A row is one row on its way to becoming a record.
type row struct {
	id, message string
	created     int64
	updated     int64
	record      []byte
}

func (t *databaseTail) query(ctx context.Context, b *transcript.Batch) error {
	now, err := sqlite.SeenAt(t.session.Path)
	if err != nil {
		return err
	}
	if t.seen != nil && t.read.IsCurrent(now) {
		return nil
	}
	return transcript.Patiently(ctx, t.session.Path, func(ctx context.Context) error { return t.rows(ctx, b, now) })
}

// rows returns the rows that have changed in the database since the last read.
func (t *databaseTail) rows(ctx context.Context, b *transcript.Batch, now sqlite.Seen) error {
	db, err := sqlite.Open(ctx, t.session.Path)
	if err != nil {
		return err
	}
	defer db.Close()
	// One transaction makes sure that a message and its parts belong to the same moment.
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return sqlite.Sentence(t.session.Path, err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written

	migrated, err := t.inNewTables(ctx, tx)
	if err != nil {
		return err
	}
	if migrated != t.migrated && t.seen != nil {
		b.Reset, t.seen = true, nil
	}
	t.migrated = migrated
	var records [][]byte
	if migrated {
		records, err = t.readNewTables(ctx, tx, b)
	} else {
		records, err = t.readOldTables(ctx, tx, b)
	}
	if err != nil {
		return err
	}
	t.read = now
	if db.Changed() {
		t.read = sqlite.Seen{} // what was read may be of two moments, and is read again
	}
	t.pending = append(t.pending, records...)
	return nil
}

// inNewTables reports whether the session is in the tables of version 2.
func (t *databaseTail) inNewTables(ctx context.Context, tx *sql.Tx) (bool, error) {
	var tables, sessions int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE name IN ('session_v2', 'session_message')`).Scan(&tables); err != nil || tables < 2 {
		return false, sqlite.Sentence(t.session.Path, err)
	}
	err := tx.QueryRowContext(ctx, `SELECT count(*) FROM session_v2 WHERE id=?1`, t.session.Key).Scan(&sessions)
	return sessions > 0, sqlite.Sentence(t.session.Path, err)
}

// undone names the first message that the user has undone, and its first undone part if the others stay. OpenCode
// deletes them with the next prompt, and returns them if the user redoes them first.
type undone struct{ message, part string }

// readUndone returns what is undone in a session. A table without the column has nothing.
func (t *databaseTail) readUndone(ctx context.Context, tx *sql.Tx, table string) (u undone, _ error) {
	var columns int
	err := tx.QueryRowContext(ctx, `SELECT count(*) FROM pragma_table_info(?1) WHERE name='revert'`, table).Scan(&columns)
	if err != nil || columns == 0 {
		return u, sqlite.Sentence(t.session.Path, err)
	}
	var text string
	err = tx.QueryRowContext(ctx, `SELECT coalesce(max(revert),'') FROM `+table+` WHERE id=?1`, t.session.Key).Scan(&text)
	if v, fault := json.Parse([]byte(text)); err == nil && fault == nil {
		u = undone{v.Get("messageID").String(), v.Get("partID").String()}
	}
	return u, sqlite.Sentence(t.session.Path, err)
}

// begin forgets the returned rows if some are missing or the user undoes or redoes others, so that all are returned
// again.
func (t *databaseTail) begin(b *transcript.Batch, missing bool, now undone) {
	missing = missing || now != t.undone
	t.undone = now
	if t.seen == nil || missing {
		b.Reset = b.Reset || t.seen != nil
		t.seen, t.since, t.last = map[string]uint64{}, [2]int64{}, 0
	}
}

// readNewTables returns the changed rows of version 2, in the order of the conversation.
func (t *databaseTail) readNewTables(ctx context.Context, tx *sql.Tx, b *transcript.Batch) ([][]byte, error) {
	now, err := t.readUndone(ctx, tx, "session_v2")
	if err != nil {
		return nil, err
	}
	const present = ` FROM session_message WHERE session_id=?1
		AND seq<coalesce((SELECT seq FROM session_message WHERE session_id=?1 AND id=?3), 9223372036854775807)`
	var messages, known int
	var last int64
	if err := tx.QueryRowContext(ctx, `SELECT count(*), coalesce(max(seq),0), coalesce(sum(seq<=?2),0)`+present, t.session.Key, t.last, now.message).Scan(&messages, &last, &known); err != nil {
		return nil, sqlite.Sentence(t.session.Path, err)
	}
	t.begin(b, known < t.messages, now)
	rows, err := t.changedRows(ctx, tx, "session_v2", `SELECT * FROM session_v2 WHERE id=?1`, t.session.Key)
	if err != nil {
		return nil, err
	}
	messageRows, err := t.changedRows(ctx, tx, "session_message", `SELECT *`+present+` AND time_updated>=?2 ORDER BY seq`, t.session.Key, t.since[0], now.message)
	if err != nil {
		return nil, err
	}
	t.messages, t.last = messages, last
	var records [][]byte
	for _, r := range append(rows, messageRows...) {
		records = append(records, r.record)
	}
	for _, r := range messageRows {
		t.since[0] = max(t.since[0], r.updated)
	}
	return records, nil
}

// readOldTables returns the changed rows of versions up to 1.
func (t *databaseTail) readOldTables(ctx context.Context, tx *sql.Tx, b *transcript.Batch) ([][]byte, error) {
	now, err := t.readUndone(ctx, tx, "session")
	if err != nil {
		return nil, err
	}
	const (
		presentMessages = ` FROM message WHERE session_id=?1 AND (?3='' OR id<?3 OR id=?3 AND ?4<>'')`
		presentParts    = ` FROM part WHERE session_id=?1 AND (?3='' OR message_id<?3 OR message_id=?3 AND id<?4)`
	)
	var messages, parts int
	if err := tx.QueryRowContext(ctx, `SELECT (SELECT count(*)`+presentMessages+`), (SELECT count(*)`+presentParts+`)`, t.session.Key, nil, now.message, now.part).Scan(&messages, &parts); err != nil {
		return nil, sqlite.Sentence(t.session.Path, err)
	}
	t.begin(b, messages < t.messages || parts < t.parts, now)
	sessionRows, err := t.changedRows(ctx, tx, "session", `SELECT * FROM session WHERE id=?1`, t.session.Key)
	if err != nil {
		return nil, err
	}
	messageRows, err := t.changedRows(ctx, tx, "message", `SELECT *`+presentMessages+` AND time_updated>=?2`, t.session.Key, t.since[0], now.message, now.part)
	if err != nil {
		return nil, err
	}
	partRows, err := t.changedRows(ctx, tx, "part", `SELECT *`+presentParts+` AND time_updated>=?2`, t.session.Key, t.since[1], now.message, now.part)
	if err != nil {
		return nil, err
	}
	t.messages, t.parts = messages, parts
	for _, r := range messageRows {
		t.since[0] = max(t.since[0], r.updated)
	}
	for _, r := range partRows {
		t.since[1] = max(t.since[1], r.updated)
	}
	var records [][]byte
	for _, r := range sessionRows {
		records = append(records, r.record)
	}
	return append(records, inOrder(messageRows, partRows)...), nil
}

// changedRows runs a query, and keeps the rows that differ from those that were returned before.
func (t *databaseTail) changedRows(ctx context.Context, tx *sql.Tx, table, query string, args ...any) ([]row, error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, sqlite.Sentence(t.session.Path, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, sqlite.Sentence(t.session.Path, err)
	}
	values := make([]any, len(columns))
	targets := make([]any, len(columns))
	for i := range values {
		targets[i] = &values[i]
	}
	var changed []row
	for bytes := 0; rows.Next(); {
		if err := rows.Scan(targets...); err != nil {
			return nil, sqlite.Sentence(t.session.Path, err)
		}
		r := newRow(table, columns, values)
		hash := maphash.Bytes(transcript.HashSeed, r.record)
		if key := table + r.id; t.seen[key] != hash {
			t.seen[key] = hash
			changed = append(changed, r)
			if bytes += len(r.record); bytes > transcript.MostBytes || len(changed) > transcript.MostRows {
				return nil, fmt.Errorf("%s has too many rows in %s: at most %d rows or %d MB are read", t.session.Path, table, transcript.MostRows, transcript.MostBytes>>20)
			}
		}
	}
	return changed, sqlite.Sentence(t.session.Path, rows.Err())
}

// newRow writes a row as one JSON object.
func newRow(table string, columns []string, values []any) row {
	var r row
	var w json.Writer
	w.BeginObject()
	w.Key("table")
	w.String(table)
	for i, column := range columns {
		w.Key(column)
		switch v := values[i].(type) {
		case nil:
			w.Null()
		case int64:
			w.Int(v)
			switch column {
			case "time_created":
				r.created = v
			case "time_updated":
				r.updated = v
			}
		case bool:
			w.Bool(v)
		case time.Time:
			w.Int(v.UnixMilli())
		case float64:
			w.Int(int64(v))
		case string:
			r.text(&w, column, v)
		case []byte:
			r.text(&w, column, string(v))
		default:
			w.Null()
		}
	}
	w.EndObject()
	r.record = w.Buf
	return r
}

func (r *row) text(w *json.Writer, column, v string) {
	switch column {
	case "id":
		r.id = v
	case "message_id":
		r.message = v
	case "data", "model":
		if _, err := json.Parse([]byte(v)); err == nil {
			w.Raw([]byte(v))
			return
		}
	}
	w.String(strings.ToValidUTF8(v, "\uFFFD"))
}

// inOrder sorts messages by their beginning, each before its parts.
func inOrder(messages, parts []row) [][]byte {
	sort.SliceStable(messages, func(i, j int) bool { return older(messages[i], messages[j]) })
	sort.SliceStable(parts, func(i, j int) bool { return parts[i].id < parts[j].id })
	byMessage := map[string][]row{}
	for _, p := range parts {
		byMessage[p.message] = append(byMessage[p.message], p)
	}
	var records [][]byte
	for _, m := range messages {
		records = append(records, m.record)
		for _, p := range byMessage[m.id] {
			records = append(records, p.record)
		}
		delete(byMessage, m.id)
	}
	// The remaining parts belong to messages that have not changed themselves.
	for _, p := range parts {
		if _, left := byMessage[p.message]; left {
			records = append(records, p.record)
		}
	}
	return records
}

func older(a, b row) bool {
	if a.created != b.created {
		return a.created < b.created
	}
	return a.id < b.id
}

// IsTree reports whether a directory is OpenCode's storage.
func IsTree(folder string) bool {
	for _, name := range []string{"session", "message", "part"} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// IsTreeSession reports whether a file is a session of OpenCode's storage, <storage>/session/<project>/<id>.json.
func IsTreeSession(path string) bool {
	folder := filepath.Dir(filepath.Dir(path))
	return filepath.Base(folder) == "session" && IsTree(filepath.Dir(folder))
}

// treeTail reads a session of the storage folder. Path is the session's own
// file, <storage>/session/<project>/<id>.json.
type treeTail struct {
	session transcript.Session
	files   map[string]treeFile // by path: the file's state when it was returned
	given   int64
	pending transcript.Queue
}

type treeFile struct {
	size     int64
	modified time.Time
}

func (t *treeTail) Position() int64 { return t.given }

func (t *treeTail) Next(ctx context.Context, b *transcript.Batch) error {
	if err := t.pending.Next(ctx, b, t.scan); err != nil {
		return err
	}
	t.given += int64(len(b.Body))
	return nil
}

func (t *treeTail) scan(ctx context.Context, b *transcript.Batch) error {
	storage := filepath.Dir(filepath.Dir(filepath.Dir(t.session.Path)))
	if _, err := os.Stat(t.session.Path); err != nil {
		return err
	}
	found, err := t.list(ctx, storage)
	if err != nil {
		return err
	}
	for path := range t.files {
		if _, there := found[path]; !there {
			t.files, b.Reset = nil, true
			break
		}
	}
	var sessions, messages, parts []row
	for path, file := range found {
		if t.files[path] == file {
			continue
		}
		r, ok := readTreeFile(path, t.session.Key)
		if !ok {
			delete(found, path) // the file is half written; the next scan reads it
			continue
		}
		switch {
		case path == t.session.Path:
			sessions = append(sessions, r)
		case r.message == "":
			messages = append(messages, r)
		default:
			parts = append(parts, r)
		}
	}
	t.files = found
	for _, r := range sessions {
		t.pending = append(t.pending, r.record)
	}
	t.pending = append(t.pending, inOrder(messages, parts)...)
	return nil
}

// list finds the files of the session: its own, its messages, and their parts.
func (t *treeTail) list(ctx context.Context, storage string) (map[string]treeFile, error) {
	found := map[string]treeFile{}
	see := func(path string) {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			found[path] = treeFile{info.Size(), info.ModTime()}
		}
	}
	see(t.session.Path)
	folder := filepath.Join(storage, "message", t.session.Key)
	messages, _ := os.ReadDir(folder)
	for _, message := range messages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		id, ok := strings.CutSuffix(message.Name(), ".json")
		if !ok {
			continue
		}
		see(filepath.Join(folder, message.Name()))
		inner := filepath.Join(storage, "part", id)
		parts, _ := os.ReadDir(inner)
		for _, part := range parts {
			if strings.HasSuffix(part.Name(), ".json") {
				see(filepath.Join(inner, part.Name()))
			}
		}
	}
	return found, nil
}

// readTreeFile returns the row that the database would have for a file.
func readTreeFile(path, session string) (row, bool) {
	f, err := safefile.File(path)
	if err != nil {
		return row{}, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() > transcript.MaxDocument {
		return row{}, false
	}
	text := transcript.ReadSome(f, nil, 0, info.Size())
	v, err := json.Parse(text)
	if err != nil || v.Kind() != json.Object {
		return row{}, false
	}
	r := row{id: v.Get("id").String(), message: v.Get("messageID").String()}
	if created := v.Path("time", "created"); created.Kind() == json.Number {
		r.created, _ = created.Int64()
	}
	table := "message"
	switch {
	case r.message != "":
		table = "part"
	case r.id == session:
		table = "session"
	}
	var w json.Writer
	w.BeginObject()
	w.Key("table")
	w.String(table)
	w.Key("id")
	w.String(r.id)
	if table == "part" {
		w.Key("message_id")
		w.String(r.message)
	}
	if table != "session" {
		w.Key("session_id")
		w.String(session)
	}
	w.Key("data")
	w.Raw(v.Raw())
	w.EndObject()
	r.record = w.Buf
	return r, true
}

// OpenDatabase starts at the beginning of a session in a database.
func OpenDatabase(s transcript.Session) transcript.Tail { return &databaseTail{session: s} }

// OpenTree starts at the beginning of a session in a folder of small files.
func OpenTree(s transcript.Session) transcript.Tail { return &treeTail{session: s} }
