// Copyright The ctx-lsp authors. MIT licence.

package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/rusage"
)

// agents creates a database that an agent keeps open, with some rows only in its log.
func agents(t testing.TB, path, journal string, rows int) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode("+journal+")&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	do(t, db, "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")
	more(t, db, rows)
	return db
}

func more(t testing.TB, db *sql.DB, rows int) {
	t.Helper()
	do(t, db, `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < ?1) INSERT INTO note(text) SELECT 'note ' || i || hex(zeroblob(300)) FROM n`, rows)
}

func do(t testing.TB, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.Exec(statement, args...); err != nil {
		t.Fatal(statement, err)
	}
}

// copyOf copies the database and its log, but not the index of the log.
func copyOf(t testing.TB, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy.db")
	for _, suffix := range []string{"", "-wal"} {
		text, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to+suffix, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

func notes(t testing.TB, path string) int {
	t.Helper()
	db, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	n := 0
	if err := db.QueryRow("SELECT count(*) FROM note WHERE text LIKE 'note %'").Scan(&n); err != nil {
		t.Fatal(err)
	}
	if db.Changed() {
		t.Error("the files have changed")
	}
	return n
}

func listing(t testing.TB, path string) string {
	t.Helper()
	found, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	text := ""
	for _, f := range found {
		info, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintf("%s %d %d\n", filepath.Base(f), info.Size(), info.ModTime().UnixNano())
	}
	return text
}

// TestALogWithoutItsIndexIsRead checks a log as a copy or a crash leaves it, next to which SQLite itself would have to
// write.
func TestALogWithoutItsIndexIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.db")
	db := agents(t, path, "wal", 500)
	copied := copyOf(t, path)
	if info, _ := os.Stat(copied); info.Size() > 4096 {
		t.Fatalf("the rows are in the file itself, of %d bytes", info.Size())
	}
	before := listing(t, copied)
	if n := notes(t, copied); n != 500 {
		t.Errorf("%d rows of 500", n)
	}
	if after := listing(t, copied); after != before {
		t.Errorf("the files were\n%sand are\n%s", before, after)
	}
	do(t, db, "PRAGMA wal_checkpoint(TRUNCATE)")
	more(t, db, 3)
	do(t, db, "DELETE FROM note WHERE id <= 100")
	if n := notes(t, copyOf(t, path)); n != 403 {
		t.Errorf("%d rows of 403 where a part is in the file and a part in the log", n)
	}
}

// TestAFolderThatMayNotBeWritten reads a database in a read-only directory, in which no index of the log can be
// created.
func TestAFolderThatMayNotBeWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.db")
	agents(t, path, "wal", 50)
	copied := copyOf(t, path)
	folder := filepath.Dir(copied)
	for _, name := range []string{copied, copied + "-wal", folder} {
		if err := os.Chmod(name, 0o555); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Chmod(folder, 0o755)
	if n := notes(t, copied); n != 50 {
		t.Errorf("%d rows of 50", n)
	}
}

// TestTheAgentWritesMeanwhile checks that every read is consistent, and that it never returns fewer rows than the one
// before.
func TestTheAgentWritesMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.db")
	db := agents(t, path, "wal", 10)
	done := make(chan error)
	go func() {
		var err error
		for i := 0; i < 150 && err == nil; i++ {
			_, err = db.Exec("INSERT INTO note(text) VALUES ('note a'), ('note b')")
			if i%40 == 39 && err == nil {
				_, err = db.Exec("PRAGMA wal_checkpoint(PASSIVE)")
			}
		}
		done <- err
	}()
	last := 0
	for reading := true; reading; {
		select {
		case err := <-done:
			if err != nil {
				t.Error("the agent was disturbed:", err)
			}
			reading = false
		default:
		}
		n := notes(t, path)
		if n < last || n%2 != 0 {
			t.Fatalf("%d rows after %d", n, last)
		}
		last = n
	}
	if last != 310 {
		t.Errorf("%d rows of 310", last)
	}
}

// TestATornLog checks that the transactions before a torn frame are read, as SQLite does.
func TestATornLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.db")
	db := agents(t, path, "wal", 20)
	whole := copyOf(t, path)
	more(t, db, 200)
	log, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	first, _ := os.Stat(whole + "-wal")
	for name, torn := range map[string][]byte{
		"cut":     log[:len(log)-1000],
		"flipped": append(append([]byte(nil), log[:first.Size()+100]...), append([]byte{log[first.Size()+100] ^ 1}, log[first.Size()+101:]...)...),
	} {
		copied := copyOf(t, whole)
		if err := os.WriteFile(copied+"-wal", torn, 0o600); err != nil {
			t.Fatal(err)
		}
		if n := notes(t, copied); n != 20 {
			t.Errorf("%s: %d rows of 20", name, n)
		}
	}
	copied := copyOf(t, whole)
	if err := os.Truncate(copied+"-wal", 20); err != nil {
		t.Fatal(err)
	}
	headless, err := Open(context.Background(), copied)
	if err != nil {
		t.Fatal("a log without a header:", err)
	}
	headless.Close() // Windows does not remove an open file
}

// TestALockedDatabaseReturnsAnError checks the errors for a locked database in rollback mode and for a file that is not
// a database.
func TestALockedDatabaseReturnsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.db")
	db := agents(t, path, "delete", 5)
	do(t, db, "BEGIN EXCLUSIVE")
	if _, err := Open(context.Background(), path); err == nil || !strings.Contains(err.Error(), "is currently locked by its agent") {
		t.Error(err)
	}
	do(t, db, "ROLLBACK")
	if n := notes(t, path); n != 5 {
		t.Error(n)
	}
	other := filepath.Join(t.TempDir(), "other.db")
	for text, want := range map[string]string{"hello": "is not a SQLite database", "SQLite format 3\x00" + strings.Repeat("\xff", 4096): "is damaged"} {
		if err := os.WriteFile(other, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if db, err := Open(context.Background(), other); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.10q: %v, %v", text, db, err)
		}
	}
	if _, err := Open(context.Background(), t.TempDir()); err == nil {
		t.Error("a folder is opened")
	}
}

// TestALogWithoutItsFile checks that a log alone is not a database.
func TestALogWithoutItsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.db")
	agents(t, path, "wal", 5)
	copied := copyOf(t, path)
	if err := os.Remove(copied); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), copied); !os.IsNotExist(err) {
		t.Error(err)
	}
}

// TestALargeDatabaseOpensAtOnce checks that opening 2 GB reads only the index. The file is sparse.
func TestALargeDatabaseOpensAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.db")
	db := agents(t, path, "wal", 2000)
	do(t, db, "PRAGMA wal_checkpoint(TRUNCATE)")
	more(t, db, 2000)
	copied := copyOf(t, path)
	const size = 2 << 30
	if err := os.Truncate(copied, size); err != nil {
		t.Skip("no room for a sparse file: ", err)
	}
	// The log contains the size of the database; here its last frame is changed to 2 GB.
	log, err := os.ReadFile(copied + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	var sums [2]uint32
	sums = checksum(binary.LittleEndian, log[:24], sums)
	for at := logHeader; at+frameHeader+4096 <= len(log); at += frameHeader + 4096 {
		if binary.BigEndian.Uint32(log[at+4:]) > 0 {
			binary.BigEndian.PutUint32(log[at+4:], size/4096)
		}
		if binary.BigEndian.Uint32(log[at:]) == 1 {
			binary.BigEndian.PutUint32(log[at+frameHeader+28:], size/4096)
		}
		sums = checksum(binary.LittleEndian, log[at:at+8], sums)
		sums = checksum(binary.LittleEndian, log[at+frameHeader:at+frameHeader+4096], sums)
		binary.BigEndian.PutUint32(log[at+16:], sums[0])
		binary.BigEndian.PutUint32(log[at+20:], sums[1])
	}
	if err := os.WriteFile(copied+"-wal", log, 0o600); err != nil {
		t.Fatal(err)
	}
	notes(t, path) // pays for what only the first opening in a process costs
	least := time.Hour
	var before, after runtime.MemStats
	for range 5 {
		runtime.ReadMemStats(&before)
		began := rusage.Used()
		db, err := Open(context.Background(), copied)
		if err != nil {
			t.Fatal(err)
		}
		var text string
		if err := db.QueryRow("SELECT text FROM note WHERE id=3999").Scan(&text); err != nil || !strings.HasPrefix(text, "note ") {
			t.Fatal(text, err)
		}
		least = min(least, rusage.Used()-began)
		runtime.ReadMemStats(&after)
		db.Close()
	}
	t.Logf("%v, %d KB of memory", least, (after.TotalAlloc-before.TotalAlloc)>>10)
	if least > 50*time.Millisecond {
		t.Errorf("it opens in %v", least)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 30<<20 {
		t.Errorf("it costs %d MB", used>>20)
	}
}

// FuzzLog reads any log next to a good database, and checks that nothing panics or hangs and that whole pages are read.
func FuzzLog(f *testing.F) {
	path := filepath.Join(f.TempDir(), "agent.db")
	agents(f, path, "wal", 3)
	copied := copyOf(f, path)
	file, err := os.ReadFile(copied)
	if err != nil {
		f.Fatal(err)
	}
	log, err := os.ReadFile(copied + "-wal")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file, log)
	f.Add(file, log[:40])
	f.Add(file[:100], []byte{})
	f.Fuzz(func(t *testing.T, file, log []byte) {
		path := filepath.Join(t.TempDir(), "agent.db")
		if os.WriteFile(path, file, 0o600) != nil || os.WriteFile(path+"-wal", log, 0o600) != nil {
			t.Skip()
		}
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		db, err := openOverlaid(ctx, path, path)
		if err != nil {
			return
		}
		defer db.Close()
		rows, err := db.QueryContext(ctx, "SELECT * FROM note LIMIT 100")
		if err != nil {
			return
		}
		defer rows.Close()
		for rows.Next() {
			var id, text any
			_ = rows.Scan(&id, &text)
		}
	})
}
