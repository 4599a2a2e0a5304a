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

// start says which agent is started, by which program, and with which model.
type start struct {
	Agent, Program, Model string
}

// patience is how long an agent may need until it sends a request.
const patience = 3 * time.Minute

// run starts an agent in a name space without a network, and returns the request that the agent sends. It does so by
// calling this program with -inside. It needs no rights but that of making a user name space in Linux.
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

// runInside does the part of run that is inside the name space. It starts the agent with an empty home, and writes the
// body of the first request that has tools.
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
	// Agents send this path in their prompts. It is always the same, so that its length is too.
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
		_ = c.Process.Kill() // this request is all that is needed of the agent
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

// command is the command that starts an agent, with settings that name the server as the agent's provider.
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

// family is a group of models to which an agent sends the same prompt, and the model by which the group is measured.
type family struct{ pattern, asked string }

// families are the groups of models that an agent distinguishes. The first whose pattern fits a model decides.
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

// asTypes says whether the provider shows tools to these models as types of TypeScript instead of JSON.
func (f family) asTypes() bool { return strings.Contains(f.asked, "gpt-") }
