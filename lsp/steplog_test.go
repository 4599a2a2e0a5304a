// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// TestEachVerifiedRequestIsLogged checks that the daemon logs the accuracy of its predictions: a line for each request
// that was compared with the number shown before it, including the first one, and none for other changes or for a
// request that is reported again.
func TestEachVerifiedRequestIsLogged(t *testing.T) {
	for level, want := range map[slog.Level][]string{
		slog.LevelInfo: {
			`msg="estimate 73000 actual 122400 error -49400 (-40.36%) ratio 1" session=log`,
			`msg="estimate 122500 actual 130000 error -7500 (-5.77%) ratio 1" session=log`,
		},
		slog.LevelWarn: nil,
	} {
		var log bytes.Buffer
		options := Options{
			Engine: realEngine(t, "native"),
			Log:    slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: level})),
		}
		s := newTestServer(t, options)
		c := start(t, s)
		c.call("ctx/session/open", `{"id":"log","limits":{"window":200000},"rule":"none"}`)
		c.call("ctx/session/update", `{"id":"log","memory":3000,"append":[{"kind":"user","tokens":70000}]}`)
		for _, usage := range []string{
			`{"id":"log","provider":"ctx","request":"a","usage":{"in":122400,"out":100}}`,
			`{"id":"log","provider":"ctx","request":"a","usage":{"in":122400,"out":100}}`,
			`{"id":"log","provider":"ctx","request":"b","usage":{"in":130000,"out":100}}`,
		} {
			c.call("ctx/session/usage", usage)
			c.call("ctx/session/update", `{"id":"log","title":"nothing new"}`)
		}
		c.call("ctx/session/close", `{"id":"log"}`)
		s.Close()
		var got []string
		for _, line := range strings.Split(log.String(), "\n") {
			if strings.Contains(line, "estimate ") {
				got = append(got, line[strings.Index(line, "msg="):])
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("at %v:\n%s\nwanted:\n%s", level, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestScaledRowsAreLoggedOnce checks that the log has the warning about rows that were scaled to fit a measured total.
func TestScaledRowsAreLoggedOnce(t *testing.T) {
	var log bytes.Buffer
	s := newTestServer(t, Options{Engine: realEngine(t, "native"), Log: slog.New(slog.NewTextHandler(&log, nil))})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"log","limits":{"window":200000}}`)
	c.call("ctx/session/update", `{"id":"log","append":[{"kind":"user","text":"`+strings.Repeat("a line of words ", 500)+`"}]}`)
	for _, in := range []string{`1000`, `1010`, `1020`} {
		c.call("ctx/session/usage", `{"id":"log","provider":"ctx","usage":{"in":`+in+`,"out":100}}`)
	}
	c.call("ctx/session/close", `{"id":"log"}`)
	s.Close()
	s.logVerified("log", &verified{}, fmt.Appendf(nil, `{"notes":[{"id":%q}]}`, phrase.Scaled.Name())) // without its text
	if n := strings.Count(log.String(), "Estimated rows were scaled to "); n != 1 {
		t.Errorf("the log has the warning %d times:\n%s", n, log.String())
	}
}

// TestOneLineIsLoggedForSeveralRequests checks that requests that were verified before the daemon saw the session are
// not logged, and that one change with several has one line with their number.
func TestOneLineIsLoggedForSeveralRequests(t *testing.T) {
	var log bytes.Buffer
	s := newTestServer(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	var state verified
	for i, test := range []struct {
		steps int64
		last  string
		want  string
	}{
		{3, `{"predicted":90,"actual":100,"error":-10,"percent":-10}`, ""},
		{3, `{"predicted":90,"actual":100,"error":-10,"percent":-10}`, ""},
		{4, `{"predicted":110,"actual":100,"error":10,"percent":10}`, `msg="estimate 110 actual 100 error +10 (+10%) ratio 1.5" session=s`},
		{4, `null`, ""},
		{7, `{"predicted":110,"actual":100,"error":10,"percent":10}`, `msg="estimate 110 actual 100 error +10 (+10%) ratio 1.5" session=s requests=3`},
	} {
		log.Reset()
		s.logVerified("s", &state, fmt.Appendf(nil, `{"accuracy":{"last":%s,"ratio":1.5,"steps":%d}}`, test.last, test.steps))
		got := strings.TrimSpace(log.String())
		if at := strings.Index(got, "msg="); at > 0 {
			got = got[at:]
		}
		if got != test.want {
			t.Errorf("step %d: %q, want %q", i, got, test.want)
		}
	}
}
