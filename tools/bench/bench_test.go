// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTheRatioIsTheMedianOfPairs(t *testing.T) {
	// The ratios are 2, 2 and 1.
	ms := func(list ...int) (out []time.Duration) {
		for _, n := range list {
			out = append(out, time.Duration(n)*time.Millisecond)
		}
		return out
	}
	line := row(measurement{name: "x"}, times{of: [2][]time.Duration{ms(10, 20, 40), ms(20, 40, 40)}})
	if got := strings.Fields(line); !slices.Equal(got, []string{"x", "20.00", "ms", "40.00", "ms", "2.00"}) {
		t.Errorf("%q", line)
	}
}

func TestACommandThatACommitLacksIsADash(t *testing.T) {
	calls := map[string]int{}
	m := measurement{name: "sessions", take: func(p program) (time.Duration, error) {
		calls[p.path]++
		if p.path == "old" {
			return 0, errors.New("exit status 2")
		}
		return 3 * time.Millisecond, nil
	}}
	line := row(m, measure(m, [2]program{{path: "old"}, {path: "new"}}, 4))
	if got := strings.Fields(line); !slices.Equal(got[:5], []string{"sessions", "-", "3.00", "ms", "-"}) {
		t.Errorf("%q", line)
	}
	if calls["old"] != 1 || calls["new"] != 5 {
		t.Errorf("runs: %v; want one of the old program, and four after a first one of the new", calls)
	}
}

func TestProgramsTakeTurnsInGoingFirst(t *testing.T) {
	var order strings.Builder
	m := measurement{take: func(p program) (time.Duration, error) {
		order.WriteString(p.path)
		return 1, nil
	}}
	measure(m, [2]program{{path: "a"}, {path: "b"}}, 3)
	if order.String() != "abbaabba" {
		t.Error(order.String())
	}
}

func TestEachSessionHasItsOwnID(t *testing.T) {
	home := t.TempDir()
	if err := prepare(home); err != nil {
		t.Fatal(err)
	}
	short, err := filepath.Glob(filepath.Join(home, ".claude", "projects", "*", "*.jsonl"))
	if err != nil || len(short) != sessionCount {
		t.Fatalf("%d sessions: %v", len(short), err)
	}
	content, err := os.ReadFile(short[7])
	if err != nil {
		t.Fatal(err)
	}
	id := strings.TrimSuffix(filepath.Base(short[7]), ".jsonl")
	if lines := strings.Count(string(content), "\n"); strings.Count(string(content), id) != lines || lines < 2 {
		t.Errorf("%d lines of %s contain its id %d times", lines, short[7], strings.Count(string(content), id))
	}
	if info, err := os.Stat(long(home)); err != nil || info.Size() < longBytes {
		t.Errorf("the long session: %v, %v", info, err)
	}
}

// TestAnUnfinishedBaseIsNoAlarm checks that a base which does not open its sessions in time is reported in its row, and
// that only the commit's own costs are an alarm.
func TestAnUnfinishedBaseIsNoAlarm(t *testing.T) {
	late := unfinished{time.Minute, 6166, 10_000}
	of := func(base, now time.Duration) times { return times{of: [2][]time.Duration{{base}, {now}}} }
	few, many := of(3*time.Millisecond, 2*time.Millisecond), of(0, 3*time.Millisecond)
	many.missing[0] = late
	if line := row(measurement{name: openingMany}, many); !strings.Contains(line, "(base did not finish within 1m0s of CPU time: 6166 of 10000 sessions are open)") {
		t.Errorf("%q", line)
	}
	if err := growth(few, many); err != nil {
		t.Errorf("the base causes %v", err)
	}
	many.missing = [2]error{nil, late}
	if err := growth(few, many); !errors.Is(err, late) {
		t.Errorf("a commit that does not finish causes %v", err)
	}
	if err := growth(few, of(1, 5*time.Millisecond)); err == nil || !strings.Contains(err.Error(), "ALARM") {
		t.Errorf("a session of many that costs 2.5 times one of few causes %v", err)
	}
}
