// Copyright The ctx-lsp authors. MIT licence.

package finish

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
)

// spin is a module with one export, spin, that never ends, and memory.
var spin = join([]section{
	{typeSection, []byte{1, typeFunction, 0, 0}},
	{functionSection, []byte{1, 0}},
	{5, []byte{1, 0, 1}},
	{7, []byte("\x02\x04spin\x00\x00\x06memory\x02\x00")},
	{codeSection, []byte{1, 7, 0, opLoop, noValue, 0x0c, 0, opEnd, opEnd}},
})

func TestTheHookIsCalledAndMayEndACall(t *testing.T) {
	finished, err := Module(spin)
	if err != nil {
		t.Fatal(err)
	}
	slot, ok := Slot(finished)
	if !ok {
		t.Fatal("the module does not name its slot")
	}
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	m, err := r.InstantiateWithConfig(ctx, finished, wazero.NewModuleConfig().WithName("core"))
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

func TestAnUnfinishedModuleHasNoSlot(t *testing.T) {
	for _, module := range [][]byte{nil, spin, []byte(Section), append(bytes.Clone(spin), Section...)} {
		if slot, ok := Slot(module); ok {
			t.Errorf("%d bytes have the slot %d", len(module), slot)
		}
	}
}

func TestAModuleIsFinishedOnce(t *testing.T) {
	finished, err := Module(spin)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Module(finished); err == nil {
		t.Error("it was finished twice")
	}
}

// TestTheRampIsWrittenAsItWas puts such a table between other data, finishes the module, and compares the memory.
func TestTheRampIsWrittenAsItWas(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 20 {
		memory := make([]byte, 4<<16)
		for i := 64; i < 2000; i++ {
			memory[i] = byte(random.IntN(256))
		}
		table := ramp{address: uint32(2000 + 4*random.IntN(100)), records: uint32(worthwhile + 200 + random.IntN(3000)), first: uint32(1 + random.IntN(100)), offset: uint32(random.IntN(16))}
		for i := range table.records {
			at := table.address + i*recordSize
			word := table.word(i)
			memory[at], memory[at+1] = byte(word), byte(word>>8)
		}
		for i := int(table.address+table.records*recordSize) + 40; i < len(memory)-100; i++ {
			memory[i] = byte(random.IntN(256))
		}
		// As Go's linker does, leave runs of zeros out.
		var segments []segment
		for i := 0; i < len(memory); {
			if memory[i] == 0 {
				i++
				continue
			}
			end := i
			for end < len(memory) && !bytes.HasPrefix(memory[end:], make([]byte, 9)) {
				end++
			}
			segments = append(segments, segment{uint32(i), memory[i:end]})
			i = end
		}
		module, err := split(spin)
		if err != nil {
			t.Fatal(err)
		}
		find(module, 5).body = []byte{1, 0, 4}
		module = insert(module, section{dataSection, writeSegments(segments)})
		finished, err := Module(join(module))
		if err != nil {
			t.Fatal(err)
		}
		if before := len(join(module)); len(finished) > before-worthwhile*4 {
			t.Errorf("%d bytes became %d: the table is still there", before, len(finished))
		}
		ctx := context.Background()
		r := wazero.NewRuntime(ctx)
		m, err := r.Instantiate(ctx, finished)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := m.Memory().Read(0, uint32(len(memory)))
		for i := range memory {
			if got[i] != memory[i] {
				t.Fatalf("byte %d is %d, was %d; the table is %+v", i, got[i], memory[i], table)
			}
		}
		r.Close(ctx)
	}
}

func TestDamagedModulesAreRefused(t *testing.T) {
	for n := range len(spin) {
		if n <= len(header) {
			continue
		}
		if out, err := Module(spin[:n]); err == nil && n > len(header) && bytes.Contains(out, spin[len(spin)-7:]) {
			t.Errorf("the first %d of %d bytes were taken for a module", n, len(spin))
		}
	}
	if _, err := Module([]byte("hello")); err == nil {
		t.Error("text was taken for a module")
	}
}
