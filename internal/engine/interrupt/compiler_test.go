// Copyright The ctx-lsp authors. MIT licence.

package interrupt

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
)

func TestAModuleNamesItsCompiler(t *testing.T) {
	hooked, err := Add(spin)
	if err != nil {
		t.Fatal(err)
	}
	if name := Compiler(hooked); name != "" {
		t.Errorf("a module without a name has the compiler %q", name)
	}
	named, err := NameCompiler(hooked, "TinyGo 0.40.1")
	if err != nil {
		t.Fatal(err)
	}
	if name := Compiler(named); name != "TinyGo 0.40.1" {
		t.Errorf("the compiler is %q", name)
	}
	if slot, ok := Slot(named); !ok || slot != 0 {
		t.Errorf("the hook's slot is %d, %v", slot, ok)
	}
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	if _, err := r.CompileModule(ctx, named); err != nil {
		t.Errorf("the named module is invalid: %v", err)
	}
	if _, err := NameCompiler(named, "Go"); err == nil {
		t.Error("a module was named twice")
	}
}

func TestACompilersNameFitsInTheStart(t *testing.T) {
	for _, name := range []string{"", strings.Repeat("x", Start)} {
		if _, err := NameCompiler(spin, name); err == nil {
			t.Errorf("a name of %d bytes was accepted", len(name))
		}
	}
	named, err := NameCompiler(spin, "Go 1.26")
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(named) {
		if name := Compiler(named[:n]); name != "" && name != "Go 1.26" {
			t.Fatalf("the first %d bytes have the compiler %q", n, name)
		}
	}
	if name := Compiler(bytes.Repeat([]byte{0xff}, 20)); name != "" {
		t.Errorf("damaged bytes have the compiler %q", name)
	}
}
