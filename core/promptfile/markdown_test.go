// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	source "github.com/yuin/goldmark/text"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM))

// constructs counts the Markdown constructs of a text by kind, and collects the texts in code.
func constructs(shown string) (kinds map[string]int, codes []string) {
	kinds = map[string]int{}
	body := []byte(shown)
	document := markdown.Parser().Parse(source.NewReader(body))
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text, *ast.String:
		case *ast.CodeSpan:
			kinds["CodeSpan"]++
			var b strings.Builder
			for child := n.FirstChild(); child != nil; child = child.NextSibling() {
				b.Write(child.(*ast.Text).Value(body))
			}
			codes = append(codes, b.String())
			return ast.WalkSkipChildren, nil
		case *extast.TableCell:
			kinds["TableCell"]++
		default:
			kinds[n.Kind().String()]++
		}
		return ast.WalkContinue, nil
	})
	return kinds, codes
}

// hostile texts would change the Markdown around them if they were not escaped.
var hostile = []string{
	"![](https://evil.example/pixel.png)", "[click](command:x)", "<img src=https://evil.example/x>", "https://evil.example", "www.evil.example", "a@evil.example",
	"`x` ![](https://evil.example/p)", "``` ![](https://evil.example/p) ```", "| a | b |\n|---|---|\n", "# heading", "- list", "1. list", "1) list", "> quote", "---", "===",
	"*a* **b** _c_ __d__ ~~e~~", "&lt;img&gt; &#60;", "\\", "\\\\![](x)", "$(zap) $x$", "    code", "\tcode", "[^1]: x", "[a]: https://evil.example", "[ ] task", "\u202eevil\u2066", "a\u0000b", "\x1b]0;x\x07",
	"`", "``", "`a", "a`", " ` ", "", " ", "a\nb", "a|b", `a\|b`, "<https://evil.example>", "[[x]]", ":smile:", "@user", "http\u200b://evil.example",
}

// inert checks that a name adds no constructs to the texts shown beyond those of a plain word.
func inert(t *testing.T, name string) {
	t.Helper()
	view := func(name string) *drawer {
		v := &View{Document: &Document{Kind: ClaudeMD}, Tokens: 12, Exact: true, Files: 2, Imports: []ImportView{
			{Import: Import{Target: name}, ID: "file:///x", Tokens: 5}, {Import: Import{Target: "other"}, ID: "file:///y", Tokens: 6},
		}}
		v.Load = Load{When: ByPath, Globs: []string{name}, Why: phrase.WhyFolder, WhyName: name}
		v.Sections = []Section{{Title: name, Level: 1, Own: 4, Tokens: 9}, {Title: name, Level: 2, Own: 5, Tokens: 5}}
		return &drawer{view: v, Drawing: &Drawing{Model: name, Share: "6%", Limit: "200k"}}
	}
	shows := map[string]func(d *drawer) phrase.Text{
		"breakdown": (*drawer).breakdown,
		"section":   func(d *drawer) phrase.Text { return d.aboutSection(0) },
	}
	for _, problem := range []string{"", "missing", "outside", "repeated", "tooLarge"} {
		shows["import "+problem] = func(d *drawer) phrase.Text {
			i := d.view.Imports[0]
			if i.Problem = problem; problem != "" && problem != "repeated" {
				i.ID = ""
			}
			return d.aboutImport(&i)
		}
	}
	for what, show := range shows {
		shown := show(view(name)).String()
		want, _ := constructs(show(view("word")).String())
		got, codes := constructs(shown)
		for kind := range got {
			if got[kind] > want[kind] {
				t.Errorf("%s of %q has %d of %s, with a plain word %d:\n%s", what, name, got[kind], kind, want[kind], shown)
			}
		}
		for kind := range want {
			if got[kind] != want[kind] && strings.TrimSpace(escape(name)) != "" {
				t.Errorf("%s of %q has %d of %s, with a plain word %d:\n%s", what, name, got[kind], kind, want[kind], shown)
			}
		}
		for _, code := range codes {
			if utf8.ValidString(name) && utf8.RuneCountInString(name) < most && !strings.ContainsFunc(name, unseen) && strings.TrimSpace(name) == name && name != "" &&
				code != name && code != "@"+name && code != "other" && code != "@other" && code != "word" {
				t.Errorf("%s of %q shows the code %q", what, name, code)
			}
		}
		if strings.ContainsFunc(shown, func(r rune) bool { return unseen(r) && r != '\n' }) {
			t.Errorf("%s of %q has characters that are not seen: %q", what, name, shown)
		}
	}
}

func TestTextsOfAWorkspaceAreTextInMarkdown(t *testing.T) {
	for _, name := range hostile {
		inert(t, name)
	}
	for text, want := range map[string]string{
		"Über `x` [a](b)": "**9 tokens** · Über `x` [a](b)",
	} {
		if got, _, _ := strings.Cut(plain("**9 tokens** · "+escape(text)), "\n"); got != strings.ReplaceAll(want, "**", "") {
			t.Errorf("without Markdown %q is shown as %q", text, got)
		}
	}
	if got := plain("There is no file " + code("a`b*c") + "."); got != "There is no file a`b*c." {
		t.Errorf("without Markdown: %q", got)
	}
	if got := label("loaded for $(zap)\u202e"); got != "loaded for $ (zap)" {
		t.Errorf("a lens says %q", got)
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, name := range hostile {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) { inert(t, name) })
}
