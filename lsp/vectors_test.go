// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/engine/vectors"
	"github.com/ctx-lsp/ctx-lsp/internal/ipc"
	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
)

// TestVectorsThroughTheDaemon sends the calls of the conformance vectors to one daemon, over standard input and output,
// a socket file and a port. Each result or error has the same bytes as the core's for the same call.
func TestVectorsThroughTheDaemon(t *testing.T) {
	files, err := vectors.Read(os.DirFS("../testdata/conformance"))
	if err != nil {
		t.Fatal(err)
	}
	core, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer core.Close()
	pool, err := engine.Native(engine.Options{Instances: 2})
	if err != nil {
		t.Fatal(err)
	}
	s := newTestServer(t, Options{Engine: func(context.Context) (Engine, error) { return pool, nil }})
	for name, dial := range transports(t, s) {
		if name != "stdio" && testing.Short() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			client := &vectorClient{t: t, dial: dial, core: core}
			defer client.end()
			total := 0
			for _, file := range files {
				if file.Name == "scopes" {
					continue // the daemon refuses scopes, because it sets them
				}
				if file.Name == "panel" {
					continue // the daemon adds the time to calls, and rows of a panel that has one are dated
				}
				for _, v := range file.Vectors {
					total++
					client.of = vectors.Key(file, v)
					if _, failure := vectors.Run(context.Background(), client, v); failure != nil {
						failure.Vector = client.of
						t.Error(failure)
					}
				}
			}
			if total < 60 || client.compared < 500 || client.refused < 100 {
				t.Errorf("%d vectors, %d answers of which %d are errors", total, client.compared, client.refused)
			}
		})
	}
}

// transports connects clients to a server in each way that `ctx-lsp serve` supports.
func transports(t *testing.T, s *Server) map[string]func() io.ReadWriteCloser {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	listening := func(network, address string) func() io.ReadWriteCloser {
		listener, err := net.Listen(network, address)
		if err != nil {
			t.Fatal(err)
		}
		go s.ServeListener(ctx, listener)
		return func() io.ReadWriteCloser {
			conn, err := net.Dial(network, listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			return conn
		}
	}
	all := map[string]func() io.ReadWriteCloser{
		"stdio": func() io.ReadWriteCloser {
			in, toServer, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			fromServer, out, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				s.ServeToEnd(ctx, ipc.Stdio(in, out))
				out.Close()
			}()
			return ipc.Stdio(fromServer, toServer)
		},
		"socket": listening("tcp", "127.0.0.1:0"),
	}
	if runtime.GOOS != "windows" { // internal/ipc tests named pipes there
		all["pipe"] = listening("unix", filepath.Join(t.TempDir(), "s"))
	}
	return all
}

// A vectorClient is a client of the daemon that responds like a core, and compares each response with the core's.
type vectorClient struct {
	t    *testing.T
	dial func() io.ReadWriteCloser
	core *engine.Pool
	of   string // the vector

	conn              io.ReadWriteCloser
	in                *bufio.Reader
	asked             int
	compared, refused int
}

// Reset opens another connection, which has no sessions and no documents.
func (c *vectorClient) Reset() {
	c.end()
	c.core.Reset()
	c.conn = c.dial()
	c.in = bufio.NewReader(c.conn)
	c.ask("initialize", []byte(`{"processId":null,"capabilities":{}}`))
	c.ask("ctx/learned/set", []byte(`{"learned":null}`))
}

// end closes the connection after its sessions, so that they do not affect later ones.
func (c *vectorClient) end() {
	if c.conn == nil {
		return
	}
	var list struct{ Result api.SessionsAnswer }
	if err := json.Unmarshal(c.ask("ctx/sessions", nil), &list); err != nil {
		c.t.Fatal(err)
	}
	for _, each := range list.Result.Sessions {
		c.ask("ctx/session/close", []byte(`{"id":`+string(ownjson.AppendString(nil, each.Session))+`}`))
	}
	c.conn.Close()
	c.conn = nil
}

// Call sends the call to the daemon, and compares its response with the core's.
func (c *vectorClient) Call(ctx context.Context, method string, params []byte) ([]byte, error) {
	params = timed(method, params)
	want, err := c.core.Call(ctx, method, params)
	if err != nil {
		return nil, err
	}
	want = bytes.Clone(want)
	got := c.ask(method, params)
	if method == "ctx/learned/get" { // lessons contain fingerprints of session ids, which the daemon makes unique
		want, got = fingerprint.ReplaceAll(want, nil), fingerprint.ReplaceAll(got, nil)
	}
	c.compared++
	_, refused := api.Outcome(want)
	if refused != nil {
		c.refused++
	}
	switch {
	case refused != nil && (refused.Kind == api.ParseError || refused.Kind == api.LimitExceeded || refused.Kind == api.UnknownMethod):
		// The daemon reads the whole message, not only the parameters, and has more methods.
		if _, other := api.Outcome(got); other == nil || other.Kind != refused.Kind || other.Name != refused.Name {
			c.t.Errorf("%s: %s\ncore    %s\ndaemon  %s", c.of, method, want, got)
		}
	case !bytes.Equal(got, want):
		c.t.Errorf("%s: %s %.300s\ncore    %.600s\ndaemon  %.600s", c.of, method, params, want, got)
	}
	return got, nil
}

var fingerprint = regexp.MustCompile(`"(session|last)":"[0-9a-f]+",|"sessions":\[[^\]]*\],`)

// timed adds the time to the parameters of a call if the daemon would add it, because its clock shows another.
func timed(method string, params []byte) []byte {
	m := api.MethodOf(method)
	if m == nil || m.Reaches != api.OneSession || m.Effect == api.Reads || m.Effect == api.Ends || method == "ctx/session/restore" {
		return params
	}
	var doc ownjson.Document
	v, err := doc.Parse(params)
	if err != nil || v.Kind() != ownjson.Object || v.Get("at").Exists() {
		return params
	}
	w := ownjson.Writer{}
	w.BeginObject()
	for f := v.Fields(); f.Next(); {
		w.Key(f.Key.String())
		w.Raw(f.Value.Raw())
	}
	w.Key("at")
	w.Int(0)
	w.EndObject()
	return w.Buf
}

// ask sends a request and returns its response in the form of the core.
func (c *vectorClient) ask(method string, params []byte) []byte {
	c.asked++
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q`, c.asked, method)
	if len(params) > 0 {
		body += `,"params":` + string(params)
	}
	body += "}"
	go fmt.Fprintf(c.conn, "Content-Length: %d\r\n\r\n%s", len(body), body)
	for {
		m, err := readMessage(c.in)
		if err != nil {
			c.t.Fatalf("%s: %s: the connection ends: %v", c.of, method, err)
		}
		if m.Method != "" {
			continue
		}
		if m.Error == nil {
			return []byte(`{"result":` + string(m.Result) + `}`)
		}
		if m.Error.Message == "" || len(m.Error.Data) == 0 {
			c.t.Errorf("%s: %s: an error without a message or data: %+v", c.of, method, m.Error)
		}
		return []byte(strings.TrimSuffix(fmt.Sprintf(`{"error":{"code":%d,"message":%s,"data":%s}}`,
			m.Error.Code, ownjson.AppendString(nil, m.Error.Message), m.Error.Data), "\n"))
	}
}
