// Copyright The ctx-lsp authors. MIT licence.

// Command accuracy makes testdata/accuracy from recorded sessions: each text in them is replaced with a text of our own
// words that has as many tokens. Usage, order, compactions and sizes stay as they were, so that predictions are as
// accurate as on the recorded sessions.
//
//	mk/tool.sh accuracy -from FOLDER -to testdata/accuracy
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// readers are the directories of the packages that read sessions.
const readers = "core/agent,core/provider,core/model"

// most is the maximum size of the corpus in bytes.
const most = 3_000_000

func main() {
	from := flag.String("from", os.Getenv("CTX_TRANSCRIPTS"), "a folder of recorded sessions with a MANIFEST.json")
	to := flag.String("to", filepath.Join("testdata", "accuracy"), "the folder to write")
	agents := flag.String("readers", readers, "folders with the sources of readers, whose words are kept")
	session := flag.String("session", "", "instead: a session to replace the texts of, written to -to, compressed")
	model := flag.String("model", "", "the session's model")
	flag.Parse()
	if *session != "" {
		if err := one(*session, *model, *to, *agents); err != nil {
			fmt.Fprintln(os.Stderr, "accuracy:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*from, *to, *agents); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(1)
	}
}

// An entry is one session of a manifest.
type entry struct {
	File       string   `json:"file"`
	Source     string   `json:"source"` // the public repository
	Ref        string   `json:"ref"`    // a branch with the commit, when the session was recorded
	Commit     string   `json:"commit"` // the first commit with the session
	Path       string   `json:"path"`   // its path there
	Licence    string   `json:"licence"`
	Copyright  string   `json:"copyright"` // the notice of the licence
	Models     []string `json:"models"`
	Calls      int      `json:"calls"`
	Original   string   `json:"original"` // the SHA-256 of the recorded session
	SHA256     string   `json:"sha256"`   // the SHA-256 of the file here
	Compressed int      `json:"size"`
}

func run(from, to, folders string) error {
	if from == "" {
		return errors.New("-from or CTX_TRANSCRIPTS must name a folder of recorded sessions")
	}
	entries, err := manifest(from)
	if err != nil {
		return err
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].File < entries[j].File })
	if err := withOrigins(entries, to); err != nil {
		return err
	}
	keeps, err := keptBy(strings.Split(folders, ",")...)
	if err != nil {
		return err
	}
	var group sync.WaitGroup
	errs := make([]error, len(entries))
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			fillers := map[string]*filler{}
			for i := range next {
				errs[i] = entries[i].write(from, to, keeps, fillers)
			}
		})
	}
	for i := range entries {
		next <- i
	}
	close(next)
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	total := 0
	for _, e := range entries {
		total += e.Compressed
	}
	if total > most {
		return fmt.Errorf("the corpus has %d bytes, more than %d", total, most)
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

// one replaces the texts of one session.
func one(from, model, to, folders string) error {
	keeps, err := keptBy(strings.Split(folders, ",")...)
	if err != nil {
		return err
	}
	e := entry{File: filepath.Base(from), Models: []string{model}}
	folder, err := os.MkdirTemp("", "accuracy")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := e.write(filepath.Dir(from), folder, keeps, map[string]*filler{}); err != nil {
		return err
	}
	packed, err := os.ReadFile(filepath.Join(folder, e.File+".zst"))
	if err != nil {
		return err
	}
	return os.WriteFile(to, packed, 0o644)
}

func manifest(folder string) (entries []entry, err error) {
	text, err := os.ReadFile(filepath.Join(folder, "MANIFEST.json"))
	if err != nil {
		return nil, err
	}
	return entries, json.Unmarshal(text, &entries)
}

// withOrigins adds the origin of each session from the manifest in a directory.
func withOrigins(entries []entry, folder string) error {
	known, err := manifest(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for i := range entries {
		e := &entries[i]
		for _, k := range known {
			if k.File == e.File && k.Source == e.Source {
				e.Ref, e.Commit, e.Path, e.Licence, e.Copyright, e.Original = k.Ref, k.Commit, k.Path, k.Licence, k.Copyright, k.Original
			}
		}
	}
	return err
}

// write writes a session with its texts replaced.
func (e *entry) write(from, to string, keeps *kept, fillers map[string]*filler) error {
	session, err := os.ReadFile(filepath.Join(from, e.File))
	if err != nil {
		return err
	}
	if len(e.Models) == 0 {
		return fmt.Errorf("%s names no model", e.File)
	}
	if e.Original != "" && e.Original != digest(session) {
		return fmt.Errorf("%s is not the file that the manifest describes", e.File)
	}
	f := fillers[e.Models[0]]
	if f == nil {
		if f, err = newFiller(e.Models[0]); err != nil {
			return err
		}
		fillers[e.Models[0]] = f
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	packed := encoder.EncodeAll(newMaker(f, keeps, session).replaced(session), nil)
	e.Original, e.SHA256, e.Compressed = digest(session), digest(packed), len(packed)
	path := filepath.Join(to, e.File+".zst")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, packed, 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %d to %d bytes\n", e.File, len(session), len(packed))
	return nil
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
