// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/lsp"
)

// offered offers the published vocabularies to editors through the daemon. The user's responses are saved, so that an
// offer is not repeated.
type offered struct {
	env  *environment
	path string // the file of responses

	mu sync.Mutex // guards the file
}

// answers is the content of the file: the names that were answered.
type answers struct {
	Schema   string   `json:"schema"`
	Answered []string `json:"answered"`
}

const answersSchema = "ctx.offers/1"

// vocabulariesOf returns the vocabularies to offer. It returns nil for a daemon without state, which would repeat its
// offers.
func vocabulariesOf(env *environment) lsp.Vocabularies {
	dir := env.stateDir()
	if dir == "" {
		return nil
	}
	return &offered{env: env, path: filepath.Join(dir, "offers.json")}
}

// Offer implements lsp.Vocabularies.
func (o *offered) Offer(model string) (api.OfferParams, bool) {
	p, found := publishedFor(model)
	if !found || p.installedPack(o.env) != "" {
		return api.OfferParams{}, false
	}
	if _, err := vocabularyFolder(o.env); err != nil {
		return api.OfferParams{}, false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if known, err := o.read(); err != nil || slices.Contains(known.Answered, p.name) {
		return api.OfferParams{}, false
	}
	sentence := phrase.VocabularyOffer.Text(phrase.Name(p.models), phrase.Name(megabytes(p.size())), phrase.Name(p.host()), phrase.Name(p.licence))
	return api.OfferParams{
		Name: p.name, Sentence: sentence.String(), Phrase: api.PhraseOf(sentence),
		Address: p.host(), Licence: p.licence, Bytes: p.size(), Model: model,
	}, true
}

// Answered implements lsp.Vocabularies.
func (o *offered) Answered(name string) error {
	if _, err := findPublished(name); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	known, err := o.read()
	if err != nil || slices.Contains(known.Answered, name) {
		return err
	}
	known.Schema, known.Answered = answersSchema, append(known.Answered, name)
	text, err := stdjson.Marshal(known)
	if err == nil {
		err = writePack(o.path, text)
	}
	return err
}

// read returns the saved responses. A file that is damaged, or of another version, is left unchanged, and nothing is
// offered.
func (o *offered) read() (answers, error) {
	var known answers
	text, err := os.ReadFile(o.path)
	if errors.Is(err, fs.ErrNotExist) {
		return known, nil
	}
	if err == nil {
		err = stdjson.Unmarshal(text, &known)
	}
	if err == nil && known.Schema != answersSchema {
		err = errors.New("it was written by another version of ctx-lsp")
	}
	if err != nil {
		return known, fmt.Errorf("%s cannot be used: %w", o.path, err)
	}
	return known, nil
}

// Fetch implements lsp.Vocabularies, like ctx-lsp vocab fetch.
func (o *offered) Fetch(name string, progress func(percent int)) ([]string, error) {
	p, err := findPublished(name)
	if err != nil {
		return nil, err
	}
	done := int64(0)
	packs, err := p.download(context.Background(), o.env, func(n int64) {
		done += n
		progress(int(min(100, 100*done/p.size())))
	})
	if err != nil {
		return nil, err
	}
	if _, err := writePacks(o.env, packs); err != nil {
		return nil, err
	}
	var names []string
	for _, one := range packs {
		names = append(names, one.Name)
	}
	return names, nil
}
