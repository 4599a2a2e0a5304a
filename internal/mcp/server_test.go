// Copyright The ctx-lsp authors. MIT licence.

package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestSchemasDescribeTheirTypes compares the schemas of tools with the types of their arguments.
func TestSchemasDescribeTheirTypes(t *testing.T) {
	session, err := jsonschema.For[aboutSession](nil)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := jsonschema.For[aboutTexts](nil)
	if err != nil {
		t.Fatal(err)
	}
	for schema, want := range map[string]*jsonschema.Schema{sessionSchema: session, textsSchema: texts} {
		for _, parameter := range want.Properties {
			if slices.Contains(parameter.Types, "array") { // "or null", according to the library; some agents refuse two types
				parameter.Type, parameter.Types = "array", nil
			}
		}
		var got jsonschema.Schema
		if err := json.Unmarshal([]byte(schema), &got); err != nil {
			t.Fatal(err)
		}
		generated, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var expected jsonschema.Schema
		if err := json.Unmarshal(generated, &expected); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, expected) {
			t.Errorf("%s\nand should be\n%s", schema, generated)
		}
	}
}

// fakeClient is the other end of a connection.
type fakeClient struct {
	to    io.WriteCloser
	from  *bufio.Scanner
	ended chan error
}

func connect(t *testing.T, tools ...tool) *fakeClient {
	t.Helper()
	fromClient, to := io.Pipe()
	from, toClient := io.Pipe()
	answers := &Answers{one: make(chan struct{}, 1), Sentence: error.Error, Version: "1"}
	c := &fakeClient{to, bufio.NewScanner(from), make(chan error, 1)}
	go func() {
		err := answers.serve(t.Context(), fromClient, toClient, tools, time.Minute)
		toClient.Close()
		c.ended <- err
	}()
	t.Cleanup(func() { to.Close() })
	return c
}

func (c *fakeClient) send(t *testing.T, line string) {
	t.Helper()
	if _, err := io.WriteString(c.to, line+"\n"); err != nil {
		t.Fatal(err)
	}
}

// receive returns the next message, or "" after the last one.
func (c *fakeClient) receive() string {
	if c.from.Scan() {
		return c.from.Text()
	}
	return ""
}

// TestTheServerRefusesWhatItCannotRead checks the response to each kind of message, and that the connection survives
// unreadable ones.
func TestTheServerRefusesWhatItCannotRead(t *testing.T) {
	c := connect(t, tool{"echo", "", sessionSchema, reads(func(_ context.Context, in aboutSession) (string, error) { return "<" + in.Session + ">", nil })})
	for _, exchange := range []struct{ sent, want string }{
		{`garbage`, `"code":-32700`},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `"code":-32600`},
		{`{"jsonrpc":"2.0"}`, `"code":-32600`},
		{`{"jsonrpc":"2.0","id":1,"method":"nosuch"}`, `"code":-32601`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nosuch"}}`, `unknown tool`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`, `"code":-32602`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"x":1}}}`, `there is no argument \"x\"`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"session":1}}}`, `"isError":true`},
		{`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"echo"}}`, `"id":"a"`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"session":"b"}}}`, `"text":"<b>"`},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}`, `"protocolVersion":"2024-11-05"`},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}`, `"protocolVersion":"2025-11-25"`},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, `"code":-32601`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01"}}}`, `"supported":["2026-07-28",`},
		{`{"jsonrpc":"2.0","method":"notifications/nosuch"}` + "\n\n" + `{"jsonrpc":"2.0","id":7,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":8,"method":"ping"}`, `"id":8`},
	} {
		c.send(t, exchange.sent)
		if got := c.receive(); !strings.Contains(got, exchange.want) {
			t.Errorf("%s\nis answered with %s\nand should be with %s", exchange.sent, got, exchange.want)
		}
	}
	c.to.Close()
	if err := <-c.ended; err != nil {
		t.Error(err)
	}
}

// TestACallCanBeCanceled checks that requests are answered while a tool runs, and that a canceled call ends without a
// response.
func TestACallCanBeCanceled(t *testing.T) {
	started, ended := make(chan struct{}), make(chan struct{})
	c := connect(t, tool{"wait", "", sessionSchema, func(ctx context.Context, _ json.RawMessage) (string, error) {
		close(started)
		<-ctx.Done()
		close(ended)
		return "", ctx.Err()
	}})
	c.send(t, `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"wait"}}`)
	<-started
	c.send(t, `{"jsonrpc":"2.0","id":6,"method":"ping"}`)
	if got := c.receive(); !strings.Contains(got, `"id":6`) {
		t.Errorf("while a tool runs, a ping is answered with %s", got)
	}
	c.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`)
	<-ended
	c.to.Close()
	if got := c.receive(); got != "" {
		t.Errorf("a canceled call is answered with %s", got)
	}
	if err := <-c.ended; err != nil {
		t.Error(err)
	}
}

// TestARunningCallIsAnsweredAfterTheLastRequest checks that a client may close its stream right after its requests.
func TestARunningCallIsAnsweredAfterTheLastRequest(t *testing.T) {
	closed := make(chan struct{})
	c := connect(t, tool{"slow", "", sessionSchema, func(context.Context, json.RawMessage) (string, error) {
		<-closed
		return "done", nil
	}})
	c.send(t, `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"slow"}}`)
	c.to.Close()
	close(closed)
	if got := c.receive(); !strings.Contains(got, `"text":"done"`) {
		t.Errorf("the call is answered with %q", got)
	}
	if err := <-c.ended; err != nil {
		t.Error(err)
	}
}

// TestEveryVersionIsServed checks that clients of the official SDK can list and call the tools in each version of the
// protocol.
func TestEveryVersionIsServed(t *testing.T) {
	for _, version := range versions {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		fromClient, to := io.Pipe()
		from, toClient := io.Pipe()
		answers := &Answers{one: make(chan struct{}, 1), Sentence: error.Error, Version: "1"}
		echo := tool{"echo", "says it again", sessionSchema, reads(func(_ context.Context, in aboutSession) (string, error) { return in.Session, nil })}
		go func() {
			_ = answers.serve(ctx, fromClient, toClient, []tool{echo}, time.Minute)
			toClient.Close()
		}()
		with, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
			Connect(ctx, &sdk.IOTransport{Reader: from, Writer: to}, &sdk.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		if got := with.InitializeResult(); got.ProtocolVersion != version || got.Instructions != instructions {
			t.Errorf("%s: %+v", version, got)
		}
		list, err := with.ListTools(ctx, nil)
		if err != nil || len(list.Tools) != 1 || list.Tools[0].Description != "says it again" || !list.Tools[0].Annotations.ReadOnlyHint {
			t.Errorf("%s: %+v, %v", version, list, err)
		}
		answer, err := with.CallTool(ctx, &sdk.CallToolParams{Name: "echo", Arguments: map[string]any{"session": "a < b"}})
		if err != nil || answer.IsError || answer.Content[0].(*sdk.TextContent).Text != "a < b" {
			t.Errorf("%s: %+v, %v", version, answer, err)
		}
		with.Close()
		cancel()
	}
}
