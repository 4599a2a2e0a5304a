// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// An operation log is how VS Code keeps chat sessions: each line is an entry that changes one value, and all of them
// together are its present state.
//
//	{"kind":0,"v":state}                   the whole state
//	{"kind":1,"k":[path],"v":value}        sets what the path leads to
//	{"kind":2,"k":[path],"v":[…],"i":n}    appends to a list, cut to n first
//	{"kind":3,"k":[path]}                  deletes
//
// A path is the names and indexes that lead to a value. An entry that cannot be
// applied is counted and left out, and so is a last line that is torn.

const (
	// mostLog bounds how much of a log is read.
	mostLog = 256 << 20
	// mostDepth bounds paths; states are not as deep.
	mostDepth = 64
)

// errLogTooLong is the error of a log that is longer than mostLog.
var errLogTooLong = errors.New("it is larger than 256 MB")

type logEntry struct {
	Kind *int            `json:"kind"`
	Key  []any           `json:"k"`
	V    json.RawMessage `json:"v"`
	I    *int            `json:"i"`
}

// readLog applies a log and returns its state as JSON; nil if no logEntry gives one. skipped is how many entries could
// not be applied. A file that is one state and no log is that state.
func readLog(r io.Reader) (state []byte, skipped int, err error) {
	limited := &io.LimitedReader{R: r, N: mostLog + 1}
	lines := bufio.NewReaderSize(limited, 64<<10)
	var root any
	for n := 0; ; n++ {
		line, end := lines.ReadBytes('\n')
		if limited.N <= 0 {
			return nil, skipped, errLogTooLong
		}
		if line = bytes.TrimSpace(transcript.Unmarked(line)); len(line) > 0 {
			var e logEntry
			if json.Unmarshal(line, &e) != nil || e.Kind == nil {
				if n == 0 { // a document, on one line or on many
					rest, _ := io.ReadAll(lines)
					if limited.N <= 0 {
						return nil, skipped, errLogTooLong
					}
					if whole := append(line, rest...); json.Valid(whole) && whole[0] == '{' {
						return whole, skipped, nil
					}
					return nil, 1, nil
				}
				skipped++
			} else if !applyEntry(&root, &e) {
				skipped++
			}
		}
		if end != nil {
			break
		}
	}
	if root == nil {
		return nil, skipped, nil
	}
	state, err = json.Marshal(root)
	return state, skipped, err
}

// applyEntry changes the state by an logEntry.
func applyEntry(root *any, e *logEntry) bool {
	var v any
	if len(e.V) > 0 {
		d := json.NewDecoder(bytes.NewReader(e.V))
		d.UseNumber()
		if d.Decode(&v) != nil {
			return false
		}
	}
	switch *e.Kind {
	case 0:
		if _, object := v.(map[string]any); !object {
			return false
		}
		*root = v
		return true
	case 1, 2, 3:
		if len(e.Key) == 0 || len(e.Key) > mostDepth || *root == nil {
			return false
		}
		return changeState(root, e, v)
	}
	return false
}

// changeState walks to the object or list that contains the value, and changes it there.
func changeState(root *any, e *logEntry, v any) bool {
	at, put := *root, func(v any) { *root = v }
	for _, key := range e.Key[:len(e.Key)-1] {
		next, ok := stateChild(at, key)
		if !ok {
			return false
		}
		at, put = next, stateWithin(at, key)
	}
	last := e.Key[len(e.Key)-1]
	switch *e.Kind {
	case 1:
		return setState(at, last, v, put)
	case 3:
		return removeState(at, last, put)
	}
	more, ok := v.([]any)
	if !ok && v != nil {
		return false
	}
	there, _ := stateChild(at, last)
	list, ok := there.([]any)
	if !ok && there != nil {
		return false
	}
	if e.I != nil {
		if *e.I < 0 || *e.I > len(list) {
			return false
		}
		list = list[:*e.I]
	}
	return setState(at, last, append(list[:len(list):len(list)], more...), put)
}

// stateChild returns the value under a name or an index.
func stateChild(of, key any) (any, bool) {
	switch of := of.(type) {
	case map[string]any:
		name, ok := key.(string)
		if !ok {
			return nil, false
		}
		v, there := of[name]
		return v, there
	case []any:
		i, ok := stateIndex(key)
		if !ok || i >= len(of) {
			return nil, false
		}
		return of[i], true
	}
	return nil, false
}

// stateWithin returns a function that puts a value back where stateChild has found one.
func stateWithin(of, key any) func(any) {
	return func(v any) {
		switch of := of.(type) {
		case map[string]any:
			of[key.(string)] = v
		case []any:
			i, _ := stateIndex(key)
			of[i] = v
		}
	}
}

func setState(of, key, v any, put func(any)) bool {
	switch of := of.(type) {
	case map[string]any:
		name, ok := key.(string)
		if ok {
			of[name] = v
		}
		return ok
	case []any:
		i, ok := stateIndex(key)
		switch {
		case !ok || i > len(of):
			return false
		case i == len(of):
			put(append(of[:i:i], v))
		default:
			of[i] = v
		}
		return true
	}
	return false
}

func removeState(of, key any, put func(any)) bool {
	switch of := of.(type) {
	case map[string]any:
		name, ok := key.(string)
		delete(of, name)
		return ok
	case []any:
		i, ok := stateIndex(key)
		if !ok || i >= len(of) {
			return false
		}
		put(append(of[:i:i], of[i+1:]...))
		return true
	}
	return false
}

// stateIndex returns an index in a list, which JSON writes as a number.
func stateIndex(key any) (int, bool) {
	n, ok := key.(float64)
	if !ok || n < 0 || n > 1<<30 || n != float64(int(n)) {
		return 0, false
	}
	return int(n), true
}
