// Copyright The ctx-lsp authors. MIT licence.

package check

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
)

const (
	// mostImported is the maximum size of an importable file of an earlier state; mostImportedAll limits all files
	// together.
	mostImported    = 1 << 20
	mostImportedAll = 64 << 20
)

// importable are the extensions of files that prompt files may import.
var importable = []string{"", ".md", ".mdc", ".txt", ".json", ".toml", ".yaml", ".yml"}

// AtCommit writes the prompt files of a directory at a commit, and the files that they may import, into another
// directory. It returns the paths of all files written, relative to that directory.
//
// A repository can choose programs that git runs. The two commands used here run none of them: they list a tree, and
// print objects as they are stored. Missing objects are not fetched.
func AtCommit(ctx context.Context, folder, commit, into string) ([]string, error) {
	listed, err := git(ctx, folder, nil, "ls-tree", "-r", "-l", "-z", "--end-of-options", commit)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(into)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var paths, objects []string
	room := int64(mostImportedAll)
	for entry := range strings.SplitSeq(string(listed), "\x00") {
		about, name, ok := strings.Cut(entry, "\t")
		fields := strings.Fields(about) // mode, type, object, size
		if !ok || len(fields) != 4 || fields[1] != "blob" || !filepath.IsLocal(filepath.FromSlash(name)) {
			continue
		}
		size, err := strconv.ParseInt(fields[3], 10, 64)
		is := promptfile.KindOf(name) != promptfile.None
		if err != nil || fields[0] == "120000" || size > mostText || !is && (size > mostImported || !slices.Contains(importable, path.Ext(name))) {
			continue
		}
		if room -= size; room < 0 {
			return nil, fmt.Errorf("the Markdown files of %s have more than %d MB in total", commit, mostImportedAll>>20)
		}
		paths, objects = append(paths, name), append(objects, fields[2])
	}
	texts, err := git(ctx, folder, strings.NewReader(strings.Join(objects, "\n")+"\n"), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	from := bufio.NewReader(bytes.NewReader(texts))
	for _, name := range paths {
		head, err := from.ReadString('\n')
		fields := strings.Fields(head) // object, type, size
		if err != nil || len(fields) != 3 {
			return nil, fmt.Errorf("git cannot provide %s from %s", name, commit)
		}
		size, _ := strconv.ParseInt(fields[2], 10, 64)
		text := make([]byte, size)
		if _, err := io.ReadFull(from, text); err != nil {
			return nil, err
		}
		_, _ = from.Discard(1) // the line feed after each object
		if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
			return nil, err
		}
		if err := root.WriteFile(filepath.FromSlash(name), text, 0o600); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// git runs a read-only git command in a directory.
func git(ctx context.Context, folder string, stdin io.Reader, args ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, "git", append([]string{"-C", folder, "-c", "core.fsmonitor=false", "--no-pager"}, args...)...)
	command.Env = append(os.Environ(), "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	command.Stdin = stdin
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errors.New("comparing with a commit requires git, which is not installed")
	}
	if err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return nil, fmt.Errorf("git failed: %s", strings.TrimPrefix(line, "fatal: "))
	}
	return out, nil
}
