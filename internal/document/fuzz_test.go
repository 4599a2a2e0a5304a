// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	source "github.com/yuin/goldmark/text"
)

// FuzzImports checks that targets and links with any text never lead to a file outside the allowed directories.
func FuzzImports(f *testing.F) {
	for _, target := range []string{"a.md", "../secret.md", "~/.claude/mine.md", "~/notes.md", "//host/share", `\\host\share`, "link", "link/secret.md", "dir/../link", "/etc/passwd", "", ".", "..", "~", "a\x00b", "dir//a.md", "$DIR/secret.md", "$DIR/ws/a.md"} {
		for _, link := range []string{"a.md", "../secret.md", "..", "/", "link", "$DIR/secret.md", "$DIR/home/.claude", "$DIR", "dir/../..", "//host"} {
			f.Add(target, link)
		}
	}
	dir := tree(f, map[string]string{
		"ws/a.md": "inside", "ws/dir/a.md": "inside", "home/.claude/mine.md": "inside", "home/notes.md": "SECRET", "secret.md": "SECRET", "ws-not/a.md": "SECRET",
	})
	ws := filepath.Join(dir, "ws")
	places := Places{Folders: []string{ws}, Home: filepath.Join(dir, "home")}
	link := filepath.Join(ws, "link")
	f.Fuzz(func(t *testing.T, target, to string) {
		target, to = strings.ReplaceAll(target, "$DIR", dir), strings.ReplaceAll(to, "$DIR", dir)
		_ = os.Remove(link)
		_ = os.Symlink(to, link) // fails for an invalid target
		r := places.reach()
		defer r.close()
		for _, importer := range []string{filepath.Join(ws, "CLAUDE.md"), filepath.Join(ws, "dir", "x.md"), filepath.Join(dir, "CLAUDE.md")} {
			result := r.find(target, importer)
			text, _, problem := r.read(result.path)
			if strings.Contains(string(text), "SECRET") {
				t.Errorf("@%q in %s over a link to %q leads out", target, importer, to)
			}
			if result.problem != "" || problem != "" {
				continue
			}
			at, err := filepath.EvalSymlinks(result.path)
			if err != nil {
				t.Fatalf("@%q was found at %q, which is not there: %v", target, result.path, err)
			}
			if !strings.HasPrefix(at, ws+string(filepath.Separator)) && !strings.HasPrefix(at, filepath.Join(dir, "home", ".claude")+string(filepath.Separator)) {
				t.Errorf("@%q in %s over a link to %q leads to %s", target, importer, to, at)
			}
		}
	})
}

// FuzzPromptFile opens any text as a prompt file and requests every feature of it. No image, link or HTML of the file
// may become one in the output.
func FuzzPromptFile(f *testing.F) {
	for _, text := range []string{"# a\n@a.md\n## b\n", "# - a\n## 1. b\n### + c\n# * d\n", "@a.md @b.md\n", "---\nname: x\n", "[x](a.md) #file:a.md", "\xff\xfe", strings.Repeat("#", 7) + " x", "@~/.claude/mine.md", "```\n@a.md\n```", "@a.md"} {
		f.Add(text)
	}
	dir := tree(f, map[string]string{"a.md": "@b.md\n", "b.md": "@CLAUDE.md\n# b\n"})
	uri := URI(filepath.Join(dir, "CLAUDE.md"))
	b := newBench(f, Places{Folders: []string{dir}})
	f.Fuzz(func(t *testing.T, text string) {
		ctx := context.Background()
		b.Open(ctx, uri, 1, text)
		defer b.Close(ctx, uri)
		markdown, _ := b.Breakdown(ctx, uri)
		if markdown == "" {
			t.Fatalf("nothing is shown of %q: %q", text, b.complaints)
		}
		document := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(source.NewReader([]byte(markdown)))
		_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			kind := n.Kind().String()
			switch list, isList := n.(*ast.List); {
			case !entering:
			case isList && list.Marker == '-' && n.Parent() == document: // our list of parts
			case isList, slices.Contains([]string{"Image", "Link", "AutoLink", "RawHTML", "HTMLBlock", "Heading"}, kind):
				t.Errorf("%q is shown with a %s:\n%s", text, kind, markdown)
			}
			return ast.WalkContinue, nil
		})
		b.Lenses(ctx, uri)
		b.Hints(ctx, uri, Range{End: Position{Line: 1 << 20}})
		b.Links(ctx, uri)
		b.Diagnostics(ctx, uri)
		for line := range 4 {
			b.Hover(ctx, uri, Position{Line: line, Character: 1}, line%2 == 0)
		}
		b.calls, b.complaints = nil, nil
	})
}
