// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Proof describes what an agent's reader was compared with. The zero Proof belongs to an agent whose sessions are not
// read.
type Proof struct {
	// Lab is the version of the agent that was last run against a scripted provider, "" if none was.
	Lab string
	// Dated is the month of the newest recorded sessions and sources, for an agent that was not run.
	Dated string
	// FromTexts is set if the sizes of its requests are estimated from texts, because it does not record them.
	FromTexts bool
	// Described is set if the reader was compared with no session: it reads the files as other programs' readers do.
	Described bool
}

// The ranks of agents by their proof.
const (
	ProvedInLab      = "lab"       // promised
	ProvedByFixtures = "fixtures"  // dated, without a promise
	ProvedByTexts    = "estimated" // dated like fixtures, and an estimate
	ProvedByReaders  = "described" // dated, without a promise or a recording
)

// Rank returns the rank of an agent with this proof, "" if its sessions are not read.
func (p Proof) Rank() string {
	switch {
	case p.Lab != "":
		return ProvedInLab
	case p.Described:
		return ProvedByReaders
	case p.FromTexts:
		return ProvedByTexts
	case p.Dated != "":
		return ProvedByFixtures
	}
	return ""
}

// Text returns the proof in a few words.
func (p Proof) Text() phrase.Text {
	switch p.Rank() {
	case ProvedInLab:
		return phrase.ProofLab.Text(phrase.Name(p.Lab))
	case ProvedByTexts:
		return phrase.ProofTexts.Text(phrase.Name(p.Dated))
	case ProvedByReaders:
		return phrase.ProofDescribed.Text(phrase.Name(p.Dated))
	case ProvedByFixtures:
		return phrase.ProofFixtures.Text(phrase.Name(p.Dated))
	}
	return phrase.Text{}
}

// ProofOf returns the proof of an agent.
func ProofOf(id string) Proof {
	e, ok := Find(id)
	if !ok {
		return Proof{}
	}
	return e.Proof
}

// ProofParagraph sorts the agents by their proof, in English, as documents have it.
func ProofParagraph() string {
	names, dated := map[string][]string{}, ""
	for _, e := range entries {
		switch name := e.Name; e.Proof.Rank() {
		case ProvedInLab:
			names[ProvedInLab] = append(names[ProvedInLab], name)
		case ProvedByTexts:
			names[ProvedByTexts] = append(names[ProvedByTexts], name)
			dated = max(dated, e.Proof.Dated)
		case ProvedByReaders:
			names[ProvedByReaders] = append(names[ProvedByReaders], name)
		case ProvedByFixtures:
			dated = max(dated, e.Proof.Dated)
		}
	}
	return "Promised, because the lab runs them: " + strings.Join(names[ProvedInLab], ", ") + ". Others: recordings only (" + dated +
		"), no promise. Estimated from texts: " + strings.Join(names[ProvedByTexts], ", ") +
		". Read only as other programs describe their files: " + strings.Join(names[ProvedByReaders], ", ") + "."
}
