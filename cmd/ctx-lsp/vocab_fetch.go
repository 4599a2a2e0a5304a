// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/fetch"
	"github.com/ctx-lsp/ctx-lsp/internal/vocabulary"
)

// A published vocabulary is one that can be fetched: from where, under which licence, and what it holds to the byte.
type publishedVocabulary struct {
	name, what, licence string
	files               []fetch.File
	packs               []string // the names that it is kept under
}

// ctok is a commit of the repository that publishes Claude's.
const ctok = "https://raw.githubusercontent.com/sanderland/ctok/70872fd4981dc5990267923235b4114535bb4473/ctok/data/"

// publishedVocabularies are pinned by the hashes of their files. Of others no hash is known for certain, so they are
// not here: a person gets their tokenizer.json and adds it.
var publishedVocabularies = []publishedVocabulary{{
	packs: []string{"claude-v3", "claude-v47", "claude-v5"},
	name:  claude, what: "Claude's tokenizers as ctok has reconstructed them from counts", licence: "MIT",
	files: []fetch.File{
		{
			Name: "pieces_v3.json", Address: ctok + "pieces_v3.json", Size: 3637657,
			SHA256: "db4bf1474d51e3474779a27bcc417b894289438e9d26c8a8bad6e800e76ae311",
		},
		{
			Name: "pieces_v4_7.json", Address: ctok + "pieces_v4_7.json", Size: 1085865,
			SHA256: "f027eb7228d1ac21c743d61963ecfdc5993e18c2cc4153fdd2f92d900776cf19",
		},
	},
}}

// unpinned are vocabularies that people ask for and that are not pinned here, and the families they are added for.
var unpinned = map[string]string{"gemini": "gemini", "qwen": "qwen3", "llama": "llama3", "deepseek": "deepseek-v3"}

// fetchVocabulary downloads a published vocabulary, when a person has said yes to its address, and adds it.
func fetchVocabulary(ctx context.Context, env *environment, name string, yes, replace, asJSON bool) int {
	source, err := findPublished(name)
	if err != nil {
		return env.fail(err)
	}
	folder, err := vocabularyFolder(env)
	if err != nil {
		return env.fail(err)
	}
	for _, name := range source.packs {
		if path, err := vocabularyPath(env, name); err == nil && !replace {
			if _, err := os.Stat(path); err == nil {
				env.errorf("there is a vocabulary %s already", name)
				env.hintf("--replace takes its place")
				return exitError
			}
		}
	}
	size := int64(0)
	fmt.Fprintf(env.Stderr, "%s: %s, licence %s\n", source.name, source.what, source.licence)
	for _, file := range source.files {
		size += file.Size
		fmt.Fprintf(env.Stderr, "  %s (%s, SHA-256 %s)\n", file.Address, megabytes(file.Size), file.SHA256)
	}
	if !yes {
		if !stdinTerminal(env) {
			return env.usageError("vocab", errors.New("nobody is there to ask, and nothing is fetched unasked: --yes says yes to the addresses above"))
		}
		fmt.Fprintf(env.Stderr, "Fetch %s from %s? [y/N] ", megabytes(size), hostOf(source.files[0].Address))
		answer, _ := bufio.NewReader(env.Stdin).ReadString('\n')
		if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
			env.errorf("nothing was fetched")
			return exitError
		}
	}
	bar := newProgress(env, "fetching", size)
	defer bar.clear()
	var packs []vocabulary.NamedPack
	for _, file := range source.files {
		content, err := fetch.Get(ctx, file, folder, bar.add)
		if err != nil {
			bar.clear()
			return env.fail(err)
		}
		made, err := makePacks(content, source.name, "")
		if err != nil {
			return env.fail(fmt.Errorf("%s: %w", file.Name, err))
		}
		packs = append(packs, made...)
	}
	bar.clear()
	return keepPacks(env, packs, name, replace, asJSON)
}

func findPublished(name string) (publishedVocabulary, error) {
	var names []string
	for _, source := range publishedVocabularies {
		if source.name == name {
			return source, nil
		}
		names = append(names, source.name)
	}
	if family := unpinned[name]; family != "" {
		return publishedVocabulary{}, fmt.Errorf("no address of %s's vocabulary is pinned here: get its tokenizer.json, and then ctx-lsp vocab add %s tokenizer.json", name, family)
	}
	return publishedVocabulary{}, fmt.Errorf("there is no vocabulary %q to fetch%s; known are %s", name, suggestion(name, names), strings.Join(names, ", "))
}

// stdinTerminal tells whether a person answers questions.
func stdinTerminal(env *environment) bool {
	file, ok := env.Stdin.(*os.File)
	return ok && isTerminal(file)
}

func megabytes(n int64) string { return fmt.Sprintf("%d.%d MB", n/1_000_000, n/100_000%10) }

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Host
}
