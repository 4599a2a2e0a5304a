// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// startUnanswered starts a client that does not respond automatically, and returns it, its connection and the requests
// that it gets.
func startUnanswered(t *testing.T) (*testClient, *connection, chan testMessage) {
	s := newTestServer(t, Options{})
	here, there := net.Pipe()
	c := &testClient{t: t, conn: here, code: make(chan int, 1), notes: make(chan testMessage, 1)}
	go func() { c.code <- s.Serve(context.Background(), there) }()
	t.Cleanup(func() { here.Close() })
	questions := make(chan testMessage, 2*maxUnanswered)
	go func() {
		in := wire.NewFraming(here, func(*wire.FrameError) {})
		for {
			body, err := in.Next()
			if err != nil {
				return
			}
			var m testMessage
			if err := json.Unmarshal(body, &m); err != nil {
				t.Errorf("%s: %v", body, err)
			}
			if m.Method == "test/question" {
				questions <- m
			} else if string(m.ID) == `"first"` {
				c.notes <- m
			}
		}
	}()
	c.send(`{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"capabilities":{}}}`)
	<-c.notes
	var of *connection
	s.eachConnection(func(each *connection) { of = each })
	return c, of, questions
}

// TestAClientsResponseReachesItsRequest checks the responses of clients to our requests: results, errors of every
// form, and responses that match no request.
func TestAClientsResponseReachesItsRequest(t *testing.T) {
	c, of, questions := startUnanswered(t)
	for _, each := range []struct{ answer, result, refused string }{
		{`"result":"yes"`, "yes", ""},
		{`"result":"yes","error":null`, "yes", ""},
		{`"result":null`, "", ""},
		{`"error":null`, "", ""},
		{`"error":{"code":-32601,"message":"no"}`, "", "no"},
		{`"result":"yes","error":{"code":7,"message":"both"}`, "", "both"},
		{`"error":"no object"`, "", "code 0"},
		{`"error":{"code":"x","message":5}`, "", "code 0"},
		{`"RESULT":"folded","result":"yes"`, "yes", ""},
		{`"result":"` + strings.Repeat("x", wire.MaxAnswer) + `"`, "", "larger than"},
	} {
		var result string
		done := make(chan error, 1)
		go func() { done <- of.sendRequest(context.Background(), "test/question", []int{1}, &result) }()
		question := <-questions
		if string(question.Params) != "[1]" {
			t.Errorf("asked with %s", question.Params)
		}
		// None of these responds to it.
		for _, id := range []string{`-1`, `1.5`, `"` + string(question.ID) + `"`, `99999999999999999999`, `12345`, `null`} {
			c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":"other"}`, id))
		}
		for range 2 { // the second no longer matches a request
			c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, question.ID, each.answer))
		}
		err := <-done
		var refusal *jsonrpc2.Error
		if each.refused == "" && err != nil || each.refused != "" && (!errors.As(err, &refusal) || !strings.Contains(err.Error(), each.refused)) || result != each.result {
			t.Errorf("%.60s: %q, %v", each.answer, result, err)
		}
	}
	if n := of.unanswered.Load(); n != 0 {
		t.Errorf("%d requests count as unanswered", n)
	}
}

// TestAClientThatAnswersNothingIsNotAskedWithoutEnd checks that memory for requests is limited: a request that timed
// out is included until it is answered.
func TestAClientThatAnswersNothingIsNotAskedWithoutEnd(t *testing.T) {
	c, of, questions := startUnanswered(t)
	impatient, cancel := context.WithCancel(context.Background())
	cancel()
	for range maxUnanswered {
		if err := of.sendRequest(impatient, "test/question", nil, nil); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if err := of.sendRequest(impatient, "test/question", nil, nil); !errors.Is(err, errUnanswered) {
		t.Errorf("asked once more: %v", err)
	}
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":null}`, (<-questions).ID))
	for begin := time.Now(); of.unanswered.Load() >= maxUnanswered; time.Sleep(time.Millisecond) {
		if time.Since(begin) > 10*time.Second {
			t.Fatal("a late answer makes no room")
		}
	}
	if err := of.sendRequest(impatient, "test/question", nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("asked after an answer: %v", err)
	}
}

// TestARequestToADisconnectedClientFails checks that requests to a client end with an error when the client
// disconnects.
func TestARequestToADisconnectedClientFails(t *testing.T) {
	c, of, questions := startUnanswered(t)
	done := make(chan error, 1)
	go func() { done <- of.sendRequest(context.Background(), "test/question", nil, nil) }()
	<-questions
	c.conn.Close()
	if err := <-done; !errors.Is(err, jsonrpc2.ErrClosed) {
		t.Errorf("told %v", err)
	}
	<-c.code
	if err := of.sendRequest(context.Background(), "test/question", nil, nil); !errors.Is(err, jsonrpc2.ErrClosed) {
		t.Errorf("told afterwards %v", err)
	}
}

// failing is a connection that panics when it is read.
type failing struct{ net.Conn }

func (failing) Read([]byte) (int, error) { panic("a defect below the framing") }

// TestADefectBelowTheLibraryClosesThatConnectionAlone checks a panic in the reader, which runs in a goroutine of the
// library.
func TestADefectBelowTheLibraryClosesThatConnectionAlone(t *testing.T) {
	s := newTestServer(t, Options{})
	other := start(t, s)
	here, there := net.Pipe()
	defer here.Close()
	if code := s.Serve(context.Background(), failing{there}); code != 1 {
		t.Errorf("code %d", code)
	}
	other.call("ctx/sessions", "{}")
	if n := s.metrics.defects.Load(); n != 1 {
		t.Errorf("%d defects counted", n)
	}
}

// TestUnknownMethodsAreRefusedWithTheUnchangedId checks that every id is returned as it was written.
func TestUnknownMethodsAreRefusedWithTheUnchangedId(t *testing.T) {
	c := start(t, newTestServer(t, Options{}))
	for _, id := range []string{`0`, `-7`, `1.50`, `1e3`, `99999999999999999999`, `""`, `"7"`, `"a\u0022 \"é"`} {
		c.send(`{"jsonrpc":"2.0","method":"other/nothing","params":{"much":[1,2]}}`) // is not answered
		c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"other/\u006eothing"}`)
		if m := c.note("(answer)"); string(m.ID) != id || m.Error == nil || m.Error.Code != api.Code(api.UnknownMethod) || !strings.Contains(m.Error.Message, `"other/nothing"`) {
			t.Errorf("%s is answered with %+v", id, m)
		}
	}
}
