// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestServeSpeaksTheProtocolAndNothingElse(t *testing.T) {
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

func TestServeSaysWhatIsWrongWithItsFlags(t *testing.T) {
	for _, test := range []struct{ args, says string }{
		{"serve --socket", "--socket needs --port=N"},
		{"serve --socket=x", "it stands alone, or names a port"},
		{"serve --log-level=loud", "--log-level is debug, info, warn or error"},
		{"serve --metrics=nowhere", "--metrics is a port or HOST:PORT"},
		{"serve extra", `it takes no argument "extra"`},
		{"serve --pip=x", "there is no flag --pip"},
	} {
		code, out, errs := runWith(t, "", strings.Fields(test.args)...)
		if code == 0 || out != "" || !strings.Contains(errs, test.says) {
			t.Errorf("%s: %d %q %q", test.args, code, out, errs)
		}
	}
}
