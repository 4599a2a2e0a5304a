// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/model"
	"github.com/ctx-lsp/ctx-lsp/internal/vocabulary"
)

// A publishedVocabulary can be downloaded; its source, license and exact content are known.
type publishedVocabulary struct {
	name     string
	models   string // the models that it counts exactly
	contents string
	licence  string
	files    []vocabulary.File
	packs    []string // the families of models that it serves, under whose names it is kept
}

const (
	// ctok is a commit of the repository that publishes Claude's.
	ctok = "https://raw.githubusercontent.com/sanderland/ctok/70872fd4981dc5990267923235b4114535bb4473/ctok/data/"
	// hub is the host of the others, each at a commit of its repository.
	hub = "https://huggingface.co/"
)

// publishedVocabularies are pinned by the hashes of their files. Each hash was found in at least two independent
// places, in addition to the commit in the address. If the maker requires an account (Gemma, Llama), the address is a
// public copy of the same bytes.
var publishedVocabularies = []publishedVocabulary{
	{
		name: claude, models: "Claude", contents: "Claude's tokenizers, as ctok reconstructed them from counts", licence: "MIT",
		packs: []string{"claude-v3", "claude-v47", "claude-v5"},
		files: []vocabulary.File{
			{
				Name: "pieces_v3.json", Address: ctok + "pieces_v3.json", Size: 3637657,
				SHA256: "db4bf1474d51e3474779a27bcc417b894289438e9d26c8a8bad6e800e76ae311",
			},
			{
				Name: "pieces_v4_7.json", Address: ctok + "pieces_v4_7.json", Size: 1085865,
				SHA256: "f027eb7228d1ac21c743d61963ecfdc5993e18c2cc4153fdd2f92d900776cf19",
			},
		},
	},
	{
		name: "gemini", models: "Gemini", contents: "the tokenizer of Gemma 3, which gives the same counts as Gemini's", licence: "Gemma Terms of Use, https://ai.google.dev/gemma/terms",
		packs: []string{"gemini", "gemini-4", "gemma3"},
		files: []vocabulary.File{{
			Name:    "tokenizer.json of Gemma 3",
			Address: hub + "unsloth/gemma-3-12b-it/resolve/9478e665381f42974aa06177b019352fb6291876/tokenizer.json", Size: 33384568,
			SHA256: "4667f2089529e8e7657cfb6d1c19910ae71ff5f28aa7ab2ff2763330affad795",
		}},
	},
	{
		name: "qwen", models: "Qwen 2 and 3", contents: "the tokenizer of Qwen 3, which has the vocabulary of Qwen 2", licence: "Apache 2.0",
		packs: []string{"qwen2"},
		files: []vocabulary.File{{
			Name:    "tokenizer.json of Qwen 3",
			Address: hub + "Qwen/Qwen3-8B/resolve/b968826d9c46dd6066d109eabc6255188de91218/tokenizer.json", Size: 11422654,
			SHA256: "aeb13307a71acd8fe81861d94ad54ab689df773318809eed3cbe794b4492dae4",
		}},
	},
	{
		name: "llama", models: "Llama 3", contents: "the tokenizer of Llama 3.1", licence: "Llama 3.1 Community License",
		packs: []string{"llama3"},
		files: []vocabulary.File{{
			Name:    "tokenizer.json of Llama 3.1",
			Address: hub + "NousResearch/Meta-Llama-3.1-8B-Instruct/resolve/d10aef7999a2b5ba950ab3974312feeedbfe0b77/tokenizer.json", Size: 9085657,
			SHA256: "79e3e522635f3171300913bb421464a87de6222182a0570b9b2ccba2a964b2b4",
		}},
	},
	{
		name: "deepseek", models: "DeepSeek", contents: "the tokenizer of DeepSeek V3.1", licence: "MIT",
		packs: []string{"deepseek-v3"},
		files: []vocabulary.File{{
			Name:    "tokenizer.json of DeepSeek V3.1",
			Address: hub + "deepseek-ai/DeepSeek-V3.1/resolve/c0781d039fb7a1ba2abc4add0bdc293e92d2b8db/tokenizer.json", Size: 7847578,
			SHA256: "32b34a41212e92f62e859cbbea121ae705a1fabbf157d9acf22d134ecd8dcf70",
		}},
	},
}

// findPublished returns the vocabulary with a name that can be downloaded.
func findPublished(name string) (publishedVocabulary, error) {
	for _, p := range publishedVocabularies {
		if p.name == name {
			return p, nil
		}
	}
	names := publishedNames()
	return publishedVocabulary{}, fmt.Errorf("there is no vocabulary %q to fetch%s; expected one of %s. For any other, download its tokenizer.json and run ctx-lsp vocab add NAME tokenizer.json", name, suggestion(name, names), strings.Join(names, ", "))
}

func publishedNames() (names []string) {
	for _, p := range publishedVocabularies {
		names = append(names, p.name)
	}
	return names
}

// publishedFor returns the vocabulary that would count a model exactly, if there is one.
func publishedFor(name string) (publishedVocabulary, bool) {
	m, known := model.Find(name, "", "")
	if !known || m.Encoding != "" {
		return publishedVocabulary{}, false
	}
	for _, p := range publishedVocabularies {
		for _, family := range p.packs {
			if family == m.Family {
				return p, true
			}
		}
	}
	return publishedVocabulary{}, false
}

// installedPack returns the name of a pack of this vocabulary that is already installed, or "".
func (p publishedVocabulary) installedPack(env *environment) string {
	for _, name := range p.packs {
		if path, err := vocabularyPath(env, name); err == nil {
			if _, err := os.Stat(path); err == nil {
				return name
			}
		}
	}
	return ""
}

// size returns how many bytes are downloaded.
func (p publishedVocabulary) size() (n int64) {
	for _, file := range p.files {
		n += file.Size
	}
	return n
}

// host returns the server that all files come from.
func (p publishedVocabulary) host() string {
	u, err := url.Parse(p.files[0].Address)
	if err != nil {
		return p.files[0].Address
	}
	return u.Host
}

// download fetches the files and makes packs of them, without saving these.
func (p publishedVocabulary) download(ctx context.Context, env *environment, progress func(int64)) ([]vocabulary.NamedPack, error) {
	folder, err := vocabularyFolder(env)
	if err != nil {
		return nil, err
	}
	var packs []vocabulary.NamedPack
	for _, file := range p.files {
		content, err := vocabulary.Fetch(ctx, file, folder, progress)
		if err != nil {
			return nil, err
		}
		names := p.packs
		if p.name == claude {
			names = []string{claude} // the file says which of them it serves
		}
		for _, name := range names {
			made, err := makePacks(content, name, "")
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file.Name, err)
			}
			packs = append(packs, made...)
		}
	}
	return packs, nil
}
