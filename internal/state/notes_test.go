// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"
)

func TestNotesRememberABoundedNumberOfSessions(t *testing.T) {
	n := Notes{Folder: t.TempDir()}
	for i := range maxRemembered + 20 {
		n.Keep(fmt.Sprint("session ", i), []byte(`{"n":`+strconv.Itoa(i)+`}`), "stamp", 0, nil)
	}
	if kept := len(n.Files()); kept != maxRemembered {
		t.Errorf("%d sessions are remembered", kept)
	}
	newest := fmt.Sprint("session ", maxRemembered+19)
	if got := n.Same(newest, "stamp"); string(got) != fmt.Sprintf(`{"n":%d}`, maxRemembered+19) {
		t.Errorf("the newest is %s", got)
	}
	if n.Same(newest, "another stamp") != nil {
		t.Error("it is taken for the same in another state")
	}
	if got, at := n.Last(newest); got == nil || time.Since(at) > time.Minute {
		t.Errorf("of the newest session: %s, %v", got, at)
	}
	if got, _ := n.Last(""); got != nil {
		t.Errorf("of a session that nobody named: %s", got)
	}
	if err := os.WriteFile(n.Path("broken"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, _ := n.Last("broken"); got != nil {
		t.Errorf("a broken file gives %s", got)
	}
}
