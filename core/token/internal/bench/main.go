// Command bench times native tokenizers on the texts of a folder: interleaved rounds, each a first pass over the text
// with nothing remembered of it, and the median of the rounds. It prints a JSON object per tokenizer.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"github.com/tiktoken-go/tokenizer"

	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/core/token/pack"
)

// A result is what one tokenizer did: per class of text megabytes a second, cold and warm, and its count.
type result struct {
	Name     string             `json:"name"`
	Encoding string             `json:"encoding"`
	Cold     map[string]float64 `json:"cold"`
	Best     map[string]float64 `json:"best"`
	Warm     map[string]float64 `json:"warm"`
	Counts   map[string]int64   `json:"counts"`
}

// A counter is one tokenizer: forget empties what it remembers of texts, where it remembers any.
type counter struct {
	name   string
	count  func(text []byte) int64
	forget func()
	rounds int
}

func main() {
	log.SetFlags(0)
	encoding := flag.String("encoding", "o200k_base", "what to count in")
	rounds := flag.Int("rounds", 9, "rounds of the quick counters")
	slow := flag.Int("slow", 3, "rounds of the slow ones; 0 leaves them out")
	only := flag.String("only", "", "classes of text, with commas between them")
	flag.Parse()
	counters := []counter{ours(*encoding, *rounds)}
	if *slow > 0 {
		counters = append(counters, reference(*encoding, *slow), other(*encoding, *slow))
	}
	files, err := filepath.Glob(filepath.Join(flag.Arg(0), "*.txt"))
	if err != nil || len(files) == 0 {
		log.Fatalf("there are no texts in %q", flag.Arg(0))
	}
	results := make([]result, len(counters))
	for i, c := range counters {
		results[i] = result{c.name, *encoding, map[string]float64{}, map[string]float64{}, map[string]float64{}, map[string]int64{}}
	}
	for _, file := range files {
		class := strings.TrimSuffix(filepath.Base(file), ".txt")
		if *only != "" && !slices.Contains(strings.Split(*only, ","), class) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			log.Fatal(err)
		}
		cold, warm := make([][]time.Duration, len(counters)), make([][]time.Duration, len(counters))
		for round := range *rounds {
			for i, c := range counters {
				if round >= c.rounds {
					continue
				}
				c.forget()
				begin := time.Now()
				results[i].Counts[class] = c.count(text)
				cold[i] = append(cold[i], time.Since(begin))
				begin = time.Now()
				c.count(text)
				warm[i] = append(warm[i], time.Since(begin))
			}
		}
		for i := range counters {
			results[i].Cold[class] = speed(text, cold[i], len(cold[i])/2)
			results[i].Best[class] = speed(text, cold[i], 0)
			results[i].Warm[class] = speed(text, warm[i], len(warm[i])/2)
		}
	}
	out := json.NewEncoder(os.Stdout)
	for _, r := range results {
		if err := out.Encode(r); err != nil {
			log.Fatal(err)
		}
	}
}

func speed(text []byte, times []time.Duration, at int) float64 {
	slices.Sort(times)
	return float64(int(float64(len(text))/times[at].Seconds()/1e4)) / 100
}

func ours(encoding string, rounds int) counter {
	e, ok := token.Find(encoding)
	if !ok {
		log.Fatalf("no encoding %q", encoding)
	}
	file, _ := pack.Bytes(e.Vocabulary)
	v, err := token.Load(file)
	if err != nil {
		log.Fatal(err)
	}
	t := token.New(e, v)
	return counter{"ctx-lsp (Go)", t.Count, t.Forget, rounds}
}

func reference(encoding string, rounds int) counter {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	t, err := tiktoken.GetEncoding(encoding)
	if err != nil {
		log.Fatal(err)
	}
	return counter{"pkoukk/tiktoken-go", func(text []byte) int64 { return int64(len(t.EncodeOrdinary(string(text)))) }, func() {}, rounds}
}

func other(encoding string, rounds int) counter {
	t, err := tokenizer.Get(tokenizer.Encoding(encoding))
	if err != nil {
		log.Fatal(err)
	}
	return counter{"tiktoken-go/tokenizer", func(text []byte) int64 {
		n, err := t.Count(string(text))
		if err != nil {
			log.Fatal(fmt.Errorf("tiktoken-go/tokenizer: %w", err))
		}
		return int64(n)
	}, func() {}, rounds}
}
