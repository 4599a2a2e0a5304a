// Copyright The ctx-lsp authors. MIT licence.

package claudecode

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Bounds on the files that are checked because an agent uses them.
const (
	maxKeptFiles  = 100       // files with remembered contents
	maxUnrecorded = 300 << 10 // total bytes of files that are read for one request
	maxReadLines  = 2000      // maximum number of lines sent of a file
	maxReadBytes  = 100 << 10 // maximum number of bytes of a file; the agent refuses more than 25,000 tokens
)

// The text around such files, in tokens: the names of the tool and of the file, and sentences to the model. It is the
// text of the versions that record it (core/agent/claudecode_attachment.go).
const (
	aroundMentioned = 60
	aroundNested    = 30
	aroundChanged   = 92

	// readNote follows the text of each file that is read: in every recorded result of 2.0.76 to 2.1.37, and in none of
	// 2.1.39.
	readNote      = 84
	readNoteUntil = "2.1.38"
)

// olderThan reports whether a version such as 2.1.9 is older than another. Other texts are not older than any version.
func olderThan(version, than string) bool {
	a, b := strings.Split(version, "."), strings.Split(than, ".")
	for i := range b {
		if i >= len(a) {
			return false
		}
		n, err := strconv.Atoi(a[i])
		m, _ := strconv.Atoi(b[i])
		if err != nil || n != m {
			return err == nil && n < m
		}
	}
	return false
}

// Files finds the content that an agent sends of a workspace's files without recording it. It writes nothing, and keeps
// only a file's time and a number for each line. It does not follow links out of the workspace or of the agent's own
// directories.
type Files struct {
	environment dirs.Environment
	session     transcript.Session
	home        string
	kept        []*keptFile
	memory      map[string]bool // memory files that were sent
	partly      bool            // the content sent earlier is unknown
	checked     *promptload.Trace
}

// keptFile is the state of a file when the agent knew all of it.
type keptFile struct {
	path   string
	time   time.Time
	lines  []uint64
	writes time.Time // time since which the agent is about to change it; zero if it is not
}

// NewFiles returns the Files of a session. home is the agent's own directory.
func NewFiles(e dirs.Environment, s transcript.Session, home string) *Files {
	return &Files{environment: e, session: s, home: home, memory: map[string]bool{}}
}

// Look returns the content of files that the agent has used since the last call, and of those that have changed.
func (f *Files) Look(wanted []promptload.WantedFile, partly bool) (out promptload.Found) {
	f.partly = partly
	if len(wanted) == 0 && len(f.kept) == 0 {
		return out
	}
	if f.checked == nil {
		f.checked = &promptload.Trace{}
	}
	l := &promptload.Loader{Environment: f.environment, Session: f.session, Budget: maxUnrecorded, Listing: promptload.MaxListed, Trace: f.checked}
	defer l.Close()
	if l.Workspace = l.Root(f.session.Workspace); l.Workspace == nil {
		return out
	}
	if own := l.Own(f.home); len(wanted) > 0 {
		l.Excludes = readSettings(l, own).excludes
	}
	for _, w := range wanted {
		switch w.Use {
		case "forgotten":
			f.ForgetAll()
		case "mentioned":
			f.mentioned(l, w, &out)
		case "read":
			f.keep(l, w)
			f.nested(l, w, &out)
		case "readInPart":
			f.forget(f.place(l, w.Path).whole())
			f.nested(l, w, &out)
		case "written":
			f.writes(l, w)
		}
	}
	for _, kept := range f.kept {
		kept.look(f, l, &out)
	}
	return out
}

// ForgetAll returns to the state in which nothing was sent.
func (f *Files) ForgetAll() { f.kept, f.memory = nil, map[string]bool{} }

// Checked returns what Look has checked.
func (f *Files) Checked() *promptload.Trace { return f.checked }

// place is the location of a file that the agent may be followed to.
type place struct {
	in   *promptload.Folder
	path string // below the directory, with slashes
}

func (p place) whole() string {
	if p.in == nil {
		return ""
	}
	return filepath.Join(p.in.Dir, filepath.FromSlash(p.path))
}

// place finds a file in the workspace or in one of the agent's own directories.
func (f *Files) place(l *promptload.Loader, path string) place {
	path = filepath.FromSlash(path)
	if rest, home := strings.CutPrefix(path, "~"+string(filepath.Separator)); home {
		path = filepath.Join(f.environment.Home, rest)
	} else if !filepath.IsAbs(path) {
		path = filepath.Join(l.Workspace.Dir, path)
	}
	for _, in := range l.Folders {
		for _, dir := range []string{in.Dir, in.Real} {
			if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) && (in == l.Workspace || in.MayImport) {
				return place{in, filepath.ToSlash(rel)}
			}
		}
	}
	return place{}
}

// stat returns the size and time of a file; nil if it is missing.
func (p place) stat() os.FileInfo {
	if p.in == nil {
		return nil
	}
	info, err := p.in.Stat(p.path)
	if err != nil {
		return nil
	}
	return info
}

// text returns the present text of a file, unless it is too large.
func (p place) text(l *promptload.Loader) (text string, ok bool) {
	l.Seen = nil // the same file may be read for several reasons
	l.Session.Started = time.Now().Add(time.Hour)
	b, ok := l.Read(p.in, p.path, promptload.MaxLoadedFile)
	return strings.TrimPrefix(strings.ReplaceAll(string(b), "\r\n", "\n"), "\uFEFF"), ok && !strings.Contains(string(b), "\x00")
}

// unchanged reports whether a file has not changed since a time, as far as the clocks of disks and of records agree.
func unchanged(info os.FileInfo, since time.Time) bool {
	return !since.IsZero() && !info.ModTime().After(since.Add(2*time.Second))
}

// lineRange is the end of a mention: path#L10-20.
var lineRange = regexp.MustCompile(`^([^#]+)#L([0-9]{1,9})(?:-([0-9]{1,9}))?$`)

// mentioned adds a file, or the list of a directory, that the user has mentioned. A file that the agent has just read
// is not sent again.
func (f *Files) mentioned(l *promptload.Loader, w promptload.WantedFile, out *promptload.Found) {
	from, to, whole := 1, maxReadLines, true
	if m := lineRange.FindStringSubmatch(w.Path); m != nil {
		w.Path, whole = m[1], false
		from, _ = strconv.Atoi(m[2])
		if to = from; m[3] != "" {
			to, _ = strconv.Atoi(m[3])
		}
	}
	at := f.place(l, w.Path)
	info := at.stat()
	switch {
	case info == nil:
		return // it is not a file's name, such as @someone, or the file is elsewhere
	case info.IsDir():
		if !w.Sent {
			out.Texts = append(out.Texts, promptload.Unrecorded{Kind: "documents", Path: at.whole(), Text: quoted(f.listed(l, at)), Around: aroundMentioned})
		}
		return
	case !w.Sent && whole && slices.ContainsFunc(f.kept, func(k *keptFile) bool { return k.path == at.whole() && k.time.Equal(info.ModTime()) }):
		return
	case !w.Sent:
		text, ok := at.text(l)
		numbered := lined(strings.Split(text, "\n"), from, to)
		switch {
		case !unchanged(info, w.At):
			out.Unknown = append(out.Unknown, phrase.PromptFileChanged.Text(phrase.Name(strings.ToValidUTF8(at.path, "\uFFFD"))))
		case !ok || len(numbered) > maxReadBytes:
			out.Unknown = append(out.Unknown, phrase.PromptFileUnread.Text(phrase.Name(strings.ToValidUTF8(at.path, "\uFFFD"))))
		default:
			around := int64(aroundMentioned)
			if olderThan(f.session.Version, readNoteUntil) {
				around += readNote
			}
			out.Texts = append(out.Texts, promptload.Unrecorded{Kind: "documents", Path: at.whole(), Text: quoted(numbered), Around: around})
		}
	}
	if whole {
		f.keep(l, w)
	}
	f.nested(l, w, out)
}

// listed returns the list of a directory as printed by ls.
func (f *Files) listed(l *promptload.Loader, at place) string {
	var names []string
	for _, entry := range l.Names(at.in, at.path) {
		if !strings.HasPrefix(entry.Name(), ".") && len(names) < maxReadLines {
			names = append(names, entry.Name())
		}
	}
	return strings.Join(names, "\n")
}

// lined puts its number before each line, like the agent's tool.
func lined(lines []string, from, to int) string {
	var out strings.Builder
	for i := max(from, 1); i <= min(to, len(lines)); i++ {
		if i > from {
			out.WriteByte('\n')
		}
		number := strconv.Itoa(i)
		out.WriteString(strings.Repeat(" ", max(6-len(number), 0)) + number + "→" + lines[i-1])
	}
	return out.String()
}

// quoted returns a text in the form in which the agent sends a file's text: as JSON.
func quoted(text string) string {
	w := json.Writer{}
	w.String(strings.ToValidUTF8(text, "\uFFFD"))
	return string(w.Buf)
}

// nested adds the memory files that come with the first file of a directory that is read: those of all directories
// between the workspace and the file, and the rules for its path.
func (f *Files) nested(l *promptload.Loader, w promptload.WantedFile, out *promptload.Found) {
	at := f.place(l, w.Path)
	if at.in != l.Workspace || at.stat() == nil {
		return
	}
	l.Session.Started = time.Now().Add(time.Hour) // they are sent in their present state
	before := len(l.Out.Memory)
	for i := range at.path {
		if at.path[i] != '/' {
			continue
		}
		dir := at.path[:i]
		l.Memory(l.Workspace, dir+"/CLAUDE.md")
		l.Memory(l.Workspace, dir+"/.claude/CLAUDE.md")
		l.Rules(l.Workspace, dir+"/.claude/rules")
		f.rulesFor(l, dir+"/.claude/rules", at.path[i+1:])
		l.Memory(l.Workspace, dir+"/CLAUDE.local.md")
	}
	f.rulesFor(l, ".claude/rules", at.path)
	for _, text := range l.Out.Memory[before:] {
		if f.memory[text.Label] {
			continue
		}
		f.memory[text.Label] = true
		if !w.Sent && !f.partly {
			out.Texts = append(out.Texts, promptload.Unrecorded{Kind: "memory", Path: filepath.Join(l.Workspace.Dir, text.Label), Text: text.Text, Around: aroundNested})
		}
	}
}

// rulesFor loads a directory's rules that are limited to paths, if one of the paths matches a file.
func (f *Files) rulesFor(l *promptload.Loader, dir, file string) {
	for _, path := range l.Files(l.Workspace, dir, ".md", 0) {
		l.MemoryOf(l.Workspace, path, func(v *promptfile.View) bool {
			return v.Load.When == promptfile.ByPath && slices.ContainsFunc(v.Load.Globs, func(pattern string) bool {
				glob := promptload.Glob(pattern)
				return glob != nil && glob.MatchString(file)
			})
		}, 0)
	}
}
