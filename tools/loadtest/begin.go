// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The number of sessions in the home directory when a daemon starts, all written within the last quarter of an hour,
// and their total size.
const (
	beginSessions = 50
	beginBytes    = 128 << 20
)

// givesBack is how long a daemon idles before its memory is measured: by then it has released what it used to start.
const givesBack = 22 * time.Second

// measureBeginnings measures the cost of starting a daemon on a machine with many recent sessions, with the requests of
// an editor that lists sessions: they are watched, and listed until the number of each is known. Several programs
// alternate, so that other load on the machine affects the figures of all. The figures are CPU time and peak memory
// until the daemon is idle, and its memory then.
func measureBeginnings(programs []string, engine, dir, transcripts string, rounds int, rest time.Duration) error {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		return fmt.Errorf("the memory of a process is told by Linux's /proc alone: %w", err)
	}
	home := filepath.Join(dir, "home")
	size, err := freshSessions(home, transcripts)
	if err != nil {
		return err
	}
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, ".config"), "XDG_DATA_HOME": filepath.Join(home, ".local/share"),
		"XDG_STATE_HOME": filepath.Join(home, ".state"), "XDG_CACHE_HOME": filepath.Join(home, ".cache"), "CLAUDE_CONFIG_DIR": "", "CODEX_HOME": "",
	} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	fmt.Printf("%d sessions of %d MB\n", beginSessions, size>>20)
	measured := make([][]beginning, len(programs))
	for round := range rounds + 1 {
		for i, program := range programs {
			if err := os.RemoveAll(filepath.Join(dir, "state")); err != nil {
				return err
			}
			b, err := measureBeginning(program, engine, dir, rest)
			if err != nil {
				return fmt.Errorf("%s: %w", program, err)
			}
			if round == 0 {
				continue // the first round compiles the engine, which happens once
			}
			fmt.Printf("round %d, %s: %s\n", round, program, b)
			measured[i] = append(measured[i], b)
		}
	}
	for i, program := range programs {
		all := measured[i]
		median := func(of func(beginning) float64) float64 {
			slices.SortFunc(all, func(a, b beginning) int { return cmp.Compare(of(a), of(b)) })
			return of(all[len(all)/2])
		}
		fmt.Printf("%s: %.2f s of processor time, %.0f MB at most and %.0f MB at rest (medians of %d)\n", program,
			median(func(b beginning) float64 { return b.processor.Seconds() }), median(func(b beginning) float64 { return b.most }),
			median(func(b beginning) float64 { return b.anonymous + b.file }), rounds)
	}
	return nil
}

// A beginning is the cost of a daemon until it was idle, in MB and CPU time.
type beginning struct {
	processor       time.Duration
	most            float64
	anonymous, file float64 // when idle
	idle            float64 // percent of a core when idle; negative if not measured
}

func (b beginning) String() string {
	text := fmt.Sprintf("%.2f s, %.0f MB at most, at rest %.0f of its own and %.0f of files", b.processor.Seconds(), b.most, b.anonymous, b.file)
	if b.idle >= 0 {
		text += fmt.Sprintf(", %.2f %% of a core", b.idle)
	}
	return text
}

func measureBeginning(program, engine, dir string, rest time.Duration) (beginning, error) {
	c, err := startClient(program, engine, dir)
	if err != nil {
		return beginning{}, err
	}
	defer c.close()
	if _, err := c.call("ctx/watch", map[string]any{}); err != nil {
		return beginning{}, err
	}
	for unknown := beginSessions; unknown > 0; { // a call reads some megabytes for numbers; the next one continues
		answer, err := c.call("ctx/earlier", map[string]any{"limit": beginSessions})
		if err != nil {
			return beginning{}, err
		}
		var listed struct{ Sessions []struct{ Glimpse *struct{} } }
		if err := json.Unmarshal(answer, &listed); err != nil {
			return beginning{}, err
		}
		before := unknown
		unknown = 0
		for _, s := range listed.Sessions {
			if s.Glimpse == nil {
				unknown++
			}
		}
		if unknown == before {
			break // the others have no number
		}
	}
	go func() { // reads notifications, so that the daemon is not blocked
		for {
			if _, err := c.read(); err != nil {
				return
			}
		}
	}()
	pid := c.child.Process.Pid
	b := beginning{idle: -1}
	if b.processor, err = untilRest(pid); err != nil {
		return b, err
	}
	time.Sleep(givesBack)
	status, err := kilobytes(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return b, err
	}
	b.most, b.anonymous, b.file = status["VmHWM"]/1024, status["RssAnon"]/1024, status["RssFile"]/1024
	if rest > 0 {
		before, err := usedBy(pid)
		if err != nil {
			return b, err
		}
		began := time.Now()
		time.Sleep(rest)
		now, err := usedBy(pid)
		if err != nil {
			return b, err
		}
		b.idle = 100 * float64(now-before) / float64(time.Since(began))
	}
	return b, nil
}

// untilRest waits until a process has used less than a fiftieth of a core for two seconds, and returns its CPU time so
// far.
func untilRest(pid int) (time.Duration, error) {
	const look = 2 * time.Second
	last, err := usedBy(pid)
	for range 60 {
		if err != nil {
			return 0, err
		}
		time.Sleep(look)
		var now time.Duration
		if now, err = usedBy(pid); now-last < look/50 {
			return now, err
		}
		last = now
	}
	return 0, errors.New("the daemon does not come to rest")
}

// usedBy returns the CPU time of a process.
func usedBy(pid int) (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	const tick = 10 * time.Millisecond
	used := time.Duration(0)
	for _, field := range fields[11:13] { // user and system time
		var ticks int64
		if _, err := fmt.Sscan(field, &ticks); err != nil {
			return 0, err
		}
		used += time.Duration(ticks) * tick
	}
	return used, nil
}

// kilobytes parses the lines with kilobytes in a file of /proc.
func kilobytes(path string) (map[string]float64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	memory := map[string]float64{}
	for _, line := range strings.Split(string(text), "\n") {
		name, rest, _ := strings.Cut(line, ":")
		var kb float64
		if n, _ := fmt.Sscanf(rest, "%f kB", &kb); n == 1 {
			memory[name] = kb
		}
	}
	return memory, nil
}

// freshSessions makes a home directory with sessions of Claude Code: copies of the largest transcripts in a directory,
// in turn, until they have the required size. It returns their size.
func freshSessions(home, transcripts string) (int64, error) {
	files, err := filepath.Glob(filepath.Join(transcripts, "claude-code", "*.jsonl"))
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("there are no transcripts in %s/claude-code", transcripts)
	}
	texts := map[string][]byte{}
	for _, file := range files {
		if texts[file], err = os.ReadFile(file); err != nil {
			return 0, err
		}
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Compare(len(texts[b]), len(texts[a])) })
	kinds := 1 // the number of the largest transcripts whose average size is still large enough
	for sum := len(texts[files[0]]); kinds < len(files); kinds++ {
		if sum += len(texts[files[kinds]]); sum*beginSessions/(kinds+1) < beginBytes {
			break
		}
	}
	folder := filepath.Join(home, ".claude", "projects", "-w-p")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return 0, err
	}
	var size int64
	for i := range beginSessions {
		text := texts[files[i%kinds]]
		id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", i)
		if at := bytes.Index(text, []byte(`"sessionId":"`)); at >= 0 {
			old, _, _ := bytes.Cut(text[at+len(`"sessionId":"`):], []byte{'"'})
			text = bytes.ReplaceAll(text, old, []byte(id))
		}
		path := filepath.Join(folder, id+".jsonl")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return 0, err
		}
		size += int64(len(text))
		written := time.Now().Add(-time.Duration(i+1) * 15 * time.Second)
		if err := os.Chtimes(path, written, written); err != nil {
			return 0, err
		}
	}
	return size, nil
}
