// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/countapi"
)

// countAPIOptions are the options of `count --api`.
type countAPIOptions struct {
	api     string
	model   string
	baseURL string
	timeout time.Duration
	file    string // the request's file; "" or "-" is standard input
	budget  int64  // exit code 3 when the count is over it; negative for none
	json    bool
}

// countAPINames lists the providers of --api for the help.
func countAPINames() string { return strings.Join(countapi.Names(), ", ") }

// maxRequestFile is the maximum size of a request; no provider accepts a larger one.
const maxRequestFile = 64 << 20

// runCountAPI has a provider count the tokens of a request.
func runCountAPI(ctx context.Context, env *environment, o countAPIOptions) int {
	if countapi.Needs(o.api) == "" {
		env.errorf("%q has no API for counting tokens", o.api)
		if _, err := os.Stat(env.resolve(o.api)); err == nil {
			env.hintf("--api requires a provider before the file: ctx-lsp count --api anthropic %s", o.api)
		}
		env.hintf("these providers have one: %s", strings.Join(countapi.Names(), ", "))
		return exitUsage
	}
	body, err := readRequest(env, o.file)
	if err != nil {
		return env.fail(err)
	}
	if env.StderrTerminal {
		waiting := time.AfterFunc(time.Second, func() { env.errorf("waiting for %s …", o.api) })
		defer waiting.Stop()
	}
	result, err := countapi.Count(ctx, countapi.Request{API: o.api, Model: o.model, BaseURL: o.baseURL, Body: body}, countapi.Options{
		Getenv:  env.Getenv,
		Timeout: o.timeout,
		Retrying: func(status int, pause time.Duration) {
			env.errorf("HTTP %d; retrying in %s", status, pause.Round(100*time.Millisecond))
		},
	})
	if err != nil {
		env.errorf("%s", err)
		if strings.Contains(err.Error(), "no key") {
			env.hintf("%s reads %s", o.api, countapi.Needs(o.api))
		}
		return exitError
	}
	code := exitOK
	if o.budget >= 0 && result.Tokens > o.budget {
		env.errorf("%d tokens exceed the budget of %d", result.Tokens, o.budget)
		code = exitOver
	}
	if o.json {
		if failed := env.printJSON(result); failed != exitOK {
			return failed
		}
		return code
	}
	mark := ""
	if result.Basis == "estimated" {
		mark = "~"
	}
	fmt.Fprintf(env.Stdout, "%s%s tokens", mark, sizeText(result.Tokens))
	if result.Window > 0 {
		fmt.Fprintf(env.Stdout, " of %s (%.2f%%)", sizeText(result.Window), percentOf(result.Tokens, result.Window).Float())
	}
	by := result.API
	if result.Model != "" {
		by = result.Model + ", by " + result.API
	}
	fmt.Fprintf(env.Stdout, "  %s\n", env.name(by))
	if result.Original > 0 && result.Original != result.Tokens {
		fmt.Fprintf(env.Stdout, "%s before the provider's own context editing\n", sizeText(result.Original))
	}
	if result.Note != "" {
		env.errorf("%s", result.Note)
	}
	return code
}

// readRequest reads a request body from a file or from standard input.
func readRequest(env *environment, path string) (json.RawMessage, error) {
	var from io.Reader
	name := "standard input"
	if path == "" || path == "-" {
		from = env.input()
	} else {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		from, name = file, path
	}
	text, err := io.ReadAll(io.LimitReader(from, maxRequestFile+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(text) > maxRequestFile {
		return nil, fmt.Errorf("%s is larger than 64 MB, more than any provider accepts", name)
	}
	if !json.Valid(text) {
		return nil, fmt.Errorf("%s is not JSON; expected the request body that you would send to the provider", name)
	}
	return text, nil
}
