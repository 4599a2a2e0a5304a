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

// begin instantiates a module and answers with a copy of its memory.
func begin(t *testing.T, module []byte) []byte {
	t.Helper()
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	m, err := r.Instantiate(ctx, module)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := m.Memory().Read(0, m.Memory().Size())
	return bytes.Clone(got)
}

// TestTheMemoryBeginsAsItWas finishes modules with tables, noise and gaps in their data, and compares the memory.
func TestTheMemoryBeginsAsItWas(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 30 {
		memory := make([]byte, 12<<16) // half of it is empty
		from := 64 + random.IntN(1000)
		at := from
		for at < 6<<16 {
			n := 1 + random.IntN(2000)<<random.IntN(4)
			part := memory[at:min(at+n, 6<<16)]
			switch random.IntN(5) {
			case 0: // noise
				part = part[:min(len(part), 200)]
				for i := range part {
					part[i] = byte(random.IntN(256))
				}
			case 1: // records
				size, word := 1+random.IntN(40), random.Uint32()
				for i := range part {
					part[i] = byte(word + uint32(i/size)>>(8*(i%size)&31))
				}
			case 2: // what was there before
				if back := random.IntN(at-from+1) + from; back < at {
					for i := range part {
						part[i] = memory[back+i]
					}
				}
			case 3: // few letters
				for i := range part {
					part[i] = "abc"[random.IntN(3)]
				}
			}
			at += len(part)
		}
		module := withMemory(t, memory)
		before := join(module)
		finished, err := Module(before)
		if err != nil {
			t.Fatal(err)
		}
		if len(finished) > len(before)-worthwhile {
			t.Errorf("%d bytes became %d", len(before), len(finished))
		}
		if got := begin(t, finished); !bytes.Equal(got, memory) {
			for i := range memory {
				if got[i] != memory[i] {
					t.Fatalf("byte %d of %d is %d, was %d", i, len(memory), got[i], memory[i])
				}
			}
		}
	}
}

// withMemory is a module whose memory begins so. As Go's linker does, it leaves runs of zeros out.
func withMemory(t *testing.T, memory []byte) []section {
	t.Helper()
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
	find(module, memorySection).body = []byte{1, 0, byte(len(memory) >> 16)}
	return insert(module, section{dataSection, writeSegments(segments)})
}

// TestAMemoryWithoutRoomIsLeftAlone: what is packed lies behind what it unpacks to.
func TestAMemoryWithoutRoomIsLeftAlone(t *testing.T) {
	memory := bytes.Repeat([]byte("all of it is used "), 1+2<<16/18)[:2<<16]
	finished, err := Module(join(withMemory(t, memory)))
	if err != nil {
		t.Fatal(err)
	}
	if got := begin(t, finished); !bytes.Equal(got, memory) {
		t.Error("the memory is another")
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
