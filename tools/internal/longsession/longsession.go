// Copyright The ctx-lsp authors. MIT licence.

// Package longsession generates the transcript of a long session of Claude Code, for benchmarks.
package longsession

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ID is the id of the session.
const ID = "0197f1c2-0000-7000-8000-000000000001"

// Write writes the transcript of a session that was compacted a few times, of at least size bytes, and returns its
// size.
func Write(path string, size int) (int64, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return 0, err
	}
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	// The file is written in pieces, because processes started by this one would inherit its memory.
	var b bytes.Buffer
	in, written := 20000, int64(0)
	for call := 0; written < int64(size); call++ {
		b.Reset()
		if in > 160000 {
			fmt.Fprintf(&b, `{"parentUuid":null,"logicalParentUuid":"r%d","isSidechain":false,"cwd":"/w/shop","sessionId":%q,"version":"2.1.120","type":"system","subtype":"compact_boundary","content":"Conversation compacted","isMeta":false,"level":"info","compactMetadata":{"trigger":"auto","preTokens":167500},"uuid":"c%d","timestamp":%q}`+"\n", call-1, ID, call, clock(call))
			fmt.Fprintf(&b, `{"parentUuid":"c%d","isSidechain":false,"cwd":"/w/shop","sessionId":%q,"version":"2.1.120","type":"user","message":{"role":"user","content":"This session is being continued."},"isCompactSummary":true,"isVisibleInTranscriptOnly":true,"uuid":"r%d","timestamp":%q}`+"\n", call, ID, call-1, clock(call))
			in = 30000
		}
		turn(&b, call, in)
		in += 1200
		n, err := f.Write(b.Bytes())
		if err != nil {
			return written, err
		}
		written += int64(n)
	}
	return written, nil
}

// Grow appends one request, as happens between two refreshes of a status line.
func Grow(path string, i int) error {
	var b bytes.Buffer
	turn(&b, 1_000_000+i, 90000+i)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(b.Bytes())
	return err
}

// Status returns the message that Claude Code sends to a status line.
func Status(transcript, directory string) string {
	return fmt.Sprintf(`{"session_id":%q,"transcript_path":%q,"cwd":%q,"model":{"id":"claude-opus-4-6","display_name":"Opus 4.6"},"workspace":{"current_dir":%q,"project_dir":%q},"version":"2.1.120","cost":{"total_cost_usd":1,"total_duration_ms":1000,"total_api_duration_ms":500},"context_window":{"context_window_size":200000,"total_input_tokens":90000,"total_output_tokens":60,"current_usage":{"input_tokens":3,"output_tokens":60,"cache_creation_input_tokens":997,"cache_read_input_tokens":89000},"used_percentage":45,"remaining_percentage":55}}`,
		ID, transcript, directory, directory, directory)
}

// turn writes one request: the reply with its call, and the call's result, which a transcript contains twice.
func turn(b *bytes.Buffer, call, in int) {
	parent := fmt.Sprintf(`"r%d"`, call-1)
	if call == 0 {
		parent = "null"
	}
	output := strings.Repeat("-rw-r--r-- 1 ada ada 4812 Mar  2 09:14 checkout/total.go\n", 60)
	fmt.Fprintf(b, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/w/shop","sessionId":%q,"version":"2.1.120","gitBranch":"main","message":{"model":"claude-opus-4-6","id":"msg_%d","type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{"command":"ls -l checkout","description":"List the files"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":1200,"cache_read_input_tokens":%d,"output_tokens":80,"service_tier":"standard"}},"requestId":"req_%d","type":"assistant","uuid":"a%d","timestamp":%q}`+"\n",
		parent, ID, call, call, in-1203, call, call, clock(call))
	fmt.Fprintf(b, `{"parentUuid":"a%d","isSidechain":false,"userType":"external","cwd":"/w/shop","sessionId":%q,"version":"2.1.120","gitBranch":"main","type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_%d","type":"tool_result","content":%q,"is_error":false}]},"uuid":"r%d","timestamp":%q,"toolUseResult":{"stdout":%q,"stderr":"","interrupted":false}}`+"\n",
		call, ID, call, output, call, clock(call), output)
}

func clock(call int) string {
	return time.Date(2026, 3, 2, 9, 0, call, 0, time.UTC).Format("2006-01-02T15:04:05.000Z")
}
