// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestServeWritesOnlyTheProtocol(t *testing.T) {
	var in strings.Builder
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`,
		`{"jsonrpc":"2.0","method":"initialized","params":{}}`,
		`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`,
		`{"jsonrpc":"2.0","method":"exit"}`,
	} {
		fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	code, out, errs := runWith(t, in.String(), "serve", "--stdio", "--state=none", "--engine=native")
	if code != 0 || errs != "" {
		t.Errorf("code %d, %s", code, errs)
	}
	if !strings.HasPrefix(out, "Content-Length: ") || !strings.Contains(out, `"serverInfo":{"name":"ctx-lsp"`) || !strings.HasSuffix(out, `{"jsonrpc":"2.0","id":2,"result":null}`) {
		t.Errorf("%q", out)
	}
}

func TestServeExplainsWrongFlags(t *testing.T) {
	for _, test := range []struct{ args, message string }{
		{"serve --socket", "--socket requires --port=N"},
		{"serve --socket=x", "use --socket alone or --socket=PORT"},
		{"serve --log-level=loud", "expected debug, info, warn or error"},
		{"serve --metrics=nowhere", "expected a port or HOST:PORT"},
		{"serve extra", `unexpected argument "extra"`},
		{"serve --pip=x", "there is no flag --pip"},
	} {
		code, out, errs := runWith(t, "", strings.Fields(test.args)...)
		if code == 0 || out != "" || !strings.Contains(errs, test.message) {
			t.Errorf("%s: %d %q %q", test.args, code, out, errs)
		}
	}
}

// TestEditorsOfDifferentEnvironmentsHaveDifferentDaemons checks that a daemon, which reads its environment once, serves
// no editor with a different one, and that irrelevant variables do not separate editors.
func TestEditorsOfDifferentEnvironmentsHaveDifferentDaemons(t *testing.T) {
	dir, err := os.MkdirTemp("", "s") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := func(variables ...string) string {
		env := &environment{
			Getenv:  func(name string) string { return map[string]string{"XDG_RUNTIME_DIR": dir}[name] },
			Environ: func() []string { return variables },
		}
		at, err := sharedRendezvous(env, pflag.NewFlagSet("serve", pflag.ContinueOnError))
		if err != nil {
			t.Fatal(err)
		}
		return at.Socket()
	}
	own := socket("HOME=/home/a", "TERM=xterm")
	if other := socket("TERM=dumb", "HOME=/home/a", "JAVA_HOME=/opt/java", "PWD=/x"); other != own {
		t.Error("variables that bear on nothing part two editors")
	}
	for _, variable := range []string{
		"HOME=/home/b", "CTX_HIDE_PATHS=1", "CTX_STATE_DIR=/s", "CODEX_HOME=/c", "QWEN_HOME=/q", "OPENAI_API_KEY=k", "VLLM_BASE_URL=http://x",
		"DISABLE_COMPACT=1", "CLAUDE_CONFIG_DIR=/c", "OPENCODE_DB=/d", "XDG_DATA_HOME=/d", "LOCALAPPDATA=/l",
	} {
		if socket("HOME=/home/a", variable) == own {
			t.Errorf("an editor with %s joins a daemon without", variable)
		}
	}
}
