// Copyright The ctx-lsp authors. MIT licence.

// Command ablate switches the core's corrections off, one after the other, and prints what each changes:
//
//	ablate [-only "mode check,steering"] [-vocabularies DIR] [-vectors] FOLDER ...
//
// Every variant is the program built with one substitution (variants.go), and replays each folder in one process.
// "Changed" counts predictions that differ from the unchanged core's, "better" and "worse" those nearer to or farther
// from the truth. With -vectors, the column after them counts the vectors that fail.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	only := flag.String("only", "", "names of variants with commas between them (default all)")
	vocabularies := flag.String("vocabularies", "", "count with Claude's vocabularies in `DIR`")
	vectors := flag.Bool("vectors", false, "run the vectors, too")
	flag.Parse()
	if err := run(*only, *vocabularies, *vectors, flag.Args()); err != nil {
		log.Fatal("ablate: ", err)
	}
}

func run(only, vocabularies string, vectors bool, folders []string) error {
	chosen, err := choose(only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "ablate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	base := filepath.Join(dir, "base")
	if err := build(base, ""); err != nil {
		return err
	}
	env := append(os.Environ(), "XDG_DATA_HOME="+filepath.Join(dir, "data"))
	if vocabularies != "" {
		add := exec.Command(base, "vocab", "add", "claude", filepath.Join(vocabularies, "claude", "pieces_v3.json"), filepath.Join(vocabularies, "claude", "pieces_v4_7.json"))
		if add.Env = env; add.Run() != nil {
			return fmt.Errorf("the vocabularies in %s cannot be added", vocabularies)
		}
	}
	whole := map[string]map[request]step{}
	fmt.Println("| off | folder | predictions | changed | better | worse | median | p95 | p99 | mean | covered % | vectors |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, v := range append([]variant{{name: "nothing"}}, chosen...) {
		program := base
		if v.file != "" {
			if program, err = v.build(dir); err != nil {
				return err
			}
		}
		failed := "-"
		if vectors {
			if failed, err = failing(program); err != nil {
				return err
			}
		}
		for _, folder := range folders {
			steps, err := replay(program, folder, env)
			if err != nil {
				return err
			}
			if v.file == "" {
				whole[folder] = steps
			}
			r := compare(whole[folder], steps)
			fmt.Printf("| %s | %s | %s | %s |\n", v.name, filepath.Base(folder), &r, failed)
		}
		if len(folders) == 0 {
			fmt.Printf("| %s | | | | | | | | | | | %s |\n", v.name, failed)
		}
	}
	return nil
}

// choose returns the variants that are named.
func choose(only string) ([]variant, error) {
	if only == "" {
		return variants, nil
	}
	var chosen []variant
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(variants, func(v variant) bool { return v.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no variant %q", name)
		}
		chosen = append(chosen, variants[i])
	}
	return chosen, nil
}

// build builds the program of a variant.
func (v *variant) build(dir string) (program string, err error) {
	text, err := v.changed(".")
	if err != nil {
		return "", err
	}
	file, err := filepath.Abs(v.file)
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, strings.ReplaceAll(v.name, " ", "-"))
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {file: name + ".go"}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(name+".go", []byte(text), 0o600); err != nil {
		return "", err
	}
	if err := os.WriteFile(name+".json", overlay, 0o600); err != nil {
		return "", err
	}
	return name, build(name, name+".json")
}

func build(program, overlay string) error {
	out, err := exec.Command("go", "build", "-overlay="+overlay, "-o", program, "./cmd/ctx-lsp").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(program), err, out)
	}
	return nil
}

func replay(program, folder string, env []string) (map[request]step, error) {
	c := exec.Command(program, "replay", "--steps", folder)
	c.Env, c.Stderr = env, os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("replay %s: %w", folder, err)
	}
	return readSteps(bytes.NewReader(out))
}

var failedVectors = regexp.MustCompile(`(\d+) passed, (\d+) failed`)

// failing returns how many vectors fail. Failures are the result here, not an error.
func failing(program string) (string, error) {
	out, err := exec.Command(program, "conformance", "--engine", "native", "testdata/conformance").CombinedOutput()
	if last := failedVectors.FindAllSubmatch(out, -1); last != nil {
		return string(last[len(last)-1][2]), nil
	}
	return "", fmt.Errorf("the vectors did not run: %v\n%s", err, out)
}
