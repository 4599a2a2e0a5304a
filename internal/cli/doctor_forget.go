// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// keptKinds describes the files and directories that ctx-lsp keeps, by their names below its state and cache
// directories.
var keptKinds = map[string]string{
	"ledgers":           "ledgers of sessions: counts, labels and titles",
	"ends":              "where each ledger ends",
	"owners":            "which daemons hold ledgers",
	"secret":            "the key of digests in ledgers",
	"learned.json":      "corrections learned from sessions",
	"learned.json.lock": "",
	state.IndexName:     "what was found in files of sessions: numbers, labels, paths and times",
	"hooks":             "which levels hooks have reported",
	"statusline-setup":  "the previous status lines of agents, for --undo",
	"export.key":        "the key of exported hashes",
	"cache.key":         "the key that protects the compiled engine",
	"statusline":        "last readings of status lines",
	"shell":             "current sessions of shells",
	"limits":            "account limits that agents reported",
	"heads":             "where sessions were started",
	"compiled":          "the compiled engine",
}

// A keptItem is one entry of the state or the cache directory.
type keptItem struct {
	Path  string `json:"path"`
	What  string `json:"what"`
	Files int64  `json:"files"`
	Bytes int64  `json:"bytes"`
	// InUse is set for what a running daemon needs for its ledgers, which is kept.
	InUse bool `json:"inUse"`
}

// runForget runs doctor --forget: it lists everything that ctx-lsp keeps, and removes it.
func runForget(env *environment, yes, asJSON bool) int {
	items, err := keptItems(env)
	if err != nil {
		return env.fail(err)
	}
	if !asJSON {
		if err := env.printKept(items); err != nil {
			return env.fail(err)
		}
	}
	if len(items) > 0 && !yes && (!env.StdoutTerminal || !env.confirmed("Remove all of this? [y/N] ")) {
		env.hintf("nothing was removed; use --yes to remove it without a confirmation")
		return exitError
	}
	removed := []keptItem{}
	for _, item := range items {
		if item.InUse {
			continue
		}
		if err := os.RemoveAll(item.Path); err != nil {
			return env.fail(err)
		}
		removed = append(removed, item)
	}
	if asJSON {
		return env.printJSON(struct {
			Schema  string     `json:"schema"`
			Removed []keptItem `json:"removed"`
		}{"ctx.forget/1", removed})
	}
	if len(removed) > 0 {
		fmt.Fprintln(env.Stdout, "removed")
	}
	return exitOK
}

// keptItems lists the entries of the state and the cache directory. Added vocabularies are in the data directory and
// stay.
func keptItems(env *environment) ([]keptItem, error) {
	var items []keptItem
	for _, dir := range slices.Compact([]string{env.host().StateDir(), env.host().CacheDir()}) {
		entries, err := os.ReadDir(dir)
		if dir == "" || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		inUse := state.LedgersInUse(dir)
		for _, entry := range entries {
			item := keptItem{Path: filepath.Join(dir, entry.Name()), What: cmp.Or(keptKinds[entry.Name()], "other state")}
			if item.InUse = inUse && slices.Contains(state.LedgerFiles, entry.Name()); item.InUse {
				item.What += " (kept: a daemon is running)"
			}
			err := filepath.WalkDir(item.Path, func(_ string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return nil //nolint:nilerr // an unreadable entry is not counted; removing it reports the error
				}
				if info, err := e.Info(); err == nil {
					item.Files++
					item.Bytes += info.Size()
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
	}
	return items, nil
}

func (env *environment) printKept(items []keptItem) error {
	if len(items) == 0 {
		_, err := fmt.Fprintln(env.Stdout, "ctx-lsp keeps nothing on this machine.")
		return err
	}
	w := bufio.NewWriter(env.Stdout)
	for _, item := range items {
		fmt.Fprintf(w, "%10s KB  %-40s  %s\n", terminal.Digits((item.Bytes+1023)/1024), item.What, env.name(item.Path))
	}
	return w.Flush()
}
