// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// start is one run of an agent: what it takes to start it with a model.
type start struct {
	Agent, Program, Model string
}

// patience is how long an agent may take until it asks for an answer.
const patience = 3 * time.Minute

// run starts an agent in a name space without a network, and returns the request that it sent. It needs no rights
// beyond those of Linux's user name spaces.
func run(s start) (request, error) {
	self, err := os.Executable()
	if err != nil {
		return request{}, err
	}
	in, err := json.Marshal(s)
	if err != nil {
		return request{}, err
	}
	c := exec.Command("unshare", "--user", "--map-root-user", "--net", self, "-inside")
	c.Stdin = bytes.NewReader(in)
	var errs bytes.Buffer
	c.Stderr = &errs
	body, err := c.Output()
	if err != nil {
		return request{}, fmt.Errorf("%s with %s: %w: %s", s.Agent, s.Model, err, tail(errs.String()))
	}
	return readRequest(body)
}

func tail(text string) string { return text[max(0, len(text)-1500):] }

// runInside is run's other half: it starts the agent with an empty home, and hands out the body of the first request
// that brings tools.
func runInside(in io.Reader, out io.Writer) error {
	var s start
	if err := json.NewDecoder(in).Decode(&s); err != nil {
		return err
	}
	if text, err := exec.Command("ip", "link", "set", "lo", "up").CombinedOutput(); err != nil {
		return fmt.Errorf("the loopback of the name space does not come up: %w: %s", err, text)
	}
	server, err := listen()
	if err != nil {
		return err
	}
	// The length of its path is part of what is counted, so that it is always the same.
	home := filepath.Join(os.TempDir(), "ctx-lsp-prefix-home")
	if err := os.RemoveAll(home); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(home) }()
	c, err := command(s, home, server.url)
	if err != nil {
		return err
	}
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case body := <-server.main:
		_ = c.Process.Kill() // it has told all that is asked
		_, err = out.Write(body)
		return err
	case err := <-ended:
		select {
		case body := <-server.main:
			_, err = out.Write(body)
			return err
		default:
			return fmt.Errorf("it ended without a request: %w: %s", err, tail(said.String()))
		}
	case <-time.After(patience):
		_ = c.Process.Kill()
		return fmt.Errorf("it sent no request with tools in %v: %s", patience, tail(said.String()))
	}
}

// command is how each agent is told where its provider is.
func command(s start, home, url string) (*exec.Cmd, error) {
	work := filepath.Join(home, "work")
	if err := os.MkdirAll(work, 0o755); err != nil {
		return nil, err
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
		args = []string{"node", s.Program, "-y", "-m", s.Model, "-p", word}
		env = []string{"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL=" + url, "GEMINI_TELEMETRY_ENABLED=false", "GEMINI_CLI_NO_RELAUNCH=true", "GEMINI_CLI_TRUST_WORKSPACE=true"}
		err = write(".gemini/settings.json", object{"security": object{"auth": object{"selectedType": "gemini-api-key"}}, "general": object{"disableAutoUpdate": true}})
	case "qwen-code":
		args = []string{"node", s.Program, "-y", "-m", s.Model, "-p", word}
		env = []string{"OPENAI_API_KEY=none", "OPENAI_BASE_URL=" + url + "/v1", "OPENAI_MODEL=" + s.Model}
		err = write(".qwen/settings.json", object{"security": object{"auth": object{"selectedType": "openai"}}})
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

// family says with which model an agent is asked for what it sends to a family of them.
type family struct{ pattern, asked string }

// families are what each agent tells apart, the first that fits counting.
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
	case "gemini-cli":
		return []family{{"*", "gemini-3-pro-preview"}}
	}
	return []family{{"*", "qwen3-coder-plus"}}
}

// asTypes says whether a family is shown tools as types of TypeScript, and not as JSON.
func (f family) asTypes() bool { return strings.Contains(f.asked, "gpt-") }
