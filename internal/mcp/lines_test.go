// Copyright The ctx-lsp authors. MIT licence.

package mcp

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// served returns what a server answers to an input that ends at once.
func served(t *testing.T, input string) (string, error) {
	t.Helper()
	answers, err := NewAnswers(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	answers.Sentence = func(err error) string { return err.Error() }
	var out bytes.Buffer
	err = answers.Serve(t.Context(), strings.NewReader(input), &out)
	return out.String(), err
}

// TestRequestsBeforeTheEndOfTheInputAreAnswered ends the input right after the requests, with and without a last line
// break.
func TestRequestsBeforeTheEndOfTheInputAreAnswered(t *testing.T) {
	for i := range 30 {
		input := hello
		for n := range 5 {
			input += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`+"\n", n)
		}
		if i%2 == 0 {
			input = strings.TrimSuffix(input, "\n")
		}
		out, err := served(t, input)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out, `"tools":[`); n != 5 {
			t.Fatalf("%d of 5 requests are answered: %s", n, out)
		}
	}
}

// TestAMalformedLineEndsNothing sends lines that are no messages between requests.
func TestAMalformedLineEndsNothing(t *testing.T) {
	for _, bad := range []string{
		`{"jsonrpc":"2.0","id":1,`, `nonsense`, `42`, `null`, `[]`, `[7]`, `{}`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, "\xff\xfe", `{"id":7}`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `"text"`, strings.Repeat("[", 100_000),
	} {
		out, err := served(t, hello+bad+"\n"+`{"jsonrpc":"2.0","id":"after","method":"tools/list"}`+"\n")
		if err != nil || !strings.Contains(out, `"id":"after"`) || !strings.Contains(out, `"tools":[`) {
			t.Errorf("after %.50q: %v %.300s", bad, err, out)
		}
		if !strings.Contains(out, `"id":null`) || !strings.Contains(out, "This message cannot be read") {
			t.Errorf("%.50q has no error: %.300s", bad, out)
		}
	}
}

// TestARequestThatIsNotAnsweredIsAnError checks the end of an input whose request stays without a response, and that a
// canceled request is not waited for.
func TestARequestThatIsNotAnsweredIsAnError(t *testing.T) {
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"
	for input, unanswered := range map[string]bool{
		ping: true,
		ping + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n": false,
		`{"jsonrpc":"2.0","method":"ping"}` + "\n":                                                    false,
	} {
		c := newExchange(strings.NewReader(input), io.Discard)
		c.patience = time.Millisecond
		if _, err := io.ReadAll(c); err != nil {
			t.Fatal(err)
		}
		if err := c.unanswered(); (err != nil) != unanswered {
			t.Errorf("%s: %v", input, err)
		}
	}
	from, to := io.Pipe()
	c := newExchange(from, io.Discard)
	go func() {
		_, _ = io.WriteString(to, ping)
		to.Close()
	}()
	if n, err := c.Read(make([]byte, len(ping))); n != len(ping) || err != nil {
		t.Fatal(n, err)
	}
	done := make(chan struct{})
	go func() {
		_, _ = io.ReadAll(c)
		close(done)
	}()
	_, _ = c.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}` + "\n"))
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Error("the end of the input waits for nothing")
	}
}
