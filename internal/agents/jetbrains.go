// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// jetBrains is GitHub Copilot in JetBrains' editors. Its files have neither a usage nor a directory, and mostly no
// model.
var jetBrains = Agent{
	ID: agent.JetBrains, Home: Folder{Default: ".copilot/jb"},
	Places: Places{
		Roots: func(_ dirs.Environment, home, _ string) []Root { return []Root{{Path: home, List: listJetBrains}} },
	},
	Records: Records{
		Store: &Store{
			List: listJetBrainsFolder, Write: writeJetBrains,
			Line: func(r json.Value) bool {
				kind := r.Get("type")
				return kind.Is("partition.created") || kind.Is("user.message_rendered")
			},
		},
	},
}

// partitions returns the files of a conversation in their order: partition-1.jsonl and so on. Empty ones belong to a
// conversation that was opened and not used.
func partitions(folder string) (paths []string) {
	numbers := map[string]int{}
	for _, entry := range entries(folder) {
		name, isLines := strings.CutSuffix(entry.Name(), ".jsonl")
		text, isPart := strings.CutPrefix(name, "partition-")
		n, err := strconv.Atoi(text)
		if info, failed := entry.Info(); !isLines || !isPart || err != nil || failed != nil || info.Size() == 0 {
			continue
		}
		path := filepath.Join(folder, entry.Name())
		numbers[path] = n
		paths = append(paths, path)
	}
	slices.SortFunc(paths, func(a, b string) int { return numbers[a] - numbers[b] })
	return paths
}

// listJetBrains lists jb/<conversation>/partition-<n>.jsonl: the newest file stands for the conversation.
func listJetBrains(root Root, see func(Candidate)) error {
	return eachFolder(root.Path, func(folder, id string) {
		if files := partitions(folder); len(files) > 0 {
			seeFile(Candidate{Agent: root.Agent, Path: files[len(files)-1], Kind: transcript.Store, ID: id, Alone: true}, see)
		}
	})
}

func listJetBrainsFolder(_ context.Context, path string) ([]transcript.Session, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	return []transcript.Session{{ID: filepath.Base(filepath.Dir(path)), Modified: info.ModTime()}}, nil
}

// writeJetBrains writes the conversation up to a partition. A message is recorded as the user wrote it, and mostly
// again as it is sent, with the files in its context.
func writeJetBrains(_ context.Context, path, _ string, to *transcript.StoreWriter) error {
	session, items := transcript.StoreSession{}, []transcript.StoreItem(nil)
	over, said := map[int]string{}, map[string]int{} // where turns end; the message of each turn
	add := func(i transcript.StoreItem) {
		if i.Text != "" || len(i.JSON) > 0 {
			items = append(items, i)
		}
	}
	for _, file := range partitions(filepath.Dir(path)) {
		err := eachLine(file, func(line string, r json.Value) {
			kind, data, at := r.Get("type"), r.Get("data"), milliseconds(timeOf(r.Get("timestamp")))
			key := filepath.Base(file) + line
			switch {
			case kind.Is("user.message"), kind.Is("user.message_rendered"):
				text := data.Get("renderedMessage")
				if kind.Is("user.message") {
					text = data.Get("content")
				}
				turn := data.Get("turnId").String()
				if n, again := said[turn]; again && turn != "" {
					if kind.Is("user.message_rendered") {
						items[n].Text = text.String()
					}
					return
				}
				said[turn] = len(items)
				items = append(items, transcript.StoreItem{Key: key, Kind: "user", Text: text.String(), At: at, Turn: true})
			case kind.Is("assistant.turn_start"):
				if model := data.Get("model"); model.TextLen() > 0 {
					session.Model = nameIn(model.String())
				}
			case kind.Is("assistant.message"):
				text := data.Get("text")
				if text.TextLen() == 0 {
					text = data.Get("content")
				}
				add(transcript.StoreItem{Key: key + "/thinking", Kind: "reasoning", Text: data.Path("thinking", "text").String(), At: at})
				add(transcript.StoreItem{Key: key, Kind: "assistant", Text: text.String(), At: at})
			case kind.Is("tool.execution_start"):
				items = append(items, transcript.StoreItem{Key: key, Kind: "toolCalls", Name: nameIn(data.Get("toolName").String()), Call: data.Get("toolCallId").String(), JSON: data.Get("arguments").Raw(), At: at})
			case kind.Is("tool.execution_complete"):
				items = append(items, transcript.StoreItem{
					Key: key, Kind: "toolResults", Call: data.Get("toolCallId").String(), Text: jetBrainsResult(data), At: at,
					Error: data.Get("success").Kind() == json.Bool && !data.Get("success").Bool(),
				})
			case kind.Is("assistant.turn_end"):
				over[len(items)] = key
			}
			if session.At == 0 {
				session.At = at
			}
		})
		if err != nil {
			return err
		}
		if file == path {
			break
		}
	}
	to.Session(session)
	to.Warning(phrase.TextsOnly.Text(phrase.Name("JetBrains Copilot")))
	for n := 0; n <= len(items); n++ {
		if key := over[n]; key != "" {
			to.Over(key)
		}
		if n < len(items) {
			to.Item(items[n])
		}
	}
	return nil
}

// jetBrainsResult returns the output of a tool.
func jetBrainsResult(data json.Value) string {
	var text strings.Builder
	for e := data.Path("result", "result").Elements(); e.Next(); {
		text.WriteString(e.Value.Get("value").String())
	}
	return text.String()
}
