// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/textfiles"
	"github.com/ctx-lsp/ctx-lsp/internal/vocabulary"
)

func vocabCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "vocab add|fetch|list|remove [NAME [FILE ...]]",
		Short: "add, download, list or remove vocabularies of other models",
		Example: `  ctx-lsp vocab add llama3 tokenizer.json        from a Hugging Face tokenizer file
  ctx-lsp vocab add kimi tiktoken.model --split kimi
  ctx-lsp vocab add claude pieces_v3.json pieces_v4_7.json   Claude's, as ctok publishes them
  ctx-lsp vocab fetch claude                     download them (4.7 MB) from the public address that is shown;
                                                 also gemini, qwen, llama and deepseek (8 to 33 MB)
  ctx-lsp vocab list
  ctx-lsp vocab remove llama3
  ctx-lsp count --encoding llama3 notes.txt      count with it`,
		Long: `add reads tokenizer.json (byte-level BPE and SentencePiece-style BPE) and .tiktoken rank files. A file with an unsupported
feature is rejected, so that no count is silently wrong. Packs are kept in the user's data directory, ctx-lsp/vocab.

fetch shows address, license and size, and asks before it uses the network; proxies of the environment are used. The
download is checked by its SHA-256.`,
		ValidArgsFunction: completeWords([]string{"add", "fetch", "list", "remove"}),
	}
	fs := c.Flags()
	yes := fs.Bool("yes", false, "fetch without asking")
	split := fs.String("split", "", "for rank files, split text as `NAME`: "+strings.Join(token.Scanners, ", "))
	replace := fs.Bool("replace", false, "replace a vocabulary of the same name")
	asJSON := jsonFlag(fs, "print JSON")
	colorFlag(fs)
	c.RunE = does(func(ctx context.Context, rest []string) int {
		var err error
		verb := ""
		if len(rest) > 0 {
			verb, rest = rest[0], rest[1:]
		}
		switch {
		case verb == "add" && (len(rest) == 2 || len(rest) > 2 && rest[0] == claude):
			return addVocabularies(env, rest[0], rest[1:], *split, *replace, *asJSON)
		case verb == "fetch" && len(rest) == 1:
			return fetchVocabulary(ctx, env, rest[0], *yes, *replace, *asJSON)
		case verb == "list" && len(rest) == 0:
			return listVocabularies(env, *asJSON)
		case verb == "remove" && len(rest) == 1:
			return removeVocabulary(env, rest[0], *asJSON)
		case verb == "add":
			err = errors.New("add expects a name and a file; for claude, all of its files")
		case verb == "fetch":
			err = errors.New("fetch expects a name: " + strings.Join(publishedNames(), ", "))
		case verb == "remove":
			err = errors.New("remove expects a name")
		case verb == "":
			err = errors.New("expected a command: add, fetch, list or remove")
		case verb == "list":
			err = errors.New("list expects no arguments")
		default:
			err = fmt.Errorf("there is no vocab command %q%s", verb, suggestion(verb, []string{"add", "fetch", "list", "remove"}))
		}
		return env.usageError("vocab", err)
	})
	return c
}

// vocabularyFolder returns the directory of the user's packs.
func vocabularyFolder(env *environment) (string, error) {
	if data := env.Getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, "ctx-lsp", "vocab"), nil
	}
	switch runtime.GOOS {
	case "windows":
		if data := env.Getenv("LOCALAPPDATA"); filepath.IsAbs(data) {
			return filepath.Join(data, "ctx-lsp", "vocab"), nil
		}
	case "darwin":
		if home := env.host().Home; home != "" {
			return filepath.Join(home, "Library", "Application Support", "ctx-lsp", "vocab"), nil
		}
	}
	if home := env.host().Home; home != "" {
		return filepath.Join(home, ".local", "share", "ctx-lsp", "vocab"), nil
	}
	return "", errors.New("there is no data directory: neither XDG_DATA_HOME nor HOME names a directory")
}

// vocabularyName matches the names that are safe as names of files.
var vocabularyName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

func vocabularyPath(env *environment, name string) (string, error) {
	if !vocabularyName.MatchString(name) {
		return "", fmt.Errorf("%q cannot be the name of a vocabulary: letters, digits, dots, dashes and underscores, 64 at most", name)
	}
	folder, err := vocabularyFolder(env)
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, name+".ctxv"), nil
}

// findVocabulary returns the pack of a vocabulary that is built in or that the user has added.
func findVocabulary(env *environment, name string) ([]byte, error) {
	if file, ok := assets.Pack(name); ok {
		return file, nil
	}
	path, err := vocabularyPath(env, name)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// withAdded lets an engine count with the vocabularies that the user has added, and sets its cache directory.
func withAdded(env *environment, options engine.Options) engine.Options {
	options.CacheDir = cmp.Or(env.host().CacheDir(), "none")
	if dir := env.host().StateDir(); dir != "" {
		options.KeyFile = filepath.Join(dir, "cache.key")
	}
	options.Vocabulary = func(name string) ([]byte, error) { return findVocabulary(env, name) }
	if folder, err := vocabularyFolder(env); err == nil {
		options.Offered, _ = addedVocabularies(folder) // a folder that cannot be read offers nothing
	}
	return options
}

// addedVocabularies lists the names of the packs in a directory; none if it does not exist.
func addedVocabularies(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if name, isPack := strings.CutSuffix(e.Name(), ".ctxv"); isPack && vocabularyName.MatchString(name) {
			names = append(names, name)
		}
	}
	return names, err
}

// openTokenizer returns a tokenizer for a public encoding or for an added vocabulary.
func openTokenizer(env *environment, name string) (*token.Tokenizer, error) {
	e, public := token.Find(name)
	if !public {
		e = token.Encoding{Name: name, Vocabulary: name}
	}
	file, err := findVocabulary(env, e.Vocabulary)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("unknown encoding %q%s; expected one of %s, or one that ctx-lsp vocab list shows", name, suggestion(name, token.Names()), strings.Join(token.Names(), ", "))
	}
	if err != nil {
		return nil, err
	}
	v, err := token.Load(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return token.New(e, v), nil
}

// claude is the name for adding the published files of pieces, for all the families that they serve.
const claude = "claude"

// addVocabularies adds the vocabularies of some files: either all of them or none.
func addVocabularies(env *environment, name string, files []string, split string, replace, asJSON bool) int {
	var packs []vocabulary.NamedPack
	for _, file := range files {
		made, err := readVocabulary(env.resolve(file), name, split)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return env.fail(errors.New(textfiles.Sentence(file, err)))
		case err != nil:
			return env.fail(fmt.Errorf("%s: %w", file, err))
		}
		packs = append(packs, made...)
	}
	return keepPacks(env, packs, name, replace, asJSON)
}

// keepPacks saves the packs made for a name: either all of them or none.
func keepPacks(env *environment, packs []vocabulary.NamedPack, name string, replace, asJSON bool) int {
	for _, one := range packs {
		if path, err := vocabularyPath(env, one.Name); err == nil && !replace {
			if _, err := os.Stat(path); err == nil {
				env.errorf("the vocabulary %s already exists", one.Name)
				env.hintf("use --replace to overwrite it")
				return exitError
			}
		}
	}
	added, err := writePacks(env, packs)
	if err != nil {
		return env.fail(err)
	}
	if asJSON && len(added) == 1 && name != claude {
		return env.printJSON(struct {
			Schema string `json:"schema"`
			vocabularyInfo
		}{"ctx.vocabulary/1", added[0]})
	}
	if asJSON {
		return env.printJSON(vocabularyList{"ctx.vocabularies/1", added})
	}
	for _, v := range added {
		fmt.Fprintf(env.Stdout, "%s: %d tokens, %d KB in %s\n", v.Name, v.Tokens, (v.Bytes+1023)/1024, v.File)
	}
	return exitOK
}

// writePacks writes packs to their files if all of them can be loaded.
func writePacks(env *environment, packs []vocabulary.NamedPack) (added []vocabularyInfo, err error) {
	for _, one := range packs {
		info, err := checkPack(env, one)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", one.Name, err)
		}
		added = append(added, info)
	}
	for i, one := range packs {
		if err := writePack(added[i].File, one.Pack); err != nil {
			return nil, err
		}
	}
	return added, nil
}

// checkPack checks that a pack can be loaded and may be saved under its name.
func checkPack(env *environment, one vocabulary.NamedPack) (vocabularyInfo, error) {
	var info vocabularyInfo
	path, err := vocabularyPath(env, one.Name)
	if err != nil {
		return info, err
	}
	if _, taken := token.Find(one.Name); taken {
		return info, fmt.Errorf("%s is the name of a public encoding, which is built in", one.Name)
	}
	if _, taken := assets.Pack(one.Name); taken {
		return info, fmt.Errorf("%s is the name of a built-in vocabulary", one.Name)
	}
	v, err := token.Load(one.Pack)
	if err != nil {
		return info, err
	}
	return vocabularyInfo{Name: one.Name, Tokens: v.Tokens(), Bytes: len(one.Pack), Split: v.Scanner(), File: path}, nil
}

// mostVocabulary is the maximum size of a file that is read for a vocabulary.
const mostVocabulary = 256 << 20

// readVocabulary makes the packs of a file: several if the file serves several families.
func readVocabulary(path, name, split string) ([]vocabulary.NamedPack, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	if info.Size() > mostVocabulary {
		return nil, fmt.Errorf("it is larger than %d MB, the maximum for a vocabulary", mostVocabulary>>20)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return makePacks(file, name, split)
}

func makePacks(file []byte, name, split string) ([]vocabulary.NamedPack, error) {
	var source *vocabulary.Source
	var err error
	isJSON := strings.HasPrefix(strings.TrimSpace(string(file[:min(len(file), 64)])), "{")
	switch {
	case isJSON && split != "":
		return nil, errors.New("--split cannot be used with a JSON file, which defines how text is split")
	case isJSON && vocabulary.IsTiles(file):
		tiles, err := vocabulary.ParseTiles(file)
		if err != nil {
			return nil, err
		}
		if name == claude {
			return tiles.Claude()
		}
		return []vocabulary.NamedPack{{Name: name, Pack: tiles.Pack(name)}}, nil
	case name == claude:
		return nil, errors.New("it does not contain Claude's tokenizers; expected pieces_v3.json and pieces_v4_7.json of ctok")
	case isJSON:
		source, err = vocabulary.ParseHuggingFace(file, name)
	case split == "":
		return nil, errors.New("a rank file does not define how text is split; use --split with one of " + strings.Join(token.Scanners, ", "))
	default:
		var ranks vocabulary.Ranks
		if ranks, err = vocabulary.ParseRanks(file); err == nil {
			source, err = ranks.Source(name, split)
		}
	}
	if err != nil {
		return nil, err
	}
	packed, err := source.Pack()
	return []vocabulary.NamedPack{{Name: name, Pack: packed}}, err
}

// writePack replaces the file of a pack in one step.
func writePack(path string, packed []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return safefile.Replace(path, packed, func(f *os.File) error { return f.Chmod(0o644) })
}

// vocabularyInfo is a vocabulary in the output of `vocab --json`.
type vocabularyInfo struct {
	Name    string `json:"name"`
	Tokens  int    `json:"tokens"`
	Bytes   int    `json:"bytes"`
	Split   string `json:"split"`
	Builtin bool   `json:"builtin"`
	File    string `json:"file,omitempty"`
	Error   string `json:"error,omitempty"`
}

type vocabularyList struct {
	Schema       string           `json:"schema"`
	Vocabularies []vocabularyInfo `json:"vocabularies"`
}

func listVocabularies(env *environment, asJSON bool) int {
	var list []vocabularyInfo
	for _, name := range token.Names() {
		e, _ := token.Find(name)
		file, _ := assets.Pack(e.Vocabulary)
		list = append(list, describeVocabulary(name, file, vocabularyInfo{Builtin: true}))
	}
	folder, err := vocabularyFolder(env)
	if err == nil {
		names, err := addedVocabularies(folder)
		if err != nil {
			return env.fail(err)
		}
		for _, name := range names {
			path := filepath.Join(folder, name+".ctxv")
			file, err := os.ReadFile(path)
			info := vocabularyInfo{File: path}
			if err != nil {
				info.Name, info.Error = name, err.Error()
			} else {
				info = describeVocabulary(name, file, info)
			}
			list = append(list, info)
		}
	}
	if asJSON {
		return env.printJSON(vocabularyList{"ctx.vocabularies/1", list})
	}
	for _, v := range list {
		from := "built in"
		if !v.Builtin {
			from = v.File
		}
		if v.Error != "" {
			fmt.Fprintf(env.Stdout, "%-16s %s (%s)\n", v.Name, v.Error, from)
			continue
		}
		fmt.Fprintf(env.Stdout, "%-16s %7d tokens %6d KB  %s\n", v.Name, v.Tokens, (v.Bytes+1023)/1024, from)
	}
	return exitOK
}

func describeVocabulary(name string, file []byte, info vocabularyInfo) vocabularyInfo {
	info.Name, info.Bytes = name, len(file)
	v, err := token.Load(file)
	if err != nil {
		info.Error = err.Error()
		return info
	}
	info.Tokens, info.Split = v.Tokens(), v.Scanner()
	return info
}

func removeVocabulary(env *environment, name string, asJSON bool) int {
	path, err := vocabularyPath(env, name)
	if err == nil {
		err = os.Remove(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return env.fail(fmt.Errorf("no vocabulary called %q was added; ctx-lsp vocab list shows those that were", name))
	}
	if err != nil {
		return env.fail(err)
	}
	if asJSON {
		return env.printJSON(map[string]string{"schema": "ctx.vocabulary-removed/1", "removed": name})
	}
	fmt.Fprintf(env.Stdout, "removed %s\n", name)
	return exitOK
}
