// Copyright The ctx-lsp authors. MIT licence.

package vocabulary

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestTheProxyOfTheEnvironmentIsUsed checks that an address known only to the proxy is downloaded through it, unless
// no_proxy contains it. Another process downloads, because the proxy variables are read only once.
func TestTheProxyOfTheEnvironmentIsUsed(t *testing.T) {
	content := []byte("what the proxy has")
	if at := os.Getenv("CTX_FETCH_THROUGH"); at != "" {
		if _, err := Fetch(context.Background(), fileOf(content, at), t.TempDir(), nil); err != nil {
			t.Fatal(err)
		}
		return
	}
	const address = "http://vocabularies.invalid/a.json"
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.String())
		_, _ = w.Write(content)
	}))
	defer proxy.Close()
	download := func(with ...string) (string, error) {
		child := exec.Command(os.Args[0], "-test.run=^TestTheProxyOfTheEnvironmentIsUsed$")
		for _, v := range os.Environ() {
			if !strings.Contains(strings.ToLower(strings.SplitN(v, "=", 2)[0]), "proxy") {
				child.Env = append(child.Env, v)
			}
		}
		child.Env = append(append(child.Env, "CTX_FETCH_THROUGH="+address), with...)
		out, err := child.CombinedOutput()
		return string(out), err
	}
	if out, err := download("HTTP_PROXY=" + proxy.URL); err != nil || strings.Join(asked, " ") != address {
		t.Errorf("through the proxy: %v, asked %q\n%s", err, asked, out)
	}
	if out, err := download("HTTP_PROXY="+proxy.URL, "NO_PROXY=vocabularies.invalid"); err == nil || len(asked) != 1 {
		t.Errorf("past the proxy: %v, asked %q\n%s", err, asked, out)
	}
}
