// Copyright The ctx-lsp authors. MIT licence.

// Command accuracy makes testdata/accuracy from recorded sessions: each text in them is replaced by a text of ours that
// has as many tokens. Usage, order, compactions and sizes stay as they were, so that predictions are as good and as bad
// as on the recorded sessions.
//
//	go run ./tools/accuracy -from FOLDER -to testdata/accuracy
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"

	"github.com/klauspost/compress/zstd"
)

// most is how large the corpus may be.
const most = 3_000_000

func main() {
	from := flag.String("from", os.Getenv("CTX_TRANSCRIPTS"), "a folder of recorded sessions with a MANIFEST.json")
	to := flag.String("to", filepath.Join("testdata", "accuracy"), "the folder to write")
	agents := flag.String("readers", filepath.Join("core", "agent"), "the readers, whose words in texts are kept")
	flag.Parse()
	if err := run(*from, *to, *agents); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(1)
	}
}

// An entry is one session of a manifest.
type entry struct {
	File       string   `json:"file"`
	Source     string   `json:"source"`           // the public repository
	Commit     string   `json:"commit,omitempty"` // the commit, if it is known
	Path       string   `json:"path,omitempty"`   // its path there, if it is known
	Licence    string   `json:"licence"`
	Models     []string `json:"models"`
	Calls      int      `json:"calls"`
	Original   string   `json:"original"` // the SHA-256 of the recorded session
	SHA256     string   `json:"sha256"`   // the SHA-256 of the file here
	Compressed int      `json:"size"`
}

func run(from, to, readers string) error {
	if from == "" {
		return errors.New("-from or CTX_TRANSCRIPTS must name a folder of recorded sessions")
	}
	text, err := os.ReadFile(filepath.Join(from, "MANIFEST.json"))
	if err != nil {
		return err
	}
	var entries []entry
	if err := json.Unmarshal(text, &entries); err != nil {
		return err
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].File < entries[j].File })
	words, err := wordsOf(readers)
	if err != nil {
		return err
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	fillers, total := map[string]*filler{}, 0
	for i := range entries {
		e := &entries[i]
		session, err := os.ReadFile(filepath.Join(from, e.File))
		if err != nil {
			return err
		}
		if len(e.Models) == 0 {
			return fmt.Errorf("%s names no model", e.File)
		}
		f := fillers[e.Models[0]]
		if f == nil {
			if f, err = newFiller(e.Models[0], words); err != nil {
				return err
			}
			fillers[e.Models[0]] = f
		}
		packed := encoder.EncodeAll(withoutUsers(replaced(session, f)), nil)
		e.Original, e.SHA256, e.Compressed = digest(session), digest(packed), len(packed)
		if e.Licence == "" {
			e.Licence = "MIT"
		}
		if total += len(packed); total > most {
			return fmt.Errorf("the corpus is larger than %d bytes", most)
		}
		path := filepath.Join(to, e.File+".zst")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, packed, 0o644); err != nil {
			return err
		}
		fmt.Printf("%s: %d to %d bytes\n", e.File, len(session), len(packed))
	}
	var out bytes.Buffer
	writer := json.NewEncoder(&out)
	writer.SetIndent("", "  ")
	if err := writer.Encode(entries); err != nil {
		return err
	}
	fmt.Printf("%d sessions, %d bytes\n", len(entries), total)
	return os.WriteFile(filepath.Join(to, "MANIFEST.json"), out.Bytes(), 0o644)
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
