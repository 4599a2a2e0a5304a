// Copyright The ctx-lsp authors. MIT licence.

package vocabulary

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/rusage"
)

// published returns the directory with the published vocabularies of Claude and the recorded results of the provider's
// own count, which are not part of the repository. It skips the test if there is none.
func published(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("CTX_VOCABULARIES")
	if folder == "" {
		t.Skip("CTX_VOCABULARIES names no folder of published vocabularies")
	}
	return filepath.Join(folder, "claude")
}

// claude returns the tokenizer of a family, built from the published files.
func claude(t testing.TB, family string) *token.Tokenizer {
	t.Helper()
	file := map[string]string{"v3": "pieces_v3.json"}[family]
	if file == "" {
		file = "pieces_v4_7.json"
	}
	text, err := os.ReadFile(filepath.Join(published(t), file))
	if err != nil {
		t.Fatal(err)
	}
	tiles, err := ParseTiles(text)
	if err != nil {
		t.Fatal(err)
	}
	packs, err := tiles.Claude()
	if err != nil {
		t.Fatal(err)
	}
	pack := packs[len(packs)-1].Pack
	if family == "v4.7" {
		pack = packs[0].Pack
	}
	var deflated bytes.Buffer
	w, _ := flate.NewWriter(&deflated, 9)
	_, _ = w.Write(pack)
	_ = w.Close()
	begin := time.Now()
	v, err := token.Load(pack)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d pieces, %d bytes, %d deflated, loaded in %v", family, v.Tokens(), len(pack), deflated.Len(), time.Since(begin))
	return token.New(token.Encoding{Name: family, Vocabulary: family}, v)
}

// CountMessage returns the provider's own count of each text as one message.
func TestMessagesAreCountedLikeTheProvider(t *testing.T) {
	for corpus, key := range map[string]string{"udhr": "f", "multipl_e": "lang"} {
		texts := recordedTexts(t, corpus, key)
		var answers map[string]struct{ Counts map[string]int64 }
		file, err := os.ReadFile(filepath.Join(published(t), corpus+"_counts.json"))
		if err == nil {
			err = json.Unmarshal(file, &answers)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, family := range []string{"v3", "v4.7", "v5"} {
			tokenizer, wrong := claude(t, family), 0
			for name, text := range texts {
				want, present := answers[family].Counts[name]
				if got := tokenizer.CountMessage([]byte(text)); got != want || !present {
					t.Errorf("%s, %s %s: %d tokens, and the provider counts %d", family, corpus, name, got, want)
					wrong++
				}
			}
			t.Logf("%s: %d of %d texts of %s are as the provider counts them", family, len(texts)-wrong, len(texts), corpus)
		}
	}
}

func recordedTexts(t testing.TB, corpus, key string) map[string]string {
	t.Helper()
	file, err := os.Open(filepath.Join(published(t), corpus+".jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var row map[string]any
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		texts[row[key].(string)] = row["text"].(string)
	}
	if err := lines.Err(); err != nil || len(texts) == 0 {
		t.Fatalf("%s: %d texts: %v", corpus, len(texts), err)
	}
	return texts
}

// BenchmarkClaude counts texts of a kind repeatedly, with a full cache: second passes.
func BenchmarkClaude(b *testing.B) {
	texts := map[string][]byte{}
	for _, corpus := range [][2]string{{"multipl_e", "lang"}, {"udhr", "f"}} {
		for name, text := range recordedTexts(b, corpus[0], corpus[1]) {
			texts[corpus[0]+"/"+name] = []byte(text)
		}
	}
	for _, family := range []string{"v3", "v5"} {
		tokenizer := claude(b, family)
		for _, name := range strings.Fields("multipl_e/go multipl_e/ts multipl_e/py udhr/eng udhr/rus udhr/cmn_hans udhr/jpn udhr/arb udhr/hin udhr/kor udhr/tha udhr/ell udhr/vie udhr/tam udhr/ben") {
			text := texts[name]
			if text == nil {
				continue
			}
			b.Run(family+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				used := rusage.Of(func() {
					for b.Loop() {
						tokenizer.Count(text)
					}
				})
				b.ReportMetric(float64(len(text))*float64(b.N)/max(used.Seconds(), 1e-9)/1e6, "cpuMB/s")
			})
		}
	}
}

// loadGoal is the time goal for loading a vocabulary of Claude.
const loadGoal = 15 * time.Millisecond

// TestVocabulariesOfClaudeLoadAtOnce checks BenchmarkLoadClaude's goal with a margin: it fails at five times the goal.
func TestVocabulariesOfClaudeLoadAtOnce(t *testing.T) {
	for name, pack := range packsOf(t) {
		best := rusage.Least(5, 10*time.Millisecond, func() {
			if _, err := token.Load(pack); err != nil {
				t.Fatal(err)
			}
		})
		t.Logf("%s: %.1f ms", name, best.Seconds()*1e3)
		if best > 5*loadGoal {
			t.Errorf("loading %s uses %v, and %v is the goal", name, best, loadGoal)
		}
	}
}

// BenchmarkLoadClaude loads the packs; the goal is 15 ms.
func BenchmarkLoadClaude(b *testing.B) {
	for name, pack := range packsOf(b) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := token.Load(pack); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// packsOf returns the packs of the published files, if available, and of a made-up vocabulary.
func packsOf(t testing.TB) map[string][]byte {
	packs := map[string][]byte{"made up": madeUp(t, "pieces_v3.json").Pack("tiles")}
	folder := os.Getenv("CTX_VOCABULARIES")
	if folder == "" {
		return packs
	}
	for _, file := range []string{"pieces_v3.json", "pieces_v4_7.json"} {
		text, err := os.ReadFile(filepath.Join(folder, "claude", file))
		if err != nil {
			t.Fatal(err)
		}
		tiles, err := ParseTiles(text)
		if err != nil {
			t.Fatal(err)
		}
		made, err := tiles.Claude()
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range made {
			packs[one.Name] = one.Pack
		}
	}
	return packs
}
