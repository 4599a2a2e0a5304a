// Copyright The ctx-lsp authors. MIT licence.

package acp

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// agentUsage holds the values of an agent's usage_update.
type agentUsage struct {
	session    string
	used, size int64
	cost       json.RawMessage
}

// usageIn reads a usage_update; false if the message is not one.
func usageIn(line []byte) (usage agentUsage, ok bool) {
	var m struct {
		Method string `json:"method"`
		Params struct {
			Session string `json:"sessionId"`
			Update  struct {
				Kind string          `json:"sessionUpdate"`
				Used *int64          `json:"used"`
				Size *int64          `json:"size"`
				Cost json.RawMessage `json:"cost"`
			} `json:"update"`
		} `json:"params"`
	}
	if json.Unmarshal(line, &m) != nil || m.Method != "session/update" || m.Params.Update.Kind != "usage_update" {
		return usage, false
	}
	u := m.Params.Update
	if u.Used == nil || u.Size == nil || *u.Used < 0 || *u.Size < 0 {
		return usage, false
	}
	return agentUsage{m.Params.Session, *u.Used, *u.Size, u.Cost}, true
}

// withNumbers replaces the two numbers of a usage_update and leaves every other byte unchanged. If either number is
// missing or occurs twice, the message is returned unchanged.
func withNumbers(line []byte, used, size int64) []byte {
	spots := map[string][2]int{}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	var path []string // the names of the open objects; "" for a list
	name, isName := "", false
	for {
		token, err := decoder.Token()
		if err != nil {
			break
		}
		inObject := len(path) > 0 && path[len(path)-1] != ""
		switch t := token.(type) {
		case json.Delim:
			switch t {
			case '{':
				path, isName = append(path, "."+name), true
			case '[':
				path, isName = append(path, ""), false
			default:
				path = path[:len(path)-1]
				isName = len(path) > 0 && path[len(path)-1] != ""
			}
			continue
		case string:
			if inObject && isName {
				name, isName = t, false
				continue
			}
		case json.Number:
			if len(path) == 3 && path[1] == ".params" && path[2] == ".update" && (name == "used" || name == "size") {
				if _, twice := spots[name]; twice {
					return line
				}
				end := int(decoder.InputOffset())
				spots[name] = [2]int{end - len(t), end}
			}
		}
		isName = inObject
	}
	if len(spots) != 2 {
		return line
	}
	first, second := spots["used"], spots["size"]
	a, b := used, size
	if first[0] > second[0] {
		first, second, a, b = second, first, size, used
	}
	out := make([]byte, 0, len(line)+24)
	out = strconv.AppendInt(append(out, line[:first[0]]...), a, 10)
	out = strconv.AppendInt(append(out, line[first[1]:second[0]]...), b, 10)
	return append(out, line[second[1]:]...)
}
