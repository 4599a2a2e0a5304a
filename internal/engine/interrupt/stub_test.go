// Copyright The ctx-lsp authors. MIT licence.

package interrupt

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
)

// TestAStubDiffersOnlyInItsCode compares the sections of a stub with those of its module, and calls its function.
func TestAStubDiffersOnlyInItsCode(t *testing.T) {
	module, err := Add(spin)
	if err != nil {
		t.Fatal(err)
	}
	stub, err := Stub(module)
	if err != nil {
		t.Fatal(err)
	}
	before, err1 := split(module)
	after, err2 := split(stub)
	if err1 != nil || err2 != nil || len(before) != len(after) {
		t.Fatalf("%d sections became %d: %v, %v", len(before), len(after), err1, err2)
	}
	for i, s := range before {
		if same := s.id == after[i].id && bytes.Equal(s.body, after[i].body); same == (s.id == codeSection) {
			t.Errorf("section %d: equal is %v", s.id, same)
		}
	}
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	m, err := r.Instantiate(ctx, stub)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.ExportedFunction("spin").Call(ctx); err == nil || !strings.Contains(err.Error(), "unreachable") {
		t.Errorf("its function ended with %v", err)
	}
}

func TestADamagedModuleHasNoStub(t *testing.T) {
	for _, module := range [][]byte{
		nil, []byte("no module"), header, spin[:len(spin)-1],
		join([]section{{codeSection, appendNumber(nil, 1<<40)}}), join([]section{{codeSection, nil}}),
	} {
		if stub, err := Stub(module); err == nil {
			t.Errorf("the stub of %x is %x", module, stub)
		}
	}
}
