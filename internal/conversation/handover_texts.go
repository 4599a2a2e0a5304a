// Copyright The ctx-lsp authors. MIT licence.

package conversation

import "github.com/ctx-lsp/ctx-lsp/internal/redact"

// texts returns pointers to all texts of the facts.
func (f *Facts) texts() []*string {
	all := []*string{&f.First, &f.Latest, &f.Answer, &f.Doing}
	for i := range f.Others {
		all = append(all, &f.Others[i])
	}
	for i := range f.Todos {
		all = append(all, &f.Todos[i].Text)
	}
	for i := range f.Files {
		all = append(all, &f.Files[i].Path)
	}
	for i := range f.Failed {
		all = append(all, &f.Failed[i].Command, &f.Failed[i].Output)
	}
	return all
}

// clean makes control characters visible in all texts.
func (f *Facts) clean() {
	for _, text := range f.texts() {
		*text = redact.Clean(*text)
	}
}

// struck returns how many secrets were removed from all texts.
func (f *Facts) struck() (n int) {
	for _, text := range f.texts() {
		n += redact.Count(*text)
	}
	return n
}
