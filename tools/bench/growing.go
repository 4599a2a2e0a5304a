// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A growing session is a transcript of Claude Code that gets new requests.
type growing struct {
	path, id, cwd string
	calls, in     int
}

// newGrowing writes a session of forty requests. Each session is a little different.
func newGrowing(home string, i int) (*growing, error) {
	s := &growing{id: fmt.Sprintf("0197%04x-0000-7000-8000-000000000001", i), cwd: fmt.Sprintf("/w/project%d", i), in: 20_000 + 300*i}
	s.path = filepath.Join(home, ".claude", "projects", fmt.Sprintf("-w-project%d", i), s.id+".jsonl")
	if err := os.MkdirAll(filepath.Dir(s.path), 0o755); err != nil {
		return nil, err
	}
	return s, s.request(40)
}

// request appends requests: each is a reply that calls a tool, and the tool's result, which a transcript contains
// twice.
func (s *growing) request(n int) error {
	var b strings.Builder
	output := strings.Repeat("-rw-r--r-- 1 ada ada 4812 Mar  2 09:14 checkout/total.go\n", 60)
	for range n {
		parent := "null"
		if s.calls > 0 {
			parent = fmt.Sprintf(`"r%d"`, s.calls-1)
		}
		now := time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
		head := fmt.Sprintf(`"isSidechain":false,"userType":"external","cwd":%q,"sessionId":%q,"version":"2.1.120","gitBranch":"main","timestamp":%q`, s.cwd, s.id, now)
		if s.in > 165_000 {
			fmt.Fprintf(&b, `{"parentUuid":null,"logicalParentUuid":%s,%s,"type":"system","subtype":"compact_boundary","content":"Conversation compacted","isMeta":false,"level":"info","compactMetadata":{"trigger":"auto","preTokens":%d},"uuid":"c%d"}`+"\n", parent, head, s.in, s.calls)
			parent = fmt.Sprintf(`"c%d"`, s.calls)
			s.in = 30_000
		}
		fmt.Fprintf(&b, `{"parentUuid":%s,%s,"message":{"model":"claude-opus-4-6","id":"msg_%d","type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{"command":"ls -l checkout","description":"List the files"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":1200,"cache_read_input_tokens":%d,"output_tokens":80,"service_tier":"standard"}},"requestId":"req_%d","type":"assistant","uuid":"a%d"}`+"\n",
			parent, head, s.calls, s.calls, s.in-1203, s.calls, s.calls)
		fmt.Fprintf(&b, `{"parentUuid":"a%d",%s,"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_%d","type":"tool_result","content":%q,"is_error":false}]},"uuid":"r%d","toolUseResult":{"stdout":%q,"stderr":"","interrupted":false}}`+"\n",
			s.calls, head, s.calls, output, s.calls, output)
		s.in += 1300
		s.calls++
	}
	f, err := os.OpenFile(s.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(b.String())
	return err
}

// grow keeps adding requests to the sessions in turn, at evenly spaced times.
func grow(sessions []*growing, every time.Duration, stop <-chan struct{}) error {
	ticker := time.NewTicker(every / time.Duration(len(sessions)))
	defer ticker.Stop()
	for i := 0; ; i++ {
		select {
		case <-stop:
			return nil
		case <-ticker.C:
			if err := sessions[i%len(sessions)].request(1); err != nil {
				return err
			}
		}
	}
}
