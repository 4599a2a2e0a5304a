// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// withSettings runs a command line in a home with a file of settings.
func withSettings(t *testing.T, file string, variables map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	home := t.TempDir()
	config := filepath.Join(home, "config", "ctx-lsp")
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "config.json"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{"HOME": home, "USERPROFILE": home, "XDG_CONFIG_HOME": filepath.Join(home, "config")}
	for name, value := range variables {
		all[name] = value
	}
	var out, errs bytes.Buffer
	env := &environment{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(name string) string { return all[name] },
		Dir: home, Now: func() time.Time { return time.Unix(1_800_000_000, 0) }, Columns: 80,
	}
	code = run(context.Background(), env, args)
	return code, out.String(), errs.String()
}

// TestAFlagOverridesAVariableAndAVariableTheFile checks the order of precedence for the template of the status line.
func TestAFlagOverridesAVariableAndAVariableTheFile(t *testing.T) {
	session, err := filepath.Abs("../../testdata/sessions/sample.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(session); err != nil {
		t.Fatal(err)
	}
	calls := []string{"status", "--calls", session, "--json"}
	const file = `{"mode": "provider", "statusline": {"template": "file {nope}"}}`
	if _, out, _ := withSettings(t, file, nil, calls...); !strings.Contains(out, `"mode":"provider"`) {
		t.Errorf("the file's mode is not used: %.200s", out)
	}
	if _, out, _ := withSettings(t, file, nil, append(calls, "--mode=hybrid")...); !strings.Contains(out, `"mode":"hybrid"`) {
		t.Errorf("the flag does not override the file: %.200s", out)
	}
	line := []string{"statusline", "--for=shell", "--timeout=30s"}
	for _, c := range []struct {
		variable, flag, names string
	}{
		{"", "", "file {nope}"},
		{"variable {none}", "", "variable {none}"},
		{"variable {none}", "--template=flag {never}", "flag {never}"},
	} {
		args := line
		if c.flag != "" {
			args = append(args[:len(args):len(args)], c.flag)
		}
		code, _, errs := withSettings(t, file, map[string]string{"CTX_STATUSLINE": c.variable}, args...)
		field := c.names[strings.Index(c.names, "{"):]
		if code != exitUsage || !strings.Contains(errs, field) {
			t.Errorf("%+v: exit code %d, %s", c, code, errs)
		}
	}
}

// TestWrongSettingsAreReportedAndTheOthersUsed checks that a mistake affects only its own setting.
func TestWrongSettingsAreReportedAndTheOthersUsed(t *testing.T) {
	const file = `{"mod": "provider", "plain": 7, "color": "pink", "promptFiles": {"hover": false, "budget": {"always": 12}}, "hidePaths": true}`
	code, out, errs := withSettings(t, file, nil, "doctor")
	for _, want := range []string{`there is no setting "mod"; did you mean "mode"?`, `"color" cannot be "pink"`} {
		if !strings.Contains(errs, want) {
			t.Errorf("%q is missing in %s", want, errs)
		}
	}
	if code != exitOK || !strings.Contains(out, "hidePaths") || !strings.Contains(out, "config.json") || !strings.Contains(out, "promptFiles.budget.always") {
		t.Errorf("exit code %d, %s", code, out)
	}
	if _, _, errs = withSettings(t, "{", nil, "version"); !strings.Contains(errs, "config.json is ignored: the JSON is incomplete") {
		t.Errorf("a damaged file: %s", errs)
	}
	if code, _, errs = withSettings(t, file, nil, "check", "--json"); code == exitError || strings.Contains(errs, "hover") {
		t.Errorf("exit code %d, %s", code, errs)
	}
}

// TestDoctorShowsTheSourceOfASetting checks the sources: the variable, otherwise the file; defaults are not shown.
func TestDoctorShowsTheSourceOfASetting(t *testing.T) {
	_, out, _ := withSettings(t, `{"mode": "hybrid", "otlpProject": "none"}`, map[string]string{"CTX_OTLP_PROJECT": "name"}, "doctor", "--json")
	if !strings.Contains(out, `"settings":[{"key":"otlpProject","value":"name","source":"CTX_OTLP_PROJECT"}]`) {
		t.Errorf("%s", out)
	}
}
