// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// version is the release, like 0.2.0, and revision its commit. Builds from a checkout say "dev" unless the linker sets
// another (-X github.com/ctx-lsp/ctx-lsp/internal/cli.version=…).
var version, revision = "dev", ""

func init() {
	register(command{
		name:    "version",
		summary: "the version of this program and of what it speaks",
		usage:   "  ctx-lsp version\n  ctx-lsp --version\n  ctx-lsp version --json\n",
		run:     runVersion,
	})
}

// versionInfo is what `version --json` prints.
type versionInfo struct {
	Schema   string `json:"schema"`
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Reading  string `json:"reading"`
	Ledger   string `json:"ledger"`
}

func currentVersion() versionInfo {
	info := versionInfo{
		Schema: "ctx.version/1", Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Reading: core.Schema, Ledger: core.LedgerSchema, Revision: revision,
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return info
	}
	if info.Version == "dev" && build.Main.Version != "" && build.Main.Version != "(devel)" {
		info.Version = strings.TrimPrefix(build.Main.Version, "v")
	}
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			info.Revision = s.Value
		case "vcs.modified":
			info.Modified = s.Value == "true"
		}
	}
	return info
}

func runVersion(ctx context.Context, env *environment, args []string) int {
	fs := newFlags("version")
	asJSON := fs.Bool("json", false, "print JSON")
	colorFlag(fs)
	rest, err := parseFlags(fs, args)
	if err == nil && len(rest) > 0 {
		err = errors.New("it takes no arguments")
	}
	if err != nil {
		return env.usageError("version", err)
	}
	info := currentVersion()
	if *asJSON {
		return env.printJSON(info)
	}
	fmt.Fprintf(env.Stdout, "ctx-lsp %s (%s, %s)\n", info.Version, info.Go, info.Platform)
	return exitOK
}
