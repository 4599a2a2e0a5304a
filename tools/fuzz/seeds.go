// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/tools/fuzz/internal/harness"
)

// writeSeeds writes the targets' inputs in the repository in the format of libFuzzer.
func writeSeeds(found []target, into string) error {
	if err := os.MkdirAll(into, 0o755); err != nil {
		return err
	}
	for _, each := range found {
		paths, err := filepath.Glob(filepath.Join(each.folder, "testdata", "fuzz", each.name, "*"))
		if err != nil {
			return err
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			args, err := arguments(string(text))
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			if err := os.WriteFile(filepath.Join(into, filepath.Base(path)), harness.Encode(args), 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}

// arguments parses an input file of `go test -fuzz`: a line with the format, then a Go expression for each argument.
func arguments(text string) (args []any, err error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if lines[0] != "go test fuzz v1" {
		return nil, fmt.Errorf("it begins with %q, and not as an input of go test", lines[0])
	}
	for _, line := range lines[1:] {
		arg, err := argument(line)
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
	}
	return args, nil
}

// argument parses one line, such as `[]byte("x")` or `int(-3)`.
func argument(line string) (any, error) {
	expression, err := parser.ParseExpr(line)
	if err != nil {
		return nil, err
	}
	call, ok := expression.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil, fmt.Errorf("%s is not a conversion of one value", line)
	}
	kind := "[]byte"
	if name, ok := call.Fun.(*ast.Ident); ok {
		kind = name.Name
	}
	value, sign := call.Args[0], ""
	if minus, ok := value.(*ast.UnaryExpr); ok && minus.Op == token.SUB {
		value, sign = minus.X, "-"
	}
	var word string
	switch value := value.(type) {
	case *ast.BasicLit:
		word = value.Value
	case *ast.Ident:
		word = value.Name
	}
	switch kind {
	case "[]byte":
		s, err := strconv.Unquote(word)
		return []byte(s), err
	case "string":
		return strconv.Unquote(word)
	case "bool":
		return strconv.ParseBool(word)
	case "byte", "uint8":
		if r, err := strconv.Unquote(word); err == nil {
			return byte([]rune(r)[0]), nil
		}
		n, err := strconv.ParseUint(word, 0, 8)
		return byte(n), err
	case "int":
		n, err := strconv.ParseInt(sign+word, 0, 64)
		return int(n), err
	}
	return nil, fmt.Errorf("%s is of a kind that is not read yet", line)
}
