// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
)

// version is the release, like 0.2.0, and revision its commit. Builds from a checkout report "dev" unless the linker
// sets another value (-X github.com/ctx-lsp/ctx-lsp/internal/cli.version=…).
var version, revision = "dev", ""

// versionInfo is the output of `version --json`.
type versionInfo struct {
	Schema   string `json:"schema"`
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Reading  string `json:"reading"`
	Ledger   string `json:"ledger"`
	Module   string `json:"module,omitempty"` // the compiler of its WebAssembly module; empty without one
}

func currentVersion() versionInfo {
	info := versionInfo{
		Schema: "ctx.version/1", Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Reading: core.Schema, Ledger: api.LedgerSchema(), Revision: revision,
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

// moduleBy returns a phrase that names the compiler of the WebAssembly module.
func moduleBy(compiler string) string {
	if compiler == "" {
		return "no WebAssembly module"
	}
	return "WebAssembly module by " + compiler
}

func versionCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "version",
		Short: "print the version of ctx-lsp and of its schemas",
		Example: `  ctx-lsp version
  ctx-lsp --version
  ctx-lsp version --json`,
	}
	fs := c.Flags()
	asJSON := jsonFlag(fs, "print JSON")
	colorFlag(fs)
	c.RunE = does(func(ctx context.Context, args []string) int {
		if len(args) > 0 {
			return env.usageError("version", errNoArguments)
		}
		info := currentVersion()
		info.Module = engine.Compiler()
		if *asJSON {
			return env.printJSON(info)
		}
		fmt.Fprintf(env.Stdout, "ctx-lsp %s (%s, %s, %s)\n", info.Version, info.Go, info.Platform, moduleBy(info.Module))
		return exitOK
	})
	return c
}
