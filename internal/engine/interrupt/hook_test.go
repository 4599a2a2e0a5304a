// Copyright The ctx-lsp authors. MIT licence.

package interrupt

import (
	"bytes"
	"context"
	"testing"

	"github.com/tetratelabs/wazero"
)

// spin is a module with memory and one export, spin, which never ends.
var spin = join([]section{
	{typeSection, []byte{1, typeFunction, 0, 0}},
	{functionSection, []byte{1, 0}},
	{5, []byte{1, 0, 1}},
	{7, []byte("\x02\x04spin\x00\x00\x06memory\x02\x00")},
	{codeSection, []byte{1, 7, 0, opLoop, noValue, 0x0c, 0, opEnd, opEnd}},
})

func TestTheHookIsCalledAndMayEndACall(t *testing.T) {
	hooked, err := Add(spin)
	if err != nil {
		t.Fatal(err)
	}
	slot, ok := Slot(hooked)
	if !ok {
		t.Fatal("the module does not name its slot")
	}
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	m, err := r.InstantiateWithConfig(ctx, hooked, wazero.NewModuleConfig().WithName("core"))
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	check := func() {
		if calls++; calls == 10 {
			panic("enough")
		}
	}
	if _, err := r.NewHostModuleBuilder("host").NewFunctionBuilder().WithFunc(check).Export("check").Instantiate(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := r.InstantiateWithConfig(ctx, Filler("core", "host", slot), wazero.NewModuleConfig().WithName("filler")); err != nil {
		t.Fatal(err)
	}
	if _, err := m.ExportedFunction("spin").Call(ctx); err == nil || calls != 10 {
		t.Errorf("it ended with %v after %d calls of the hook", err, calls)
	}
}

func TestAnUnhookedModuleHasNoSlot(t *testing.T) {
	for _, module := range [][]byte{nil, spin, []byte(Section), append(bytes.Clone(spin), Section...)} {
		if slot, ok := Slot(module); ok {
			t.Errorf("%d bytes have the slot %d", len(module), slot)
		}
	}
}

func TestAModuleIsHookedOnce(t *testing.T) {
	hooked, err := Add(spin)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Add(hooked); err == nil {
		t.Error("it was given two hooks")
	}
}

func TestDamagedModulesAreRefused(t *testing.T) {
	for n := range len(spin) {
		if n <= len(header) {
			continue
		}
		if out, err := Add(spin[:n]); err == nil && n > len(header) && bytes.Contains(out, spin[len(spin)-7:]) {
			t.Errorf("the first %d of %d bytes were taken for a module", n, len(spin))
		}
	}
	if _, err := Add([]byte("hello")); err == nil {
		t.Error("text was taken for a module")
	}
}
