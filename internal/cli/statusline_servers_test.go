// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

// TestTheLineMarksChangedServers checks that a shell's line has the mark and the range of status when the configured
// servers change after a request, although nothing was recorded since its last run.
func TestTheLineMarksChangedServers(t *testing.T) {
	var out, errs bytes.Buffer
	env := testEnvironment(t, &out, &errs)
	work, _ := json.Marshal(env.Dir)
	begun := time.Now().Add(-time.Hour).UTC()
	record := func(uuid, parent, more string) string {
		return `{"uuid":"` + uuid + `","parentUuid":` + parent + `,"sessionId":"170e1a2d-1872-4c53-bd1e-817c52a3fa39","timestamp":"` + begun.Format("2006-01-02T15:04:05.000Z") + `","cwd":` + string(work) + `,"version":"0.24.4",` + more + "}\n"
	}
	path := filepath.Join(env.Getenv("HOME"), ".qwen/projects/shop/chats/170e1a2d-1872-4c53-bd1e-817c52a3fa39.jsonl")
	dirstest.Write(t, path, record("u1", "null", `"type":"user","message":{"role":"user","parts":[{"text":"Work."}]}`)+
		record("a1", `"u1"`, `"type":"assistant","model":"qwen3-coder-plus","message":{"role":"model","parts":[{"text":"Done."}]},"usageMetadata":{"promptTokenCount":20000,"candidatesTokenCount":10,"totalTokenCount":20010,"cachedContentTokenCount":0}`))
	shown := func(args ...string) (r struct {
		Used    int64
		Range   struct{ Low, High int64 }
		Display struct{ Mark string }
	}) {
		t.Helper()
		out.Reset()
		if code := run(context.Background(), env, args); code != exitOK {
			t.Fatalf("%v exits with %d: %s", args, code, errs.String())
		}
		if err := json.Unmarshal([]byte(strings.TrimSpace(out.String())), &r); err != nil {
			t.Fatalf("%v: %.200s", args, out.String())
		}
		return r
	}
	line := []string{"statusline", "--for=shell", "--here", "--json", "--timeout=1m"}
	if before := shown(line...); before.Display.Mark != "" || before.Used != 20_010 {
		t.Fatalf("before the change: %+v", before)
	}
	dirstest.Write(t, filepath.Join(env.Getenv("HOME"), ".qwen/settings.json"), `{"mcpServers":{"lab":{"command":"node"}}}`)
	status := shown("status", "--json")
	for range 2 { // read, and from the last Reading
		if after := shown(line...); after.Display.Mark == "" || after != status {
			t.Errorf("after the change the line has %+v, and status %+v", after, status)
		}
	}
}
