// Copyright The ctx-lsp authors. MIT licence.

// Package promptload finds what an agent loads in addition to the conversation: memory files with their imports, rules,
// and the descriptions of skills, commands and agents. Package agents defines which of them an agent loads.
package promptload

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Limits on the files that are read because an agent loads them.
const (
	MaxLoadedFile  = 256 << 10 // bytes of one file
	maxLoadedBytes = 700 << 10 // bytes of all files, so that they fit into one call of the engine
	maxLoadedFiles = 500       // memory files, with their imports
	MaxListed      = 20_000    // files of skills, commands and agents that are checked
	maxListedHead  = 16 << 10  // bytes of a file that is listed only by its description
	maxFolderDepth = 4
)

// Loaded is what an agent loads automatically when a session starts: memory files with their imports, and the
// descriptions of skills and agents. It does not include files that have changed since then.
type Loaded struct {
	Memory, Skills, Agents []Text
	Servers                []string      // the MCP servers that the agent is configured with
	ServersChanged         time.Time     // when their configuration was last changed; zero if the agent records it
	MemoryChanged          time.Time     // the same for memory files
	Unknown                []phrase.Text // messages about what could not be determined
}

// Text is one file, or one line of a listing. Tokens is set instead of the text if only the size is known.
type Text struct {
	Label, Text string
	Tokens      int64
}

// Params returns the parameters of the call that passes what its agent loads to a session.
func (l *Loaded) Params(id string) *api.UpdateParams {
	loaded := api.Loaded{Memory: parts(l.Memory), Skills: parts(l.Skills), Agents: parts(l.Agents), Unknown: sentences(l.Unknown)}
	loaded.Servers = l.Servers[:min(len(l.Servers), mostListed)]
	loaded.ServersChanged, loaded.MemoryChanged = milliseconds(l.ServersChanged), milliseconds(l.MemoryChanged)
	return &api.UpdateParams{ID: id, Loaded: loaded}
}

// milliseconds returns a time in milliseconds since 1970, nil for zero.
func milliseconds(at time.Time) *api.Time {
	if at.IsZero() {
		return nil
	}
	n := api.Time(at.UnixMilli())
	return &n
}

// parts returns texts in the form that an engine accepts, nil if texts is empty.
func parts(texts []Text) api.Content {
	if len(texts) == 0 {
		return nil
	}
	out := make([]api.Part, len(texts))
	for i := range texts {
		text := &texts[i]
		out[i] = api.Part{Label: text.Label, Text: api.Body(text.Text)}
		if text.Tokens > 0 {
			out[i].Tokens = &text.Tokens
		}
	}
	return out
}

// Loader collects what one session loaded.
type Loader struct {
	Environment dirs.Environment
	Session     transcript.Session
	Home        string // the agent's own folder
	Workspace   *Folder
	Folders     []*Folder
	Budget      int64 // bytes that may still be read
	Listing     int   // how many files of skills, commands and agents may still be checked
	Seen        []os.FileInfo
	hidePaths   bool
	Out         Loaded

	// Trace, if set, records what is checked.
	Trace *Trace

	// Around returns the text that the agent puts above and below the content of a memory file; nil for none.
	Around func(path string) (above, below string)

	Excludes []*regexp.Regexp // patterns of memory files that are excluded

	changed, Outside, large, links []string // labels of files that were not read, by the reason
	unfinished                     []string // patterns that may match more files than were checked
	unlisted                       int      // skills and commands that do not fit into the agent's list
}

// Folder is a directory whose files may be read. Links out of it are not followed.
type Folder struct {
	Dir       string // the path with which it was opened
	Real      string // the path with all links resolved
	label     string // a prefix for displayed paths of files
	As        string // a prefix for the paths of files, if the path determines the kind of prompt file
	Root      *os.Root
	MayImport bool // files of other folders may import its files
	trace     *TracedFolder
}

// Close closes the directories.
func (l *Loader) Close() {
	for _, f := range l.Folders {
		f.Root.Close()
	}
}

// Root opens a directory. It returns nil if the directory does not exist on this machine or cannot be opened.
func (l *Loader) Root(dir string) *Folder {
	if !dirs.Local(dir) {
		return nil
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		l.Trace.folder(dir, "")
		return nil
	}
	for _, f := range l.Folders {
		if f.Real == real {
			l.Trace.folder(dir, real)
			return f
		}
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		l.Trace.folder(dir, "")
		return nil
	}
	f := &Folder{Dir: filepath.Clean(dir), Real: real, Root: root, trace: l.Trace.folder(dir, real)}
	l.Folders = append(l.Folders, f)
	return f
}

// Own opens one of the agent's own directories, most of which are in the user's home directory. It returns nil if that
// fails.
func (l *Loader) Own(dir string) *Folder {
	f := l.Root(dir)
	if f == nil {
		return nil
	}
	f.MayImport, f.label = true, f.Dir+"/"
	if name := filepath.Base(f.Dir); name[0] == '.' {
		f.As = name + "/"
	}
	if rest, err := filepath.Rel(l.Environment.Home, dir); err == nil && filepath.IsLocal(rest) {
		f.label = "~/" + filepath.ToSlash(rest) + "/"
	}
	return f
}

// Above returns the workspace and the directories above it, the highest first. The first directory for which last is
// true, going up from the workspace, is the highest.
func (l *Loader) Above(last func(dir string) bool) (list []*Folder) {
	for dir := l.Workspace.Dir; ; {
		f := l.Workspace
		if dir != l.Workspace.Dir {
			if f = l.Root(dir); f != nil && f.label == "" {
				f.label = dir + "/"
			}
		}
		if f != nil {
			list = append(list, f)
		}
		up := filepath.Dir(dir)
		if up == dir || last(dir) {
			break
		}
		dir = up
	}
	slices.Reverse(list)
	return list
}

// RepositoryRoot reports whether a directory is the root of a repository.
func RepositoryRoot(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// Read reads a file unless it was already read. A file that has changed since the session started is noted and not
// read, because its text at that time is unknown.
func (l *Loader) Read(f *Folder, path string, most int64) (text []byte, ok bool) {
	if f == nil {
		return nil, false
	}
	name := filepath.FromSlash(path)
	info, err := f.Stat(path)
	if err != nil {
		if link, err := f.Root.Lstat(name); err == nil && link.Mode()&os.ModeSymlink != 0 {
			l.links = append(l.links, l.Named(f.label+path))
		}
		return nil, false
	}
	if !info.Mode().IsRegular() || slices.ContainsFunc(l.Seen, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
		return nil, false
	}
	if info.ModTime().After(l.Session.Started) {
		l.changed = append(l.changed, l.Named(f.label+path))
		return nil, false
	}
	whole := most == MaxLoadedFile
	if whole && info.Size() > most || l.Budget <= 0 {
		l.large = append(l.large, l.Named(f.label+path))
		return nil, false
	}
	file, err := f.Root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // it may have become a pipe
	if err != nil {
		return nil, false
	}
	defer file.Close()
	text = make([]byte, min(info.Size(), most))
	n, _ := file.ReadAt(text, 0)
	l.Budget -= int64(n)
	if whole {
		l.Seen = append(l.Seen, info)
	}
	return text[:n], true
}

// Memory loads a memory file and its imports. It reports whether the file was read.
func (l *Loader) Memory(f *Folder, path string) bool {
	return l.MemoryOf(f, path, nil, 0)
}

// MemoryOf is Memory for a file that may be imported, depth levels deep. A file that keep rejects is left out.
func (l *Loader) MemoryOf(f *Folder, path string, keep func(*promptfile.View) bool, depth int) bool {
	if len(l.Out.Memory) >= maxLoadedFiles || f != nil && l.excluded(f, path) {
		return false
	}
	text, ok := l.Read(f, path, MaxLoadedFile)
	if !ok {
		return false
	}
	view := l.view(f, path, text)
	if view == nil || keep != nil && !keep(view) {
		return false
	}
	above, below := "", ""
	if l.Around != nil {
		above, below = l.Around(filepath.Join(f.Dir, filepath.FromSlash(path)))
	}
	l.Out.Memory = append(l.Out.Memory, Text{Label: l.Named(f.label + path), Text: above + string(text) + below})
	for i := range view.Imports {
		if depth < promptfile.MaxDepth {
			l.imported(f, path, view.Imports[i].Target, depth+1)
		}
	}
	return true
}

// imported loads a file that a memory file imports, if it is in the workspace or in one of the agent's own directories.
func (l *Loader) imported(f *Folder, from, target string, depth int) {
	path := target
	switch rest, home := strings.CutPrefix(target, "~/"); {
	case home:
		path = filepath.Join(l.Environment.Home, filepath.FromSlash(rest))
	case !filepath.IsAbs(target):
		path = filepath.Join(f.Dir, filepath.Dir(filepath.FromSlash(from)), filepath.FromSlash(target))
	}
	for _, in := range l.Folders {
		if in != l.Workspace && !in.MayImport {
			continue
		}
		if rel, err := filepath.Rel(in.Dir, path); err == nil && filepath.IsLocal(rel) {
			l.MemoryOf(in, filepath.ToSlash(rel), nil, depth)
			return
		}
	}
	if strings.ContainsAny(target, "./") { // otherwise it is a mention, such as @someone
		l.Outside = append(l.Outside, l.Named(target))
	}
}

// Named returns a path as it is displayed.
func (l *Loader) Named(path string) string {
	if l.hidePaths {
		return path[strings.LastIndexAny(path, `/\`)+1:]
	}
	return path
}

// Rules loads the rules in a directory that are part of every request.
func (l *Loader) Rules(f *Folder, dir string) {
	for _, path := range l.Files(f, dir, ".md", 0) {
		l.MemoryOf(f, path, func(v *promptfile.View) bool { return v.Load.When == promptfile.Always }, 0)
	}
}

// Files returns the files with an extension in a directory and below it, in order.
func (l *Loader) Files(f *Folder, dir, ending string, depth int) (list []string) {
	if f == nil || depth > maxFolderDepth {
		return nil
	}
	for _, entry := range l.Names(f, dir) {
		path := dir + "/" + entry.Name()
		if dir == "." {
			path = entry.Name()
		}
		switch {
		case entry.IsDir():
			list = append(list, l.Files(f, path, ending, depth+1)...)
		case strings.HasSuffix(entry.Name(), ending):
			if l.Listing--; l.Listing < 0 {
				return list
			}
			list = append(list, path)
		}
	}
	return list
}

// Names returns the entries of a directory in order, at most MaxListed.
func (l *Loader) Names(f *Folder, dir string) []os.DirEntry {
	f.note(dir)
	d, err := f.Root.Open(filepath.FromSlash(dir))
	if err != nil {
		return nil
	}
	defer d.Close()
	list, _ := d.ReadDir(MaxListed)
	slices.SortFunc(list, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

// conclude adds messages about the files that were not read.
func (l *Loader) conclude() {
	report := func(files []string, one, many phrase.ID) {
		if len(files) == 0 {
			return
		}
		slices.Sort(files)
		files = slices.Compact(files)
		named, id := phrase.Name(strings.ToValidUTF8(strings.Join(files[:min(len(files), 3)], ", "), "\uFFFD")), one
		if len(files) > 1 {
			id = many
		}
		if more := len(files) - 3; more > 0 {
			named = phrase.AndMore.Arg(named, phrase.Count(int64(more)))
		}
		l.Out.Unknown = append(l.Out.Unknown, id.Text(named))
	}
	report(l.changed, phrase.FileChanged, phrase.FilesChanged)
	report(l.links, phrase.FileLinks, phrase.FilesLink)
	report(l.Outside, phrase.FileOutside, phrase.FilesOutside)
	report(l.large, phrase.FileTooLarge, phrase.FilesTooLarge)
	report(l.unfinished, phrase.PatternUnfinished, phrase.PatternsUnfinished)
	if l.unlisted > 0 {
		l.Out.Unknown = append(l.Out.Unknown, phrase.SkillsUnlisted.Text(phrase.Count(int64(l.unlisted))))
	}
}

// view parses the text of a prompt file, without counting tokens. It returns nil if that fails.
func (l *Loader) view(f *Folder, path string, text []byte) *promptfile.View {
	d, err := promptfile.Open(path, f.As+path, l.Session.Agent, text, uncounted{})
	if err != nil {
		return nil
	}
	set := promptfile.Set{}
	view := set.View(d, promptfile.Budget{}, nil, false)
	return &view
}

// uncounted is a counter for views without counts.
type uncounted struct{}

func (uncounted) Weigh([]byte) promptfile.Weight { return promptfile.Weight{} }
func (uncounted) Tokens(promptfile.Weight) int64 { return 0 }
func (uncounted) Exact() bool                    { return true }
