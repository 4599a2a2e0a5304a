// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/export"
	"github.com/ctx-lsp/ctx-lsp/internal/telemetry"
)

// telemetryFlags say where measurements are sent, and how projects are named.
type telemetryFlags struct {
	endpoint  string
	project   string // hash, name or none; "" for CTX_OTLP_PROJECT
	stateless bool   // nothing may be written, not even the key of the hashes
}

func projectFlag(fs *pflag.FlagSet) *choice {
	c := choiceFlag(fs, "otlp-project", "name projects in measurements like this", "hash", "name", "none")
	c.value = ""
	return c
}

// open makes the meter, if it is read or sent, and the sender, if an endpoint is set; both may be nil. It returns an
// error for a wrong flag; a wrong variable is only reported, so that the editor still works.
func (f telemetryFlags) open(env *environment, read bool, history func(string) (*api.HistoryAnswer, error), report func(string, bool)) (*telemetry.Meter, *telemetry.Sender, error) {
	settings := telemetry.Settings{Endpoint: f.endpoint, Version: currentVersion().Version, Getenv: env.Getenv, Report: report}
	if !read && !settings.Wanted() {
		return nil, nil, nil
	}
	meter := telemetry.New(telemetry.Options{Project: f.projects(env, report), History: history})
	if !settings.Wanted() {
		return meter, nil, nil
	}
	sender, err := meter.Send(settings)
	switch {
	case err == nil:
		return meter, sender, nil
	case f.endpoint != "":
		meter.Close()
		return nil, nil, err
	}
	report("no measurements are sent: "+err.Error(), true)
	if !read {
		meter.Close()
		meter = nil
	}
	return meter, nil, nil
}

// projects returns how the project of a workspace is named, or nil if projects are not named.
func (f telemetryFlags) projects(env *environment, report func(string, bool)) func(string) string {
	how := f.project
	if how == "" {
		how = env.Getenv("CTX_OTLP_PROJECT")
	}
	switch how {
	case "name":
		return func(workspace string) string {
			return strings.ToValidUTF8(path.Base(filepath.ToSlash(workspace)), "")
		}
	case "none":
		return nil
	case "", "hash":
	default:
		report("CTX_OTLP_PROJECT must be hash, name or none; projects are not distinguished", true)
		return nil
	}
	names := export.Names{Key: []byte(env.Getenv("CTX_EXPORT_KEY"))}
	if len(names.Key) == 0 {
		if f.stateless {
			return nil
		}
		key, err := exportKey(env)
		if err != nil {
			report("projects are not distinguished: "+err.Error(), true)
			return nil
		}
		names.Key = key
	}
	return names.Of
}

// lastReport is how long a program that ends waits for a collector.
const lastReport = time.Second

func closeTelemetry(meter *telemetry.Meter, sender *telemetry.Sender) {
	if meter != nil {
		sender.Close(lastReport)
		meter.Close()
	}
}
