// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A step is a prediction as replay --steps prints it.
type step struct {
	File      string `json:"file"`
	Call      int64  `json:"call"`
	Predicted int64  `json:"predicted"`
	Low       int64  `json:"low"`
	High      int64  `json:"high"`
	Actual    int64  `json:"actual"`
}

// A request identifies a step in two replays of the same files; n counts the steps of a call.
type request struct {
	file    string
	call, n int64
}

func readSteps(r io.Reader) (map[request]step, error) {
	steps := map[request]step{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if !strings.HasPrefix(lines.Text(), "{") {
			continue // the summary follows the steps
		}
		var s step
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return nil, fmt.Errorf("%s: %w", lines.Text(), err)
		}
		at := request{file: s.File, call: s.Call}
		for _, taken := steps[at]; taken; _, taken = steps[at] {
			at.n++
		}
		steps[at] = s
	}
	return steps, lines.Err()
}

func (s *step) miss() int64 { return max(s.Predicted-s.Actual, s.Actual-s.Predicted) }

// A row of the table is one variant on one set of sessions.
type row struct {
	predictions, changed, better, worse int
	median, p95, p99                    int64
	mean, covered                       float64
}

// compare returns a variant's row; base is the replay of the unchanged core.
func compare(base, of map[request]step) row {
	r := row{predictions: len(of)}
	var misses []int64
	sum, covered := int64(0), 0
	for at, s := range of {
		misses = append(misses, s.miss())
		sum += s.miss()
		if s.Low <= s.Actual && s.Actual <= s.High {
			covered++
		}
		was, both := base[at]
		switch {
		case !both || was.Predicted == s.Predicted:
			continue
		case s.miss() < was.miss():
			r.better++
		case s.miss() > was.miss():
			r.worse++
		}
		r.changed++
	}
	if len(misses) == 0 {
		return r
	}
	slices.Sort(misses)
	at := func(share int) int64 { return misses[min(len(misses)*share/100, len(misses)-1)] }
	r.median, r.p95, r.p99 = at(50), at(95), at(99)
	r.mean, r.covered = float64(sum)/float64(len(misses)), 100*float64(covered)/float64(len(misses))
	return r
}

func (r *row) String() string {
	return fmt.Sprintf("%d | %d | %d | %d | %d | %d | %d | %.2f | %.2f", r.predictions, r.changed, r.better, r.worse, r.median, r.p95, r.p99, r.mean, r.covered)
}
