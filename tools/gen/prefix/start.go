// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// command returns the command that starts an agent, with settings that make the server the agent's provider.
func command(s start, home, url string) (*exec.Cmd, error) {
	work := filepath.Join(home, "work")
	if err := os.MkdirAll(work, 0o755); err != nil {
		return nil, err
	}
	if s.Git {
		if err := exec.Command("git", "init", "--quiet", work).Run(); err != nil {
			return nil, fmt.Errorf("git init: %w", err)
		}
	}
	write := func(path string, v any) error {
		path = filepath.Join(home, path)
		text, err := json.Marshal(v)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o755)
		}
		if err == nil {
			err = os.WriteFile(path, text, 0o644)
		}
		return err
	}
	type object = map[string]any
	var args, env []string
	var err error
	switch s.Agent {
	case "opencode", "kilo":
		config := object{
			"model": "stand/" + s.Model, "small_model": "stand/" + s.Model, "autoupdate": false, "share": "disabled",
			"provider": object{"stand": object{
				"npm": "@ai-sdk/openai-compatible", "options": object{"baseURL": url + "/v1", "apiKey": "none"},
				"models": object{s.Model: object{"name": s.Model, "tool_call": true}},
			}},
		}
		args = []string{s.Program, "run", word}
		env = []string{"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1", "KILO_DISABLE_MODELS_FETCH=1"}
		for _, path := range []string{"opencode/opencode.json", "kilo/kilo.json", "kilo/opencode.json"} {
			if err == nil {
				err = write(filepath.Join(".config", path), config)
			}
		}
	case "gemini-cli":
		args = []string{s.Node, s.Program, "-y", "-m", s.Model, "-p", word}
		env = []string{"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL=" + url, "GEMINI_TELEMETRY_ENABLED=false", "GEMINI_CLI_NO_RELAUNCH=true", "GEMINI_CLI_TRUST_WORKSPACE=true"}
		err = write(".gemini/settings.json", object{"security": object{"auth": object{"selectedType": "gemini-api-key"}}, "general": object{"disableAutoUpdate": true}})
	case "qwen-code":
		args = []string{s.Node, s.Program, "-y", "-m", s.Model, "-p", word}
		env = []string{"OPENAI_API_KEY=none", "OPENAI_BASE_URL=" + url + "/v1", "OPENAI_MODEL=" + s.Model}
		err = write(".qwen/settings.json", object{"security": object{"auth": object{"selectedType": "openai"}}})
	case "codex":
		const provider = "model_providers.stand."
		args = []string{s.Program, "exec", "--skip-git-repo-check", "-m", s.Model}
		for _, setting := range []string{
			`model_provider="stand"`, provider + `name="stand"`, provider + `base_url="` + url + `/v1"`, provider + `wire_api="responses"`,
			provider + `env_key="STAND_KEY"`, "check_for_update_on_startup=false", "analytics.enabled=false",
		} {
			args = append(args, "-c", setting)
		}
		args = append(args, word)
		env = []string{"STAND_KEY=none"}
	case "pi":
		args = []string{s.Node, s.Program, "--provider", "stand", "--model", s.Model, "-p", word}
		env = []string{"PI_OFFLINE=1", "PI_SKIP_VERSION_CHECK=1"}
		err = write(".pi/agent/models.json", object{"providers": object{"stand": object{
			"baseUrl": url + "/v1", "api": "openai-completions", "apiKey": "none", "models": []object{{"id": s.Model}},
		}}})
	case "kimi-code":
		args = []string{s.Node, s.Program, "--output-format", "stream-json", "-p", word}
		env = []string{
			"KIMI_MODEL_NAME=" + s.Model, "KIMI_MODEL_API_KEY=none", "KIMI_MODEL_BASE_URL=" + url + "/v1", "KIMI_MODEL_PROVIDER_TYPE=openai",
			"KIMI_MODEL_MAX_CONTEXT_SIZE=262144", "KIMI_CODE_NO_AUTO_UPDATE=1",
		}
	case "cline":
		args = []string{s.Program, "--provider", "openai-compatible", "--key", "none", "--model", s.Model, "--json", word}
		err = write(".cline/data/settings/providers.json", object{
			"version": 1, "lastUsedProvider": "openai-compatible",
			"providers": object{"openai-compatible": object{
				"settings":  object{"provider": "openai-compatible", "apiKey": "none", "model": s.Model, "baseUrl": url + "/v1"},
				"updatedAt": "2026-11-01T00:00:00.000Z", "tokenSource": "manual",
			}},
		})
	default:
		err = fmt.Errorf("how %s is started is not known", s.Agent)
	}
	if err != nil {
		return nil, err
	}
	c := exec.Command(args[0], args[1:]...)
	c.Dir = work
	c.Env = append(env, "HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, ".config"), "XDG_DATA_HOME="+filepath.Join(home, ".local"),
		"PATH="+os.Getenv("PATH"), "LANG=C.UTF-8", "TERM=dumb", "NO_COLOR=1")
	return c, nil
}

// family is a group of models to which an agent sends the same prompt, and the model with which the group is measured.
type family struct{ pattern, asked string }

// families returns the groups of models that an agent distinguishes. The first pattern that matches a model decides.
func families(agent string) []family {
	switch agent {
	case "opencode":
		return []family{
			{"*codex", "gpt-5.3-codex"},
			{"gpt-4.1", "gpt-4.1"},
			{"gpt-", "gpt-5.4"},
			{"*claude", "claude-sonnet-4-6"},
			{"*gemini", "gemini-3.1-pro-preview"},
			{"*kimi", "kimi-k2.5"},
			{"*", "glm-5"},
		}
	case "kilo":
		return []family{{"gpt-", "gpt-5.4"}, {"*claude", "claude-sonnet-4-6"}, {"*gemini", "gemini-3.1-pro-preview"}, {"*", "glm-5"}}
	case "codex":
		return []family{{"*", "gpt-5.5"}}
	case "pi", "cline", "roo-code":
		return []family{{"gpt-", "gpt-5.4"}, {"*", "claude-sonnet-4-6"}}
	case "gemini-cli":
		return []family{{"*", "gemini-3-pro-preview"}}
	case "kimi-code":
		return []family{{"*", "kimi-k2.5"}}
	}
	return []family{{"*", "qwen3-coder-plus"}}
}

// asTypes reports whether the provider presents tools to these models as TypeScript types instead of JSON.
func (f family) asTypes() bool { return strings.Contains(f.asked, "gpt-") }
