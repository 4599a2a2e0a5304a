// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/rusage"
)

// fill opens a session of n items, in calls of a reasonable size.
func fill(t testing.TB, e Engine, id string, n int) {
	t.Helper()
	must(t, e, "ctx/session/open", fmt.Sprintf(`{"id":%q,"limits":{"window":100000000}}`, id))
	item := `{"kind":"toolResults","tokens":10,"label":"go test ./..."}`
	for n > 0 {
		k := min(n, 1000)
		must(t, e, "ctx/session/update", fmt.Sprintf(`{"id":%q,"append":[%s%s]}`, id, strings.Repeat(item+",", k-1), item))
		n -= k
	}
	must(t, e, "ctx/session/usage", fmt.Sprintf(`{"id":%q,"provider":"ctx","usage":{"in":50000,"out":100}}`, id))
}

// sizes are the sizes of sessions for which one update must cost the same.
var sizes = []int{100, 10_000, 100_000}

// step is the update that is measured: an item is added and removed, so that the session keeps its size.
func step(t testing.TB, e Engine, id string, items int) {
	must(t, e, "ctx/session/update", fmt.Sprintf(`{"id":%q,"append":[{"kind":"user","tokens":12}]}`, id))
	must(t, e, "ctx/session/update", fmt.Sprintf(`{"id":%q,"removeFrom":%d}`, id, items))
}

func benchmarkUpdate(b *testing.B, e Engine) {
	for _, items := range sizes {
		id := fmt.Sprintf("%d items", items)
		b.Run(fmt.Sprintf("items=%d", items), func(b *testing.B) {
			if answer, err := e.Call(context.Background(), "ctx/session/reading", fmt.Appendf(nil, `{"id":%q}`, id)); err != nil || strings.HasPrefix(string(answer), `{"error"`) {
				fill(b, e, id, items)
			}
			b.ReportAllocs()
			for b.Loop() {
				step(b, e, id, items)
			}
		})
	}
}

// BenchmarkUpdateNative and BenchmarkUpdateWasm are a pair: two small updates on sessions of three sizes. The largest
// should cost no more than twice the smallest.
func BenchmarkUpdateNative(b *testing.B) { benchmarkUpdate(b, nativePool(b, Options{Instances: 1})) }

func BenchmarkUpdateWasm(b *testing.B) {
	benchmarkUpdate(b, wasmPool(b, Options{Instances: 1, Module: module(b, "core")}))
}

// BenchmarkCallOverhead measures the cost of calling the core under wazero, for a result of a few bytes.
func BenchmarkCallOverhead(b *testing.B) {
	for name, p := range map[string]*Pool{
		"native": nativePool(b, Options{Instances: 1}),
		"wasm":   wasmPool(b, Options{Instances: 1, Module: module(b, "core")}),
	} {
		b.Run(name, func(b *testing.B) {
			must(b, p, "ctx/session/open", `{"id":"a"}`)
			params := []byte(`{"id":"a","records":[],"reading":false}`)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Call(context.Background(), "ctx/session/records", params); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkStart measures the first result of a process that finds the compiled module in its cache.
func BenchmarkStart(b *testing.B) {
	m := module(b, "core")
	wasmPool(b, Options{Module: m, Instances: 1})
	for b.Loop() {
		p, err := Wasm(Options{Module: m, CacheDir: compiled(), KeyFile: keyFor(compiled()), Instances: 1})
		if err != nil {
			b.Fatal(err)
		}
		must(b, p, "ctx/session/open", `{"id":"a"}`)
		p.Close()
	}
}

// TestTheCostOfAnUpdateFollowsTheChange is the alarm for the pair of benchmarks: an update on a large session must not
// cost more than five times one on a small session.
func TestTheCostOfAnUpdateFollowsTheChange(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures time")
	}
	patient := Options{Instances: 1, Deadline: 2 * time.Minute} // other tests use the processors, too
	for name, p := range map[string]*Pool{"native": nativePool(t, patient), "wasm": wasmPool(t, patient)} {
		t.Run(name, func(t *testing.T) {
			small, large := sizes[0], sizes[len(sizes)-1]
			fill(t, p, "small", small)
			fill(t, p, "large", large)
			p.saving.Wait()
			// The two are measured alternately, so that other work of the machine affects the CPU caches of both.
			a, b := time.Hour, time.Hour
			used := func(id string, items int) time.Duration {
				return rusage.Of(func() {
					for range 20 {
						step(t, p, id, items)
					}
				}) / 20
			}
			for n := 0; n < 30 && (n < 3 || b > 5*a); n++ {
				a, b = min(a, used("small", small)), min(b, used("large", large))
			}
			t.Logf("%v on %d items, %v on %d", a, small, b, large)
			if b > 5*a {
				t.Errorf("an update costs %v on %d items and %v on %d", a, small, b, large)
			}
		})
	}
}

// BenchmarkFirstCount measures a new engine's first exact count: start, unpack o200k, build its tables, count a
// sentence. Under WebAssembly the module is already compiled.
func BenchmarkFirstCount(b *testing.B) {
	count := func(b *testing.B, make func() *Pool) {
		for b.Loop() {
			p := make()
			must(b, p, "ctx/count", `{"encoding":"o200k_base","text":"The lighthouse keeper's daughter didn't believe in storms."}`)
			p.Close()
		}
	}
	b.Run("native", func(b *testing.B) {
		count(b, func() *Pool { return nativePool(b, Options{Instances: 1}) })
	})
	b.Run("wasm", func(b *testing.B) {
		options := Options{Instances: 1, Module: module(b, "core"), CacheDir: b.TempDir(), KeyFile: b.TempDir() + "/key"}
		must(b, wasmPool(b, options), "ctx/models", `{"query":"gpt-5"}`)
		count(b, func() *Pool { return wasmPool(b, options) })
	})
}
