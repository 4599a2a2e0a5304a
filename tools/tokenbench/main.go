// Copyright The ctx-lsp authors. MIT licence.

// Command bench times native tokenizers on the texts in a directory.
//
//	bench [-encoding o200k_base] [-rounds 5] [-slow 3] [-only code_go,zh] FOLDER
//
// Every figure is from a fresh process, which loads one tokenizer and counts one text twice: the first pass is the
// first thing that the process counts, the second is the same text again. The program runs itself for that. A round
// counts each text with each tokenizer, one process after another, so that a short load on the machine affects all of
// them in one of the rounds, and the medians are printed. It prints a JSON object for each tokenizer, which table.mjs
// reads.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A plan specifies what to measure, and how often.
type plan struct {
	encoding     string
	rounds, slow int
	only         string // classes of text separated by commas, or empty for all
	folder       string
}

func main() {
	log.SetFlags(0)
	var p plan
	flag.StringVar(&p.encoding, "encoding", "o200k_base", "what to count in")
	flag.IntVar(&p.rounds, "rounds", 5, "rounds of the quick tokenizers")
	flag.IntVar(&p.slow, "slow", 3, "rounds of the slow ones; 0 leaves them out")
	flag.StringVar(&p.only, "only", "", "classes of text, with commas between them; all, if there are none")
	alone := flag.String("alone", "", "measure in this process: the tokenizer with this name, on the text that is named instead of a folder")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	var err error
	if *alone != "" {
		err = printMeasurement(*alone, p.encoding, flag.Arg(0))
	} else {
		p.folder = flag.Arg(0)
		err = p.run()
	}
	if err != nil {
		log.Fatalf("bench: %v", err)
	}
}

// run measures and prints the results.
func (p plan) run() error {
	files, err := p.texts()
	if err != nil {
		return err
	}
	var series []*series
	for _, t := range tokenizers {
		if n := p.roundsOf(t); n > 0 {
			series = append(series, newSeries(t, n))
		}
	}
	if len(series) == 0 {
		return errors.New("there is nothing to measure: -rounds and -slow are both 0")
	}
	for round := range max(p.rounds, p.slow) {
		fmt.Fprintf(os.Stderr, "%s, native: round %d of %d\n", p.encoding, round+1, max(p.rounds, p.slow))
		for _, file := range files {
			for _, s := range series {
				if round >= s.rounds {
					continue
				}
				m, err := measureApart(s.tokenizer.name, p.encoding, file)
				if err != nil {
					return err
				}
				if err := s.add(className(file), m); err != nil {
					return err
				}
			}
		}
	}
	out := json.NewEncoder(os.Stdout)
	for _, s := range series {
		if err := out.Encode(s.result(p.encoding)); err != nil {
			return err
		}
	}
	return nil
}

func (p plan) roundsOf(t tokenizer) int {
	if t.slow {
		return p.slow
	}
	return p.rounds
}

// texts returns the files to count.
func (p plan) texts() ([]string, error) {
	files, err := filepath.Glob(filepath.Join(p.folder, "*.txt"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there are no texts in %q; run.sh texts makes them", p.folder)
	}
	if p.only == "" {
		return files, nil
	}
	wanted := strings.Split(p.only, ",")
	kept := slices.DeleteFunc(slices.Clone(files), func(file string) bool { return !slices.Contains(wanted, className(file)) })
	if len(kept) == 0 {
		return nil, fmt.Errorf("-only %s leaves none of the %d texts in %q", p.only, len(files), p.folder)
	}
	return kept, nil
}

// className returns the class of a text from its file name.
func className(file string) string { return strings.TrimSuffix(filepath.Base(file), ".txt") }
