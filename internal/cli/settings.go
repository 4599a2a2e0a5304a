// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// A user's settings are one file of JSON with the keys of the daemon's settings. A flag takes precedence over a
// variable, and a variable over the file.

// A setting is a key of the file, the variable that overrides it, and the flag that overrides both.
type setting struct {
	key      string // a dot separates levels of the file
	variable string
	flag     string
	only     []string // the commands whose flag of this name it is; empty for all
	standard string   // the value without file and variable
	list     bool     // an array of strings
}

var knownSettings = []setting{
	{key: "mode", flag: "mode", standard: "hybrid"},
	{key: "model", flag: "model", only: []string{"check"}},
	{key: "agent"},
	{key: "agents", variable: "CTX_AGENTS", flag: "agents", only: []string{"serve"}, standard: "all", list: true},
	{key: "watch", standard: "true"},
	{key: "notify.level", standard: "none"},
	{key: "hidePaths", variable: "CTX_HIDE_PATHS", flag: "hide-paths", standard: "false"},
	{key: "statusline.template", variable: "CTX_STATUSLINE", flag: "template", only: []string{"statusline"}},
	{key: "statusline.warn", flag: "warn", only: []string{"statusline"}},
	{key: "statusline.alarm", flag: "alarm", only: []string{"statusline"}},
	{key: "plain", flag: "plain", standard: "false"},
	{key: "color", flag: "color", standard: "auto"},
	{key: "promptFiles.budget.always", flag: "always", only: []string{"check"}, standard: "10000"},
	{key: "promptFiles.budget.loaded", flag: "loaded", only: []string{"check"}, standard: "25000"},
	{key: "globalStorage", list: true},
	{key: "otlpProject", variable: "CTX_OTLP_PROJECT", flag: "otlp-project", standard: "hash"},
	{key: "module", variable: "CTX_WASM", flag: "module"},
}

// maxSettingsFile bounds the file.
const maxSettingsFile = 1 << 20

// userSettings are the contents of the file.
type userSettings struct {
	path     string
	text     []byte              // the file as it is, for the daemon; nil without a file
	values   map[string][]string // keyed by setting; one value unless the setting is a list
	problems []string
	broken   bool            // the file exists and cannot be read
	wrong    map[string]bool // keys with values of the wrong type
}

// settingsPath returns where the file is on this system, or "" without a home directory.
func (env *environment) settingsPath() string {
	if dir := env.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "ctx-lsp", "config.json")
	}
	home := env.places().Home
	switch {
	case runtime.GOOS == "windows":
		if dir := env.Getenv("APPDATA"); filepath.IsAbs(dir) {
			return filepath.Join(dir, "ctx-lsp", "config.json")
		}
		return ""
	case home == "":
		return ""
	case runtime.GOOS == "darwin":
		return filepath.Join(home, "Library", "Application Support", "ctx-lsp", "config.json")
	}
	return filepath.Join(home, ".config", "ctx-lsp", "config.json")
}

// settings reads the file once. Problems are part of the result: a wrong value is ignored, and the others are used.
func (env *environment) settings() *userSettings {
	if env.read != nil {
		return env.read
	}
	s := &userSettings{path: env.settingsPath(), values: map[string][]string{}, wrong: map[string]bool{}}
	env.read = s
	if s.path == "" {
		return s
	}
	f, err := os.Open(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return s
	}
	var text []byte
	if err == nil {
		defer f.Close()
		if info, failed := f.Stat(); failed == nil && !info.Mode().IsRegular() {
			err = errors.New("it is not a file")
		} else if text, err = io.ReadAll(io.LimitReader(f, maxSettingsFile+1)); err == nil && len(text) > maxSettingsFile {
			err = fmt.Errorf("it is larger than %d MB", maxSettingsFile>>20)
		}
	}
	var tree map[string]any
	if err == nil {
		err = json.Unmarshal(text, &tree)
	}
	if err != nil {
		s.broken = true
		s.problems = append(s.problems, fmt.Sprintf("%s is ignored: %s", s.path, plainError(err)))
		return s
	}
	s.text = text
	s.add("", tree)
	return s
}

// add collects the values below a key of the file.
func (s *userSettings) add(prefix string, tree map[string]any) {
	for _, name := range sortedNames(tree) {
		key := prefix + name
		at := slices.IndexFunc(knownSettings, func(k setting) bool { return k.key == key })
		switch value := tree[name].(type) {
		case map[string]any:
			if at < 0 && slices.ContainsFunc(knownSettings, func(k setting) bool { return strings.HasPrefix(k.key, key+".") }) {
				s.add(key+".", value)
				continue
			}
		case []any:
			if at >= 0 && knownSettings[at].list {
				s.values[key] = []string{} // an empty list is a choice, too
				for _, each := range value {
					s.values[key] = append(s.values[key], fmt.Sprint(each))
				}
				continue
			}
		case string, bool:
			if at >= 0 && (!knownSettings[at].list || value == allAgents && key == "agents") {
				s.values[key] = []string{fmt.Sprint(value)}
				continue
			}
		case float64:
			if at >= 0 && !knownSettings[at].list {
				s.values[key] = []string{json.Number(strings.TrimSpace(fmt.Sprintf("%.0f", value))).String()}
				continue
			}
		}
		switch {
		case at >= 0:
			s.wrong[key] = true
			s.problems = append(s.problems, fmt.Sprintf("%s: %q has a value of the wrong type", s.path, key))
		case prefix == "promptFiles.": // the daemon's own: codeLens, hover …
		default:
			s.problems = append(s.problems, fmt.Sprintf("%s: there is no setting %q%s", s.path, key, suggestion(key, settingKeys())))
		}
	}
}

func settingKeys() []string {
	var keys []string
	for _, k := range knownSettings {
		keys = append(keys, k.key)
	}
	return keys
}

func sortedNames(tree map[string]any) []string {
	names := make([]string, 0, len(tree))
	for name := range tree {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// preset gives a command's flags the values of the file. Variables are read where they are used, so a value of the file
// is left out if its variable is set.
func (env *environment) preset(command string, flags *pflag.FlagSet) {
	s := env.settings()
	for _, k := range knownSettings {
		value := s.values[k.key]
		if k.flag == "" || k.list || len(value) != 1 || len(k.only) > 0 && !slices.Contains(k.only, command) || k.variable != "" && env.Getenv(k.variable) != "" {
			continue
		}
		f := flags.Lookup(k.flag)
		if f == nil {
			continue
		}
		if err := f.Value.Set(value[0]); err != nil {
			s.problems = append(s.problems, fmt.Sprintf("%s: %q cannot be %q: %s", s.path, k.key, value[0], err))
		}
	}
	env.storages = append(env.storages, s.values["globalStorage"]...)
	if hide := s.values["hidePaths"]; len(hide) == 1 && hide[0] == "true" && env.Getenv("CTX_HIDE_PATHS") == "" {
		env.hidePaths = true
	}
}

// A chosenSetting is a setting with a value other than the default, as doctor shows it.
type chosenSetting struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Source string `json:"source"` // a variable's name, or the file's path
}

// chosenSettings lists the settings that differ from the default.
func (env *environment) chosenSettings() []chosenSetting {
	s := env.settings()
	chosen := []chosenSetting{}
	for _, k := range knownSettings {
		value, source := strings.Join(s.values[k.key], ", "), s.path
		if k.variable != "" {
			if set := env.Getenv(k.variable); set != "" {
				value, source = set, k.variable
			}
		}
		if value != "" && value != k.standard {
			chosen = append(chosen, chosenSetting{k.key, value, source})
		}
	}
	return chosen
}

// SettingsTable returns the settings as rows of key, variable, flag and default, for generators of documents.
func SettingsTable() [][4]string {
	var rows [][4]string
	for _, k := range knownSettings {
		flag := ""
		if k.flag != "" {
			flag = "--" + k.flag
			if len(k.only) > 0 {
				flag = strings.Join(k.only, ", ") + " " + flag
			}
		}
		rows = append(rows, [4]string{k.key, k.variable, flag, k.standard})
	}
	return rows
}
