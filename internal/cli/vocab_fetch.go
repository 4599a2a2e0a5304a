// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
)

// fetchVocabulary downloads a published vocabulary and adds it. Unless yes is set, it first shows the addresses and
// asks the user for consent.
func fetchVocabulary(ctx context.Context, env *environment, name string, yes, replace, asJSON bool) int {
	source, err := findPublished(name)
	if err != nil {
		return env.fail(err)
	}
	if installed := source.installedPack(env); installed != "" && !replace {
		env.errorf("the vocabulary %s already exists", installed)
		env.hintf("use --replace to overwrite it")
		return exitError
	}
	fmt.Fprintf(env.Stderr, "%s: %s, license %s\n", source.name, source.contents, source.licence)
	for _, file := range source.files {
		fmt.Fprintf(env.Stderr, "  %s (%s, SHA-256 %s)\n", file.Address, megabytes(file.Size), file.SHA256)
	}
	if !yes {
		if !env.StdinTerminal {
			return env.usageError("vocab", errors.New("standard input is not a terminal, so the download cannot be confirmed; use --yes to accept the addresses above"))
		}
		if !env.confirmed(fmt.Sprintf("Fetch %s from %s? [y/N] ", megabytes(source.size()), source.host())) {
			env.errorf("nothing was fetched")
			return exitError
		}
	}
	bar := newProgress(env, "fetching", source.size())
	packs, err := source.download(ctx, env, bar.add)
	bar.clear()
	if err != nil {
		return env.fail(err)
	}
	return keepPacks(env, packs, name, replace, asJSON)
}

func megabytes(n int64) string { return fmt.Sprintf("%d.%d MB", n/1_000_000, n/100_000%10) }
