// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Bounds on what is read of the files that an agent loads.
const (
	maxLoadedFile  = 256 << 10 // of one file
	maxLoadedBytes = 700 << 10 // of all: one call of the engine
	maxLoadedFiles = 500       // memory files, imports among them
	maxListed      = 20_000    // skills, commands and agents that are looked for
	maxListedHead  = 16 << 10  // of a file of which only the description is listed
	maxFolderDepth = 4
)

// Loaded is what an agent loads by itself as a session begins, as far as its
// files are still those of that time: memory files with their imports, and what
// is listed of skills and agents.
type Loaded struct {
	Memory, Skills, Agents []LoadedText
	Servers                []string // MCP servers that it is configured with
	Unknown                []string // sentences: what could not be found out
}

// LoadedText is one file, or one line of a listing.
type LoadedText struct{ Label, Text string }

// Loads finds what the agent of a session of this machine loads. It returns nil
// for a transcript from elsewhere, whose folder is another one, and for agents
// that record what they load. Nothing is written, and no link is followed out
// of the folders that are the workspace's or the agent's own.
func Loads(e Environment, s Session, servers []string, hidePaths bool) *Loaded {
	if s.Parent != "" || !e.keeps(s) {
		return nil
	}
	l := &loader{environment: e, session: s, budget: maxLoadedBytes, listing: maxListed, hidePaths: hidePaths, out: Loaded{Servers: servers}}
	defer l.close()
	if find := loadings[s.Agent]; find != nil && !s.Started.IsZero() {
		if l.workspace = l.root(s.Workspace); l.workspace != nil {
			find(l)
			l.conclude()
		} else if Local(s.Workspace) {
			l.out.Unknown = append(l.out.Unknown, "The folder of this session is not there any more, so what memory files it loaded is not known.")
		}
	}
	if l.out.Memory == nil && l.out.Skills == nil && l.out.Agents == nil && len(l.out.Servers) == 0 && len(l.out.Unknown) == 0 {
		return nil
	}
	return &l.out
}

// keeps says whether a session lies where its agent keeps sessions here.
func (e Environment) keeps(s Session) bool {
	for _, root := range Roots(e) {
		if root.Agent == s.Agent && (s.Path == root.Path || strings.HasPrefix(s.Path, strings.TrimRight(root.Path, `/\`)+string(filepath.Separator))) {
			return true
		}
	}
	return false
}

// params are the parameters that tell a session what its agent loads.
func (l *Loaded) params(id string) []byte {
	w := json.Writer{}
	w.BeginObject()
	w.Key("id")
	w.String(id)
	w.Key("loaded")
	w.BeginObject()
	for _, row := range [...]struct {
		name  string
		texts []LoadedText
	}{{"memory", l.Memory}, {"skills", l.Skills}, {"agents", l.Agents}} {
		if len(row.texts) == 0 {
			continue
		}
		w.Key(row.name)
		w.BeginArray()
		for _, text := range row.texts {
			w.BeginObject()
			w.Key("label")
			w.String(strings.ToValidUTF8(text.Label, "\uFFFD"))
			w.Key("text")
			w.String(strings.ToValidUTF8(text.Text, "\uFFFD"))
			w.EndObject()
		}
		w.EndArray()
	}
	for _, row := range [...]struct {
		name  string
		texts []string
	}{{"servers", l.Servers}, {"unknown", l.Unknown}} {
		if len(row.texts) == 0 {
			continue
		}
		w.Key(row.name)
		w.BeginArray()
		for _, text := range row.texts[:min(len(row.texts), 1000)] {
			w.String(strings.ToValidUTF8(text, "\uFFFD"))
		}
		w.EndArray()
	}
	w.EndObject()
	w.EndObject()
	return w.Buf
}

// loader collects what one session loaded.
type loader struct {
	environment Environment
	session     Session
	workspace   *folder
	folders     []*folder
	budget      int64 // bytes that may still be read
	listing     int   // files of listings that may still be looked at
	seen        []os.FileInfo
	hidePaths   bool
	out         Loaded

	changed, outside, large, links []string // files, by label
	unlisted                       int
}

// folder is a directory whose files may be read, and no link out of it.
type folder struct {
	dir       string // as it is named
	real      string
	label     string // before the paths of its files
	as        string // before them, for what is known of a file by its path
	root      *os.Root
	mayImport bool // files of it may be imported by others
}

func (l *loader) close() {
	for _, f := range l.folders {
		f.root.Close()
	}
}

// root opens a directory, nil if it is none.
func (l *loader) root(dir string) *folder {
	if !Local(dir) {
		return nil
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil
	}
	for _, f := range l.folders {
		if f.real == real {
			return f
		}
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil
	}
	f := &folder{dir: filepath.Clean(dir), real: real, root: root}
	l.folders = append(l.folders, f)
	return f
}

// own opens a folder of the agent's own below the person's.
func (l *loader) own(dir string) *folder {
	f := l.root(dir)
	if f == nil {
		return nil
	}
	f.mayImport, f.label = true, f.dir+"/"
	if name := filepath.Base(f.dir); name[0] == '.' {
		f.as = name + "/"
	}
	if rest, err := filepath.Rel(l.environment.Home, dir); err == nil && filepath.IsLocal(rest) {
		f.label = "~/" + filepath.ToSlash(rest) + "/"
	}
	return f
}

// above are the workspace and the folders above it, the highest first, up to a
// folder for which last says so.
func (l *loader) above(last func(dir string) bool) (list []*folder) {
	for dir := l.workspace.dir; ; {
		f := l.workspace
		if dir != l.workspace.dir {
			if f = l.root(dir); f != nil && f.label == "" {
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

// repositoryRoot says whether a folder is the root of a repository.
func repositoryRoot(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// read reads a file once. A file that was changed since the session began is
// named, and not read: what it held then is not known.
func (l *loader) read(f *folder, path string, most int64) (text []byte, ok bool) {
	if f == nil {
		return nil, false
	}
	name := filepath.FromSlash(path)
	info, err := f.root.Stat(name)
	if err != nil {
		if link, err := f.root.Lstat(name); err == nil && link.Mode()&os.ModeSymlink != 0 {
			l.links = append(l.links, l.named(f.label+path))
		}
		return nil, false
	}
	if !info.Mode().IsRegular() || slices.ContainsFunc(l.seen, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
		return nil, false
	}
	if info.ModTime().After(l.session.Started) {
		l.changed = append(l.changed, l.named(f.label+path))
		return nil, false
	}
	whole := most == maxLoadedFile
	if whole && info.Size() > most || l.budget <= 0 {
		l.large = append(l.large, l.named(f.label+path))
		return nil, false
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // it may be a pipe by now
	if err != nil {
		return nil, false
	}
	defer file.Close()
	text = make([]byte, min(info.Size(), most))
	n, _ := file.ReadAt(text, 0)
	l.budget -= int64(n)
	if whole {
		l.seen = append(l.seen, info)
	}
	return text[:n], true
}

// memory loads a memory file and what it imports, if it is there.
func (l *loader) memory(f *folder, path string) bool {
	return l.memoryOf(f, path, nil, 0)
}

func (l *loader) memoryOf(f *folder, path string, keep func(*promptfile.View) bool, depth int) bool {
	if len(l.out.Memory) >= maxLoadedFiles {
		return false
	}
	text, ok := l.read(f, path, maxLoadedFile)
	if !ok {
		return false
	}
	view := l.view(f, path, text)
	if view == nil || keep != nil && !keep(view) {
		return false
	}
	l.out.Memory = append(l.out.Memory, LoadedText{l.named(f.label + path), string(text)})
	for i := range view.Imports {
		if depth < promptfile.MaxDepth {
			l.imported(f, path, view.Imports[i].Target, depth+1)
		}
	}
	return true
}

// imported loads what a memory file imports, if that lies in the workspace or
// in a folder of the agent's own.
func (l *loader) imported(f *folder, from, target string, depth int) {
	path := target
	switch rest, home := strings.CutPrefix(target, "~/"); {
	case home:
		path = filepath.Join(l.environment.Home, filepath.FromSlash(rest))
	case !filepath.IsAbs(target):
		path = filepath.Join(f.dir, filepath.Dir(filepath.FromSlash(from)), filepath.FromSlash(target))
	}
	for _, in := range l.folders {
		if in != l.workspace && !in.mayImport {
			continue
		}
		if rel, err := filepath.Rel(in.dir, path); err == nil && filepath.IsLocal(rel) {
			l.memoryOf(in, filepath.ToSlash(rel), nil, depth)
			return
		}
	}
	if strings.ContainsAny(target, "./") { // else it is a name: @someone
		l.outside = append(l.outside, l.named(target))
	}
}

// named is a path as it is told.
func (l *loader) named(path string) string {
	if l.hidePaths {
		return path[strings.LastIndexAny(path, `/\`)+1:]
	}
	return path
}

// rules loads the rules of a folder that are in every request.
func (l *loader) rules(f *folder, dir string) {
	for _, path := range l.files(f, dir, ".md", 0) {
		l.memoryOf(f, path, func(v *promptfile.View) bool { return v.Load.When == promptfile.Always }, 0)
	}
}

// files are the files of a folder and those below, in order.
func (l *loader) files(f *folder, dir, ending string, depth int) (list []string) {
	if f == nil || depth > maxFolderDepth {
		return nil
	}
	for _, entry := range l.names(f, dir) {
		path := dir + "/" + entry.Name()
		if dir == "." {
			path = entry.Name()
		}
		switch {
		case entry.IsDir():
			list = append(list, l.files(f, path, ending, depth+1)...)
		case strings.HasSuffix(entry.Name(), ending):
			if l.listing--; l.listing < 0 {
				return list
			}
			list = append(list, path)
		}
	}
	return list
}

// names are the entries of a folder, bounded, in order.
func (l *loader) names(f *folder, dir string) []os.DirEntry {
	d, err := f.root.Open(filepath.FromSlash(dir))
	if err != nil {
		return nil
	}
	defer d.Close()
	list, _ := d.ReadDir(maxListed)
	slices.SortFunc(list, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

// conclude says what is not known.
func (l *loader) conclude() {
	say := func(files []string, one, many string) {
		if len(files) == 0 {
			return
		}
		slices.Sort(files)
		files = slices.Compact(files)
		named, verb := strings.Join(files[:min(len(files), 3)], ", "), one
		if len(files) > 1 {
			verb = many
		}
		if more := len(files) - 3; more > 0 {
			named += fmt.Sprintf(" and %d more", more)
		}
		l.out.Unknown = append(l.out.Unknown, named+" "+verb)
	}
	say(l.changed, "was changed since this session began, so what it held then is not known.", "were changed since this session began, so what they held then is not known.")
	say(l.links, "leads out of the folder that it is in, and is not read.", "lead out of the folders that they are in, and are not read.")
	say(l.outside, "is imported from outside of the workspace, and is not read.", "are imported from outside of the workspace, and are not read.")
	say(l.large, "is too large to be read here, so how much of it is loaded is not known.", "are too large to be read here, so how much of them is loaded is not known.")
	if l.unlisted > 0 {
		l.out.Unknown = append(l.out.Unknown, fmt.Sprintf("%d skills and commands are more than the agent lists; which of them it leaves out is not known.", l.unlisted))
	}
}

// view is what there is to know of a prompt file without counting it.
func (l *loader) view(f *folder, path string, text []byte) *promptfile.View {
	d, err := promptfile.Open(path, f.as+path, l.session.Agent, text, uncounted{})
	if err != nil {
		return nil
	}
	set := promptfile.Set{}
	set.Put(d)
	view := set.View(d, promptfile.Budget{}, nil, false)
	return &view
}

// uncounted counts nothing.
type uncounted struct{}

func (uncounted) Weigh([]byte) promptfile.Weight { return promptfile.Weight{} }
func (uncounted) Tokens(promptfile.Weight) int64 { return 0 }
func (uncounted) Exact() bool                    { return true }
