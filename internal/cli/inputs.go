// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bufio"
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/textfiles"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// inputs are the sessions that a command reads: those of this machine, or of the given paths.
type inputs struct {
	sessions []transcript.Session
	failed   int64 // paths and sessions that could not be read; each was reported

	env *environment
}

// sessionsFor lists the sessions of the paths: transcripts, directories, patterns, archives, and - for a list of these
// on standard input. Without a path it lists the sessions of this machine. An error ends the command.
func sessionsFor(ctx context.Context, env *environment, paths []string) (*inputs, error) {
	in := &inputs{env: env}
	trouble := func(p sessions.Problem) {
		env.errorf("%s", p)
		in.failed++
	}
	if len(paths) == 0 {
		found, problems, err := sessions.NewFinder(env.host()).Find(ctx, sessions.Query{Children: true})
		for _, p := range problems {
			trouble(p)
		}
		in.sessions = found
		return in, err
	}
	for _, path := range paths {
		if path == "-" {
			lines := bufio.NewScanner(env.input())
			lines.Buffer(nil, 1<<20)
			for lines.Scan() {
				if name := strings.TrimSuffix(lines.Text(), "\r"); name != "" {
					in.add(ctx, env, name, trouble)
				}
			}
			if err := lines.Err(); err != nil {
				return nil, fmt.Errorf("the list on standard input cannot be read: %w", err)
			}
			continue
		}
		in.add(ctx, env, path, trouble)
	}
	seen := map[[2]string]bool{} // patterns and lists may name a transcript twice
	in.sessions = slices.DeleteFunc(in.sessions, func(s transcript.Session) bool {
		key := [2]string{s.Path, s.ID}
		twice := seen[key]
		seen[key] = true
		return twice
	})
	return in, nil
}

func (in *inputs) add(ctx context.Context, env *environment, path string, trouble func(sessions.Problem)) {
	before, failed := len(in.sessions), in.failed
	see := func(s transcript.Session) {
		if err := env.refusal(s.Agent); err != nil {
			trouble(sessions.Problem{Path: in.origin(s.Path), What: err.Error()})
			return
		}
		in.sessions = append(in.sessions, s)
	}
	full := env.resolve(path)
	_, err := os.Stat(full)
	switch {
	case err == nil && env.refuses(full) != nil:
		trouble(sessions.Problem{Path: path, What: env.refuses(full).Error()})
	case err == nil && (isArchive(full) || compressedDocument(full)):
		folder, err := env.unpackedFor(ctx, full)
		if folder != "" {
			sessions.Below(folder, nil, see, func(p sessions.Problem) { trouble(sessions.Problem{Path: in.origin(p.Path), What: p.What}) })
		}
		if err != nil {
			trouble(sessions.Problem{Path: path, What: plainError(err)})
		}
	case err != nil && strings.ContainsAny(path, "*?["):
		for _, match := range textfiles.Matching(full) {
			if isArchive(match) {
				in.add(ctx, env, match, trouble)
				continue
			}
			sessions.Below(match, env.refuses, see, trouble)
		}
	case err != nil && !strings.ContainsAny(path, `/\`):
		if found, err := env.search().Named(ctx, path); err != nil {
			trouble(sessions.Problem{What: err.Error()}) // the error names it
		} else {
			see(found.Session)
		}
	default:
		sessions.Below(full, env.refuses, see, trouble)
	}
	if len(in.sessions) == before && in.failed == failed {
		env.errorf("%s contains no session", path)
		in.failed++
	}
}

// origin returns the path of a transcript for the user: its path inside an archive, or its own.
func (in *inputs) origin(path string) string {
	in.env.unpacked.Range(func(archive, folder any) bool {
		below, err := filepath.Rel(folder.(string), path)
		if err == nil && filepath.IsLocal(below) {
			path = archive.(string) + "!" + filepath.ToSlash(below)
			return false
		}
		return true
	})
	return path
}

// compressedDocument reports whether a compressed file contains a document instead of the lines of a transcript.
func compressedDocument(path string) bool {
	s, err := sessions.At(path)
	return err == nil && s.Form == transcript.Compressed && s.Agent == ""
}

// A shard is one of N parts of the sessions, such as --shard=2/8; the zero shard is all of them.
type shard struct{ part, parts int }

func (s *shard) String() string { return "" }

// Set reads I/N.
// Type names the value in the help.
func (s *shard) Type() string { return "I/N" }

func (s *shard) Set(text string) error {
	part, parts, ok := strings.Cut(text, "/")
	s.part, _ = strconv.Atoi(part)
	s.parts, _ = strconv.Atoi(parts)
	if !ok || s.part < 1 || s.parts < s.part {
		return fmt.Errorf("expected I/N, such as 2/8 for the second of eight")
	}
	return nil
}

// filter returns the sessions of the shard. It assigns them by their ids, so that every machine gets the same parts.
func (s shard) filter(sessions []transcript.Session) (chosen []transcript.Session) {
	for _, each := range sessions {
		h := fnv.New32a()
		_, _ = h.Write([]byte(each.ID)) // a hash accepts everything
		if s.parts == 0 || int(h.Sum32()%uint32(s.parts)) == s.part-1 {
			chosen = append(chosen, each)
		}
	}
	return chosen
}
