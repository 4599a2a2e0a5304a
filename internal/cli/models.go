// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// modelInfo is one model in the output of `models --json`.
type modelInfo struct {
	ID        string `json:"id"`
	Provider  string `json:"provider"`
	Window    *int64 `json:"window"`
	Input     *int64 `json:"input"`
	Output    *int64 `json:"output"`
	Sharing   string `json:"sharing"`
	Encoding  string `json:"encoding"`
	Family    string `json:"family"`
	Reasoning string `json:"reasoning"`
	Source    string `json:"source"`
	Date      string `json:"date"`
}

func describeModel(m model.Model) modelInfo {
	known := func(n int64) *int64 {
		if n <= 0 {
			return nil
		}
		return &n
	}
	return modelInfo{m.ID, m.Provider, known(m.Window), known(m.Input), known(m.Output), m.Sharing(), m.Encoding, m.Family, m.Reasoning.String(), m.Source, m.Date}
}

func modelsCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "models [QUERY]",
		Short: "list models: window, input, output, tokenizer",
		Example: `  ctx-lsp models                      every model
  ctx-lsp models gpt-5.5              one, and those whose names contain its name
  ctx-lsp models 'claude-sonnet-4-5[1m]' --json
  ctx-lsp models grok --provider github-copilot
  ctx-lsp models --model-file mine.json`,
		Long: `Ids may be decorated like those of providers: openrouter/anthropic/claude-opus-4.5,
us.anthropic.claude-opus-4-5-20251101-v1:0.

A model file defines your own models, which override the built-in ones: {"models": [{"id": "big-pickle",
"window": 200000, "input": …, "output": …, "provider": …, "sharing": "shared", "family": …, "reasoning": "turn"}]}

The exit code is 1 if no model matches.`,
	}
	fs := c.Flags()
	provider := fs.String("provider", "", "show the limits of this `PROVIDER` if they differ from the maker's")
	file := fs.String("model-file", "", "add the models in this `FILE`")
	asJSON := jsonFlag(fs, "print JSON; unknown numbers are null")
	colorMode := colorFlag(fs)
	c.RunE = does(func(ctx context.Context, rest []string) int {
		if len(rest) > 1 {
			return env.usageError("models", fmt.Errorf("expected one query, not %d", len(rest)))
		}
		query := strings.Join(rest, "")
		if len(rest) == 1 && strings.TrimSpace(query) == "" {
			return env.usageError("models", errors.New("the query is blank; without a query all models are listed"))
		}
		registry, err := readModelFile(env, *file)
		if err != nil {
			return env.fail(err)
		}
		found := findModels(registry, query, *provider)
		if *asJSON {
			list := make([]modelInfo, len(found))
			for i, m := range found {
				list[i] = describeModel(m)
			}
			if failed := env.printJSON(struct {
				Schema string      `json:"schema"`
				Models []modelInfo `json:"models"`
			}{"ctx.models/1", list}); failed != exitOK {
				return failed
			}
		} else {
			writeModels(env, found, env.color(colorMode.value))
		}
		if len(found) == 0 {
			if !*asJSON {
				env.errorf("unknown model %q", query)
				env.hintf("set its limits with --model-file, or in the session that uses it")
			}
			return exitError
		}
		return exitOK
	})
	return c
}

// maxModelFile is the size limit of the user's file of models.
const maxModelFile = 1 << 20

// readModelFile reads the user's own models. It reports invalid entries and leaves them out.
func readModelFile(env *environment, path string) (*model.Registry, error) {
	registry := &model.Registry{}
	if path == "" {
		return registry, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(text) > maxModelFile {
		return nil, fmt.Errorf("%s is larger than 1 MB, the maximum for a model file", path)
	}
	v, err := json.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, complaint := range registry.Add(v) {
		env.errorf("%s: %s", path, complaint)
	}
	return registry, nil
}

// findModels lists the model with the queried name, followed by the models whose ids contain the query.
func findModels(registry *model.Registry, query, provider string) []model.Model {
	var found []model.Model
	seen := map[string]bool{}
	add := func(m model.Model) {
		if key := model.Key(m.ID) + " " + m.Provider; !seen[key] {
			seen[key] = true
			found = append(found, m)
		}
	}
	if query != "" {
		if m, ok := registry.Find(query, provider, ""); ok {
			add(m)
		}
	}
	part := model.Key(query)
	registry.Own(func(m model.Model) {
		if strings.Contains(model.Key(m.ID), part) && (provider == "" || m.Provider == "" || m.Provider == model.Provider(provider)) {
			add(m)
		}
	})
	for i := range model.Len() {
		id := model.At(i).ID
		if !strings.Contains(model.Key(id), part) {
			continue
		}
		if m, ok := registry.Find(id, provider, ""); ok {
			add(m)
		}
	}
	return found
}

func writeModels(env *environment, found []model.Model, color bool) {
	if len(found) == 0 {
		return
	}
	rows := [][]string{{"MODEL", "WINDOW", "INPUT", "OUTPUT", "SHARING", "TOKENS BY", "REASONING", "PROVIDER", "SOURCE"}}
	for _, m := range found {
		counted := m.Encoding
		if counted == "" {
			counted = "~" + m.Family
			if m.Family == "" {
				counted = "~o200k"
			}
		}
		source := m.Source
		if r := []rune(source); len(r) > 40 {
			source = string(r[:39]) + "…" // the sentence of an override; --json prints it in full
		}
		rows = append(rows, []string{
			m.ID, sizeText(m.Window), sizeText(m.Input), sizeText(m.Output), m.Sharing(), counted, m.Reasoning.String(), m.Provider,
			strings.TrimSpace(source + " " + m.Date),
		})
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	shown, used := 0, 0
	for shown < len(widths) && (!env.narrow || shown < 2 || used+widths[shown] <= env.Columns) {
		used += widths[shown] + 2
		shown++
	}
	for n, row := range rows {
		var line strings.Builder
		for i, cell := range row[:shown] {
			pad := strings.Repeat(" ", widths[i]-len([]rune(cell)))
			if i >= 1 && i <= 3 {
				line.WriteString(pad + cell)
			} else {
				line.WriteString(cell + pad)
			}
			line.WriteString("  ")
		}
		text := strings.TrimRight(line.String(), " ")
		if color && n == 0 {
			text = "\x1b[1m" + text + "\x1b[0m"
		}
		fmt.Fprintln(env.Stdout, text)
	}
}

// sizeText formats a number of tokens in full, with separators, because limits are compared digit by digit.
func sizeText(n int64) string {
	if n <= 0 {
		return "?"
	}
	digits := fmt.Sprint(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
