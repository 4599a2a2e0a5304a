// Copyright The ctx-lsp authors. MIT licence.

// Command statuslinebench measures status lines side by side: ctx-lsp and the
// tools a user would pick instead, on the same generated transcript, in turns,
// so that whatever else the machine does disturbs all of them alike.
//
//	go run ./tools/statuslinebench -ctx-lsp bin/ctx-lsp -tools DIR
//
// DIR is a folder with a node_modules of the other tools; those that are not
// there are left out, and said to be.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/tools/internal/peak"
)

// tool is one status line.
type tool struct {
	name   string
	args   []string
	forget string // a folder to remove before each run
	runs   []run
}

type run struct {
	wall, processor time.Duration
	kb              int64
}

func main() {
	program := flag.String("ctx-lsp", "bin/ctx-lsp", "the program")
	tools := flag.String("tools", "", "a folder with a node_modules of other tools")
	megabytes := flag.Int("mb", 19, "size of the transcript")
	times := flag.Int("n", 15, "runs of each")
	flag.Parse()
	if err := measure(*program, *tools, *megabytes, *times); err != nil {
		fmt.Fprintln(os.Stderr, "statuslinebench:", err)
		os.Exit(1)
	}
}

func measure(program, tools string, megabytes, times int) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "statuslinebench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	transcript := filepath.Join(home, ".claude", "projects", "-w-shop", session+".jsonl")
	size, err := generate(transcript, megabytes<<20)
	if err != nil {
		return err
	}
	status := fmt.Sprintf(`{"session_id":%q,"transcript_path":%q,"cwd":%q,"model":{"id":"claude-opus-4-6","display_name":"Opus 4.6"},"workspace":{"current_dir":%q,"project_dir":%q},"version":"2.1.120","cost":{"total_cost_usd":1,"total_duration_ms":1000,"total_api_duration_ms":500},"context_window":{"context_window_size":200000,"total_input_tokens":90000,"total_output_tokens":60,"current_usage":{"input_tokens":3,"output_tokens":60,"cache_creation_input_tokens":997,"cache_read_input_tokens":89000},"used_percentage":45,"remaining_percentage":55}}`,
		session, transcript, home, home, home)

	cache := filepath.Join(home, "cache")
	list := []*tool{
		{name: "ctx-lsp statusline, first time", args: []string{program, "statusline"}, forget: cache},
		{name: "ctx-lsp statusline, after", args: []string{program, "statusline"}},
		{name: "ctx-lsp statusline, transcript grown", args: []string{program, "statusline"}},
	}
	for _, other := range []struct{ name, script, args string }{
		{"ccstatusline", "ccstatusline/dist/ccstatusline.js", ""},
		{"ccusage statusline", "ccusage/src/cli.js", "statusline --offline"},
	} {
		script := filepath.Join(tools, "node_modules", filepath.FromSlash(other.script))
		if _, err := os.Stat(script); tools == "" || err != nil {
			fmt.Printf("%s is not installed and left out\n", other.name)
			continue
		}
		list = append(list, &tool{name: other.name, args: append([]string{"node", script}, strings.Fields(other.args)...)})
	}
	list = append(list, &tool{name: "node -e 0 (the floor of any Node program)", args: []string{"node", "-e", "0"}})

	for i := range times {
		for _, t := range list {
			if t.args == nil {
				continue
			}
			if t.forget != "" {
				os.RemoveAll(t.forget)
			}
			if strings.HasSuffix(t.name, "grown") {
				if err := grow(transcript, i); err != nil {
					return err
				}
			}
			r, err := once(t.args, status, home, cache)
			if err != nil && t.args[0] == program {
				return fmt.Errorf("%s: %w", t.name, err)
			}
			if err != nil {
				fmt.Printf("%s does not run here: %.200s\n", t.name, strings.TrimSpace(err.Error()))
				t.args = nil
				continue
			}
			t.runs = append(t.runs, r)
		}
	}
	fmt.Printf("\nmedians of %d runs in turns, transcript of %.1f MB\n", times, float64(size)/1e6)
	fmt.Printf("%-44s %9s %9s %9s %9s\n", "", "wall", "p90", "processor", "memory")
	for _, t := range list {
		if t.args == nil {
			continue
		}
		worked := make([]time.Duration, len(t.runs))
		for i, r := range t.runs {
			worked[i] = r.processor
		}
		slices.Sort(worked)
		slices.SortFunc(t.runs, func(a, b run) int { return int(a.wall - b.wall) })
		middle, slow := t.runs[len(t.runs)/2], t.runs[len(t.runs)*9/10]
		fmt.Printf("%-44s %6.1f ms %6.1f ms %6.1f ms %6.1f MB\n", t.name, ms(middle.wall), ms(slow.wall), ms(worked[len(worked)/2]), float64(middle.kb)/1024)
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// once runs a status line as an agent does, with the JSON on standard input.
func once(args []string, status, home, cache string) (run, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin = strings.NewReader(status)
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+cache, "XDG_RUNTIME_DIR="+home, "CLAUDE_CONFIG_DIR="+filepath.Join(home, ".claude"))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	err := cmd.Run()
	r := run{wall: time.Since(began)}
	if state := cmd.ProcessState; state != nil {
		r.processor, r.kb = state.UserTime()+state.SystemTime(), peak.Memory(state)
	}
	if err != nil {
		return r, fmt.Errorf("%w: %s", err, errs.String())
	}
	return r, nil
}

const session = "0197f1c2-0000-7000-8000-000000000001"

// generate writes the transcript of a long session that was compacted a few
// times.
func generate(path string, size int) (int64, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return 0, err
	}
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	// It is written in pieces, because the processes that this one starts would
	// inherit its 19 MB as their own.
	var b bytes.Buffer
	in, written := 20000, int64(0)
	for call := 0; written < int64(size); call++ {
		b.Reset()
		if in > 160000 {
			fmt.Fprintf(&b, `{"parentUuid":null,"logicalParentUuid":"r%d","isSidechain":false,"cwd":"/w/shop","sessionId":%q,"version":"2.1.120","type":"system","subtype":"compact_boundary","content":"Conversation compacted","isMeta":false,"level":"info","compactMetadata":{"trigger":"auto","preTokens":167500},"uuid":"c%d","timestamp":%q}`+"\n", call-1, session, call, clock(call))
			fmt.Fprintf(&b, `{"parentUuid":"c%d","isSidechain":false,"cwd":"/w/shop","sessionId":%q,"version":"2.1.120","type":"user","message":{"role":"user","content":"This session is being continued."},"isCompactSummary":true,"isVisibleInTranscriptOnly":true,"uuid":"r%d","timestamp":%q}`+"\n", call, session, call-1, clock(call))
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

// turn writes one request: the reply with its call, and the call's result,
// which a transcript contains twice.
func turn(b *bytes.Buffer, call, in int) {
	parent := fmt.Sprintf(`"r%d"`, call-1)
	if call == 0 {
		parent = "null"
	}
	output := strings.Repeat("-rw-r--r-- 1 ada ada 4812 Mar  2 09:14 checkout/total.go\n", 60)
	fmt.Fprintf(b, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/w/shop","sessionId":%q,"version":"2.1.120","gitBranch":"main","message":{"model":"claude-opus-4-6","id":"msg_%d","type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{"command":"ls -l checkout","description":"List the files"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":1200,"cache_read_input_tokens":%d,"output_tokens":80,"service_tier":"standard"}},"requestId":"req_%d","type":"assistant","uuid":"a%d","timestamp":%q}`+"\n",
		parent, session, call, call, in-1203, call, call, clock(call))
	fmt.Fprintf(b, `{"parentUuid":"a%d","isSidechain":false,"userType":"external","cwd":"/w/shop","sessionId":%q,"version":"2.1.120","gitBranch":"main","type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_%d","type":"tool_result","content":%q,"is_error":false}]},"uuid":"r%d","timestamp":%q,"toolUseResult":{"stdout":%q,"stderr":"","interrupted":false}}`+"\n",
		call, session, call, output, call, clock(call), output)
}

func clock(call int) string {
	return time.Date(2026, 3, 2, 9, 0, call, 0, time.UTC).Format("2006-01-02T15:04:05.000Z")
}

// grow appends one request, as happens between two refreshes of a status line.
func grow(path string, i int) error {
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
