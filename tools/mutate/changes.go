// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The kinds of changes.
const (
	condition = "condition" // a comparison or another condition is negated
	operator  = "operator"  // + becomes -, && becomes ||, min becomes max
	boundary  = "boundary"  // < becomes <=
	constant  = "constant"  // a number changes by one, true becomes false
	statement = "statement" // a call, an assignment or a jump is removed
)

// A change replaces one byte range of a file.
type change struct {
	kind       string
	file       string // the absolute path, as in the output of go list
	function   string // such as Session.apply, or the name of a variable
	line       int
	start, end int
	text       string // replaces the range
	within     node   // the expression or statement around the range
	before     string // the line without surrounding white space
	after      string
	id         int // selects the change in a build with several; 0 if the change is built separately
}

// node is the range of an expression or a statement.
type node struct {
	start, end int
	expression ast.Expr // nil if it is a statement
	fixed      bool     // a statement that cannot be replaced by a block, such as the i++ of a loop
}

func (c change) String() string {
	return fmt.Sprintf("%s:%d %s %s: %s => %s", filepath.Base(c.file), c.line, c.kind, c.function, c.before, c.after)
}

// source is the files of a package that are built on this system.
type source struct {
	dir   string
	set   *token.FileSet
	trees []*ast.File
	texts map[string][]byte // the content of each file
}

// read reads and parses a package.
func read(pkg string) (*source, error) {
	out, err := exec.Command("go", "list", "-json=Dir,GoFiles", "./"+pkg).Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", pkg, err)
	}
	var listed struct {
		Dir     string
		GoFiles []string
	}
	if err := json.Unmarshal(out, &listed); err != nil {
		return nil, err
	}
	src := &source{dir: listed.Dir, set: token.NewFileSet(), texts: map[string][]byte{}}
	for _, name := range listed.GoFiles {
		if err := src.add(filepath.Join(listed.Dir, name)); err != nil {
			return nil, err
		}
	}
	return src, nil
}

func (src *source) add(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	tree, err := parser.ParseFile(src.set, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	src.texts[file], src.trees = text, append(src.trees, tree)
	return nil
}

// changes returns every change of a package, except in generated files.
func (src *source) changes() []change {
	var all []change
	for _, tree := range src.trees {
		if !ast.IsGenerated(tree) {
			all = append(all, src.changesIn(tree)...)
		}
	}
	return all
}

// changesIn returns every change of one file, in the order of the syntax tree.
func (src *source) changesIn(tree *ast.File) []change {
	file := src.set.Position(tree.Package).Filename
	f := &finder{file: file, text: src.texts[file], fixed: map[ast.Stmt]bool{}, at: func(p token.Pos) int { return src.set.Position(p).Offset }}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			f.function = functionName(d)
			ast.Inspect(d, f.visit)
		case *ast.GenDecl:
			if d.Tok == token.IMPORT || d.Tok == token.TYPE {
				continue
			}
			for _, s := range d.Specs {
				f.function = s.(*ast.ValueSpec).Names[0].Name
				ast.Inspect(s, f.visit)
			}
		}
	}
	return f.found
}

func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	switch generic := t.(type) {
	case *ast.IndexExpr:
		t = generic.X
	case *ast.IndexListExpr:
		t = generic.X
	}
	if name, ok := t.(*ast.Ident); ok {
		return name.Name + "." + d.Name.Name
	}
	return d.Name.Name
}

type finder struct {
	file, function string
	text           []byte
	at             func(token.Pos) int
	found          []change
	fixed          map[ast.Stmt]bool
}

// add records a change that replaces a byte range within n with text.
func (f *finder) add(kind string, n ast.Node, from, to token.Pos, text string) {
	c := change{kind: kind, file: f.file, function: f.function, start: f.at(from), end: f.at(to), text: text}
	c.within = node{start: f.at(n.Pos()), end: f.at(n.End())}
	switch n := n.(type) {
	case ast.Expr:
		c.within.expression = n
	case ast.Stmt:
		c.within.fixed = f.fixed[n]
	}
	c.line = 1 + bytes.Count(f.text[:c.start], []byte("\n"))
	first := bytes.LastIndexByte(f.text[:c.start], '\n') + 1
	last := len(f.text)
	if i := bytes.IndexByte(f.text[c.end:], '\n'); i >= 0 {
		last = c.end + i
	}
	shown := func(replaced string) string {
		return strings.Join(strings.Fields(string(f.text[first:c.start])+replaced+string(f.text[c.end:last])), " ")
	}
	c.before, c.after = shown(string(f.text[c.start:c.end])), shown(text)
	f.found = append(f.found, c)
}

func (f *finder) source(n ast.Node) string { return string(f.text[f.at(n.Pos()):f.at(n.End())]) }

var swapped = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
	token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.AND_NOT: token.AND, token.SHL: token.SHR, token.SHR: token.SHL,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.MUL_ASSIGN: token.QUO_ASSIGN,
	token.QUO_ASSIGN: token.MUL_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN, token.AND_ASSIGN: token.OR_ASSIGN,
	token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN, token.INC: token.DEC, token.DEC: token.INC,
}

var negated = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
}

var nudged = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ArrayType:
		if n.Len != nil {
			ast.Inspect(n.Elt, f.visit)
			return false // its length is a part of the type
		}
	case *ast.StructType, *ast.InterfaceType:
		return false
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.UnaryExpr:
		if n.Op == token.SUB {
			f.add(operator, n, n.OpPos, n.X.Pos(), "")
		}
	case *ast.CallExpr:
		if name, ok := n.Fun.(*ast.Ident); ok && (name.Name == "min" || name.Name == "max") {
			f.add(operator, n, name.Pos(), name.End(), map[string]string{"min": "max", "max": "min"}[name.Name])
		}
	case *ast.IfStmt:
		f.fixed[n.Init] = true
		f.negate(n.Cond)
	case *ast.CommClause:
		f.fixed[n.Comm] = true
	case *ast.TypeSwitchStmt:
		f.fixed[n.Init], f.fixed[n.Assign] = true, true
	case *ast.ForStmt:
		f.fixed[n.Init], f.fixed[n.Post] = true, true
		if n.Cond != nil {
			f.negate(n.Cond)
		}
	case *ast.SwitchStmt:
		f.fixed[n.Init] = true
		if n.Tag == nil {
			for _, clause := range n.Body.List {
				for _, e := range clause.(*ast.CaseClause).List {
					f.negate(e)
				}
			}
		}
	case *ast.BasicLit:
		f.literal(n)
	case *ast.Ident:
		if n.Name == "true" || n.Name == "false" {
			f.add(constant, n, n.Pos(), n.End(), map[string]string{"true": "false", "false": "true"}[n.Name])
		}
	case ast.Stmt:
		f.stmt(n)
	}
	return true
}

// literal adds one to a number if it is even, and subtracts one otherwise: 0 and 1 become each other.
func (f *finder) literal(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT, token.FLOAT, token.CHAR:
		by := " + 1"
		if last := n.Value[len(n.Value)-1]; n.Kind == token.INT && strings.IndexByte("13579", last) >= 0 {
			by = " - 1"
		}
		f.add(constant, n, n.Pos(), n.End(), "("+n.Value+by+")")
	}
}

func (f *finder) binary(n *ast.BinaryExpr) {
	end := n.OpPos + token.Pos(len(n.Op.String()))
	if to, ok := swapped[n.Op]; ok && !text(n.X) && !text(n.Y) {
		f.add(operator, n, n.OpPos, end, to.String())
	}
	if to, ok := negated[n.Op]; ok {
		f.add(condition, n, n.OpPos, end, to.String())
	}
	if to, ok := nudged[n.Op]; ok {
		f.add(boundary, n, n.OpPos, end, to.String())
	}
	if n.Op == token.LAND || n.Op == token.LOR {
		f.negate(n.X)
		f.negate(n.Y)
	}
}

// text reports whether an expression contains a string literal, so that + joins strings.
func text(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING
	case *ast.BinaryExpr:
		return text(e.X) || text(e.Y)
	}
	return false
}

// negate adds the opposite of a condition that is neither a comparison nor composed of others: those are added
// separately.
func (f *finder) negate(e ast.Expr) {
	switch n := e.(type) {
	case *ast.ParenExpr:
		f.negate(n.X)
	case *ast.BinaryExpr:
		return
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.add(condition, n, n.Pos(), n.X.Pos(), "")
			return
		}
	default:
		f.add(condition, e, e.Pos(), e.End(), "!("+f.source(e)+")")
	}
}

// stmt removes a statement, but keeps its operands used, because unused variables do not compile.
func (f *finder) stmt(n ast.Stmt) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if to, ok := swapped[n.Tok]; ok && !text(n.Rhs[0]) {
			f.add(operator, n, n.TokPos, n.TokPos+token.Pos(len(n.Tok.String())), to.String())
		}
		switch {
		case n.Tok == token.DEFINE, len(n.Lhs) == 1 && f.source(n.Lhs[0]) == "_":
		case n.Tok == token.ASSIGN:
			f.add(statement, n, n.Pos(), n.TokPos, strings.Repeat("_, ", len(n.Lhs)-1)+"_ ")
		default:
			f.add(statement, n, n.Pos(), n.TokPos+token.Pos(len(n.Tok.String())), "_ =")
		}
	case *ast.IncDecStmt:
		f.add(operator, n, n.TokPos, n.TokPos+2, swapped[n.Tok].String())
		f.add(statement, n, n.Pos(), n.End(), "_ = "+f.source(n.X))
	case *ast.BranchStmt:
		if n.Tok == token.BREAK || n.Tok == token.CONTINUE {
			f.add(statement, n, n.Pos(), n.End(), "")
		}
	case *ast.ReturnStmt:
		if len(n.Results) == 0 {
			f.add(statement, n, n.Pos(), n.End(), "")
		}
	case *ast.ExprStmt, *ast.SendStmt, *ast.DeferStmt, *ast.GoStmt:
		f.add(statement, n, n.Pos(), n.End(), "")
	}
}
