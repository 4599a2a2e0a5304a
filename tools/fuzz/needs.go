// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// A testFile is a test file, with its relations to other test files of its package.
type testFile struct {
	name, text string
	outside    bool            // whether it belongs to the external test package
	declares   map[string]bool // names of functions, types and values
	methodsOf  map[string]bool // types
	lacks      map[string]bool // names that are used here, but declared elsewhere or nowhere
}

// readTestFiles reads the test files in a directory.
func readTestFiles(folder string) (files []testFile, err error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		tree, err := parser.ParseFile(token.NewFileSet(), path, text, 0)
		if err != nil {
			return nil, err
		}
		file := testFile{
			name: filepath.Base(path), text: string(text), outside: strings.HasSuffix(tree.Name.Name, "_test"),
			declares: map[string]bool{}, methodsOf: map[string]bool{}, lacks: map[string]bool{},
		}
		for _, name := range tree.Unresolved {
			file.lacks[name.Name] = true
		}
		for _, declaration := range tree.Decls {
			file.note(declaration)
		}
		files = append(files, file)
	}
	return files, nil
}

// note records what a declaration declares.
func (f *testFile) note(declaration ast.Decl) {
	switch declaration := declaration.(type) {
	case *ast.FuncDecl:
		if declaration.Recv == nil {
			f.declares[declaration.Name.Name] = true
			return
		}
		ast.Inspect(declaration.Recv.List[0].Type, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok {
				f.methodsOf[name.Name] = true
			}
			return true
		})
	case *ast.GenDecl:
		for _, spec := range declaration.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				f.declares[spec.Name.Name] = true
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					f.declares[name.Name] = true
				}
			}
		}
	}
}

// needed returns the files that a target needs to compile: its own, those that declare what a needed one lacks, and
// those with methods of its types. Other files may need features of `go test`, such as its own testing.T.
func needed(files []testFile, target string) (found []testFile) {
	lacks, types, taken := map[string]bool{target: true}, map[string]bool{}, make([]bool, len(files))
	for more := true; more; {
		more = false
		for n, file := range files {
			if taken[n] || !meet(file.declares, lacks) && !meet(file.methodsOf, types) {
				continue
			}
			taken[n], more = true, true
			found = append(found, file)
			for name := range file.lacks {
				lacks[name] = true
			}
			for name := range file.declares {
				types[name] = true
			}
			if file.outside { // it imports the package, and may use what the package's test files export to it
				lend(files, lacks)
			}
		}
	}
	return found
}

// lend adds the exported names that test files inside a package declare for those outside it.
func lend(files []testFile, lacks map[string]bool) {
	for _, file := range files {
		for name := range file.declares {
			if !file.outside && ast.IsExported(name) && !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Benchmark") && !strings.HasPrefix(name, "Fuzz") {
				lacks[name] = true
			}
		}
	}
}

// meet reports whether two sets have a name in common.
func meet(a, b map[string]bool) bool {
	for name := range a {
		if b[name] {
			return true
		}
	}
	return false
}
