// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestReadLog(t *testing.T) {
	for name, test := range map[string]struct {
		log, want string
		skipped   int
	}{
		"the whole state":         {`{"kind":0,"v":{"a":1}}`, `{"a":1}`, 0},
		"the state comes again":   {`{"kind":0,"v":{"a":1}}` + "\n" + `{"kind":0,"v":{"b":2}}`, `{"b":2}`, 0},
		"set":                     {`{"kind":0,"v":{"a":{"b":[1,2]}}}` + "\n" + `{"kind":1,"k":["a","b",1],"v":"x"}`, `{"a":{"b":[1,"x"]}}`, 0},
		"set one behind the last": {`{"kind":0,"v":{"a":[1]}}` + "\n" + `{"kind":1,"k":["a",1],"v":2}`, `{"a":[1,2]}`, 0},
		"push":                    {`{"kind":0,"v":{"a":[1]}}` + "\n" + `{"kind":2,"k":["a"],"v":[2,3]}`, `{"a":[1,2,3]}`, 0},
		"push cuts first":         {`{"kind":0,"v":{"a":[1,2,3]}}` + "\n" + `{"kind":2,"k":["a"],"v":[9],"i":1}`, `{"a":[1,9]}`, 0},
		"push into a list inside": {`{"kind":0,"v":{"r":[{"l":[]}]}}` + "\n" + `{"kind":2,"k":["r",0,"l"],"v":["x"]}`, `{"r":[{"l":["x"]}]}`, 0},
		"push to nothing":         {`{"kind":0,"v":{}}` + "\n" + `{"kind":2,"k":["a"],"v":[1]}`, `{"a":[1]}`, 0},
		"delete":                  {`{"kind":0,"v":{"a":1,"b":[1,2,3]}}` + "\n" + `{"kind":3,"k":["a"]}` + "\n" + `{"kind":3,"k":["b",1]}`, `{"b":[1,3]}`, 0},
		"large numbers stay":      {`{"kind":0,"v":{"a":9007199254740993}}`, `{"a":9007199254740993}`, 0},
		"a torn last line":        {`{"kind":0,"v":{"a":1}}` + "\n" + `{"kind":1,"k":["a"],"v`, `{"a":1}`, 1},
		"wrong entries":           {`{"kind":0,"v":{"a":[1]}}` + "\n" + `{"kind":1,"k":["x","y"],"v":1}` + "\n" + `{"kind":1,"k":[],"v":1}` + "\n" + `{"kind":9}` + "\n" + `{"kind":2,"k":["a"],"v":[2],"i":5}` + "\n" + `{"kind":1,"k":["a",7],"v":2}` + "\n" + `{"kind":1,"k":["a",-1],"v":2}` + "\n" + `{"kind":0,"v":7}`, `{"a":[1]}`, 7},
		"push to the whole list":  {`{"kind":0,"v":{"a":[1,2]}}` + "\n" + `{"kind":2,"k":["a"],"v":[9],"i":2}`, `{"a":[1,2,9]}`, 0},
		"push cuts everything":    {`{"kind":0,"v":{"a":[1,2]}}` + "\n" + `{"kind":2,"k":["a"],"v":[9],"i":0}`, `{"a":[9]}`, 0},
		"push only cuts":          {`{"kind":0,"v":{"a":[1,2]}}` + "\n" + `{"kind":2,"k":["a"],"i":1}`, `{"a":[1]}`, 0},
		"push no list":            {`{"kind":0,"v":{"a":[1]}}` + "\n" + `{"kind":2,"k":["a"],"v":7}`, `{"a":[1]}`, 1},
		"push to no list":         {`{"kind":0,"v":{"a":7}}` + "\n" + `{"kind":2,"k":["a"],"v":[1]}`, `{"a":7}`, 1},
		"push before the first":   {`{"kind":0,"v":{"a":[1]}}` + "\n" + `{"kind":2,"k":["a"],"v":[1],"i":-1}`, `{"a":[1]}`, 1},
		"push into inner lists":   {`{"kind":0,"v":{"a":[[1]]}}` + "\n" + `{"kind":1,"k":["a",0,1],"v":2}` + "\n" + `{"kind":2,"k":["a",0],"v":[3]}` + "\n" + `{"kind":3,"k":["a",0,0]}`, `{"a":[[2,3]]}`, 0},
		"delete nothing":          {`{"kind":0,"v":{"a":[1],"b":7}}` + "\n" + `{"kind":3,"k":["a",1]}` + "\n" + `{"kind":3,"k":["a","x"]}` + "\n" + `{"kind":3,"k":["b","x"]}` + "\n" + `{"kind":3,"k":[0]}` + "\n" + `{"kind":3,"k":["c"]}`, `{"a":[1],"b":7}`, 4},
		"set in nothing":          {`{"kind":0,"v":{"a":[1],"b":7}}` + "\n" + `{"kind":1,"k":["b","x"],"v":1}` + "\n" + `{"kind":1,"k":["a","x"],"v":1}` + "\n" + `{"kind":1,"k":[0],"v":1}` + "\n" + `{"kind":1,"k":["a",1,"x"],"v":1}` + "\n" + `{"kind":1,"k":["b","x","y"],"v":1}` + "\n" + `{"kind":1,"k":["a",0.5],"v":1}` + "\n" + `{"kind":1,"k":[0,"x"],"v":1}`, `{"a":[1],"b":7}`, 7},
		"an entry without value":  {`{"kind":0,"v":{"a":1}}` + "\n" + `{"kind":1,"k":["a"]}`, `{"a":null}`, 0},
		"a long path":             {`{"kind":0,"v":` + strings.Repeat(`{"a":`, 64) + `1` + strings.Repeat(`}`, 64) + `}` + "\n" + `{"kind":1,"k":["a"` + strings.Repeat(`,"a"`, 63) + `],"v":2}`, strings.Repeat(`{"a":`, 64) + `2` + strings.Repeat(`}`, 64), 0},
		"a path that is too long": {`{"kind":0,"v":` + strings.Repeat(`{"a":`, 65) + `1` + strings.Repeat(`}`, 65) + `}` + "\n" + `{"kind":1,"k":["a"` + strings.Repeat(`,"a"`, 64) + `],"v":2}`, strings.Repeat(`{"a":`, 65) + `1` + strings.Repeat(`}`, 65), 1},
		"a line that is not JSON": {`{"kind":0,"v":{"a":1}}` + "\n\n" + `{"v":1}` + "\n" + `nonsense` + "\n" + `{"kind":1,"k":["a"],"v":2}`, `{"a":2}`, 2},
		"a list":                  {`[1]`, ``, 1},
		"an entry before a state": {`{"kind":1,"k":["a"],"v":1}`, ``, 1},
		"a document":              {"{\n \"requests\": []\n}\n", "{\n \"requests\": []\n}", 0},
		"no JSON":                 {"hello", ``, 1},
		"nothing":                 {"", ``, 0},
		"a document with a mark":  {"\xef\xbb\xbf{\n \"requests\": []\n}\n", "{\n \"requests\": []\n}", 0},
		"a log with a mark":       {"\xef\xbb\xbf" + `{"kind":0,"v":{"a":1}}` + "\n" + `{"kind":1,"k":["a"],"v":2}`, `{"a":2}`, 0},
	} {
		state, skipped, err := readLog(strings.NewReader(test.log))
		if got := strings.TrimSpace(string(state)); err != nil || squeezed(got) != squeezed(test.want) || skipped != test.skipped {
			t.Errorf("%s: %s, %d skipped, %v", name, got, skipped, err)
		}
	}
}

func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

// TestTwoStatesShareNothing: a list that was pushed to is no longer the one that another entry has set.
func TestTwoStatesShareNothing(t *testing.T) {
	log := `{"kind":0,"v":{"a":[1,2,3],"b":[]}}` + "\n" + `{"kind":2,"k":["a"],"v":[4],"i":1}` + "\n" + `{"kind":2,"k":["a"],"v":[5]}`
	if state, _, _ := readLog(strings.NewReader(log)); string(state) != `{"a":[1,4,5],"b":[]}` {
		t.Errorf("%s", state)
	}
}

// FuzzRead applies anything: it ends, and what it gives is JSON.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"kind":0,"v":{"a":[1,{"b":2}]}}` + "\n" + `{"kind":1,"k":["a",1,"b"],"v":3}` + "\n" + `{"kind":2,"k":["a"],"v":[4],"i":1}` + "\n" + `{"kind":3,"k":["a",0]}`))
	f.Add([]byte("{\n\"requests\":[]}"))
	f.Fuzz(func(t *testing.T, log []byte) {
		state, _, err := readLog(strings.NewReader(string(log)))
		if err == nil && state != nil && !json.Valid(state) {
			t.Errorf("%q", state)
		}
	})
}
