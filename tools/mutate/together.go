// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// selector is the environment variable that selects a change; selected is the variable of the package that contains its
// value.
const (
	selector = "MUTATE_CHANGE"
	selected = "mutateChange"
)

// together writes many changes into one package, so that the suites are compiled only once: a variable selects among
// the changed expressions and statements. It returns the files by name. A change that cannot be selected, such as one
// in the declaration of a constant, keeps the id 0.
func (src *source) together(pkg string, list []change) (map[string]string, error) {
	imports, err := exportData(pkg)
	if err != nil {
		return nil, err
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	checked, errs := check(src.set, src.trees, imports, info)
	if len(errs) > 0 {
		return nil, errs[0]
	}
	for i := range list {
		if !list[i].within.fixed {
			list[i].id = i + 1
		}
	}
	for {
		files := src.overlay(list, info, checked)
		set := token.NewFileSet()
		var trees []*ast.File
		var failures []error
		for _, name := range slices.Sorted(maps.Keys(files)) {
			tree, err := parser.ParseFile(set, name, files[name], parser.SkipObjectResolution)
			if err != nil {
				return nil, fmt.Errorf("a change cannot be parsed: %w", err)
			}
			trees = append(trees, tree)
		}
		_, failures = check(set, trees, imports, nil)
		if len(failures) == 0 {
			return files, nil
		}
		if !dropFailing(files, list, failures) {
			return nil, failures[0]
		}
	}
}

// dropFailing clears the ids of the changes to which compiler errors refer: those on the same line.
func dropFailing(files map[string]string, list []change, failures []error) bool {
	dropped := false
	for _, failure := range failures {
		var e types.Error
		if !errors.As(failure, &e) {
			continue
		}
		position := e.Fset.Position(e.Pos)
		lines := strings.Split(files[position.Filename], "\n")
		for i := range list {
			mark := selected + " == " + strconv.Itoa(list[i].id) + " "
			if list[i].id > 0 && list[i].file == position.Filename && strings.Contains(lines[position.Line-1], mark) {
				list[i].id, dropped = 0, true
			}
		}
		if !dropped { // the error is elsewhere, such as a missing return after the last statement was changed
			for i := range list {
				if list[i].id > 0 && list[i].file == position.Filename && list[i].within.expression == nil {
					list[i].id, dropped = 0, true
				}
			}
		}
	}
	return dropped
}

// overlay returns the text of every file of the package with the changes that have an id.
func (src *source) overlay(list []change, info *types.Info, checked *types.Package) map[string]string {
	files := map[string]string{}
	for file, text := range src.texts {
		var here []change
		for _, c := range list {
			if c.id > 0 && c.file == file {
				here = append(here, c)
			}
		}
		// Outer expressions come first; the changes of one expression are adjacent.
		slices.SortStableFunc(here, func(a, b change) int {
			return cmp.Or(cmp.Compare(a.within.start, b.within.start), cmp.Compare(b.within.end, a.within.end))
		})
		files[file] = rewrite(text, 0, len(text), here, func(e ast.Expr) string {
			t := types.Default(info.Types[e].Type)
			return types.TypeString(t, func(p *types.Package) string {
				if p == checked {
					return ""
				}
				return p.Name()
			})
		})
	}
	files[filepath.Join(src.dir, "zz_mutate.go")] = "package " + checked.Name() + "\n\nimport (\n\t\"os\"\n\t\"strconv\"\n)\n\nvar " + selected +
		", _ = strconv.Atoi(os.Getenv(\"" + selector + "\"))\n"
	return files
}

// rewrite returns text[start:end] with the changes in list, each selected by its id.
func rewrite(text []byte, start, end int, list []change, typeOf func(ast.Expr) string) string {
	var out strings.Builder
	for len(list) > 0 {
		outer := list[0].within
		n := 1
		for n < len(list) && list[n].within.start == outer.start && list[n].within.end == outer.end {
			n++
		}
		inner := n
		for inner < len(list) && list[inner].within.start < outer.end {
			inner++
		}
		out.Write(text[start:outer.start])
		original := rewrite(text, outer.start, outer.end, list[n:inner], typeOf)
		result, otherwise := "", original
		if outer.expression != nil {
			out.WriteString("func() " + typeOf(outer.expression) + " { ")
			result, otherwise = "return ", "return "+original+" }()"
		}
		for _, c := range list[:n] {
			changed := string(text[outer.start:c.start]) + c.text + string(text[c.end:outer.end])
			out.WriteString("if " + selected + " == " + strconv.Itoa(c.id) + " { " + result + changed + " }")
			if outer.expression == nil {
				out.WriteString(" else ")
			} else {
				out.WriteString("; ")
			}
		}
		if outer.expression == nil {
			otherwise = "{ " + original + " }"
		}
		out.WriteString(otherwise)
		start, list = outer.end, list[inner:]
	}
	out.Write(text[start:end])
	return out.String()
}

// check type-checks a package.
func check(set *token.FileSet, trees []*ast.File, imports types.Importer, info *types.Info) (*types.Package, []error) {
	var failures []error
	config := types.Config{Importer: imports, Error: func(err error) { failures = append(failures, err) }}
	pkg, _ := config.Check(trees[0].Name.Name, set, trees, info)
	return pkg, failures
}

// exportData returns an importer for all dependencies of a package.
func exportData(pkg string) (types.Importer, error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export", "./"+pkg, "os", "strconv").Output()
	if err != nil {
		return nil, fmt.Errorf("go list -export %s: %w", pkg, err)
	}
	files := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		files[p.ImportPath] = p.Export
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(files[path])
	}), nil
}
