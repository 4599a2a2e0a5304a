// Copyright The ctx-lsp authors. MIT licence.

package api

// ImportProblem is the reason why an import fails; empty if it does not.
//
//wire:words missing outside tooLarge unreadable
//wire:called problem
type ImportProblem string

// LimitOf is whose window a prompt file is held against: that of the session
// it is for, else what its agent believes the model's to be, else the model's
// own; empty if none is known.
//
//wire:words session agent model
type LimitOf string

// DrawnPart is one of the things that an editor draws.
//
//wire:words lenses hints hovers links diagnostics breakdown
//wire:called part
type DrawnPart string

// TextUnits is what characters of a line are counted in, as in LSP.
//
//wire:words utf-8 utf-16 utf-32
//wire:called unit
type TextUnits string

// DocumentOpenParams are the parameters of ctx/document/open.
//
//wire:reads
type DocumentOpenParams struct {
	ID       string       `json:"id"`              // the document's URI
	Set      string       `json:"set,omitempty"`   // documents of one set may import one another
	Scope    string       `json:"scope,omitempty"` // the set's scope; see ctx/session/open
	Path     string       `json:"path,omitempty"`  // relative to the workspace, or ~/...; default id
	Text     Text         `json:"text"`
	Model    string       `json:"model,omitempty"` // to count for; default the one that the kind of file suggests
	Provider string       `json:"provider,omitempty"`
	Limit    *int64       `json:"limit,omitempty" read:"readTokens(&f, &to.Limit)"` // of the session that it is for; its window divides
	Agent    string       `json:"agent,omitempty"`                                  // whose loading rules apply if a file has several readers
	Show     *ShowOptions `json:"show,omitempty" default:"everything"`
}

// DocumentChangeParams are the parameters of ctx/document/change.
//
//wire:reads
type DocumentChangeParams struct {
	ID       string           `json:"id"`
	Set      string           `json:"set,omitempty"`
	Scope    string           `json:"scope,omitempty"`                                     // the set's scope; see ctx/session/open
	Version  *int64           `json:"version,omitempty" read:"-"`                          // the host's own; changes come in order
	Changes  []DocumentChange `json:"changes,omitempty" read:"readArray(&f, &to.Changes)"` // each counts from the text that the one before left
	Imports  []ImportTarget   `json:"imports,omitempty" read:"readArray(&f, &to.Imports)"` // what the host found for each import
	Model    *string          `json:"model,omitempty" read:"field"`                        // to count for from now on; null or "" for what the kind of file suggests
	Provider string           `json:"provider,omitempty"`
	Limit    *int64           `json:"limit,omitempty" read:"readTokens(&f, &to.Limit)"` // with model, as in open
	Show     *ShowOptions     `json:"show,omitempty" default:"everything"`
}

// DocumentChange replaces bytes of the text; without from and to all of it.
//
//wire:reads edit
type DocumentChange struct {
	From *int64 `json:"from,omitempty" read:"readTokens(&f, &to.From)"`
	To   *int64 `json:"to,omitempty" read:"readTokens(&f, &to.To)"`
	Text Text   `json:"text"`
}

// ImportTarget is what the host found for an import: the document that it
// opened, or why there is none.
//
//wire:reads promptfile.Link
type ImportTarget struct {
	Target  string        `json:"target"`
	ID      string        `json:"id,omitempty"`
	Problem ImportProblem `json:"problem,omitempty" read:"readProblem(&f, &to.Problem)"`
}

// ShowOptions say how much of a view is wanted.
//
//wire:reads show
type ShowOptions struct {
	View     *bool           `json:"view,omitempty"`                                 // false: nothing
	Sections *bool           `json:"sections,omitempty"`                             // false: none
	From     *int64          `json:"from,omitempty" read:"readTokens(&f, &to.From)"` // sections that touch these bytes
	To       *int64          `json:"to,omitempty" read:"readTokens(&f, &to.To)"`
	Findings *bool           `json:"findings,omitempty"` // false: none
	Budget   *DocumentBudget `json:"budget,omitempty" read:"c.readDocumentBudget(&f, &to.Budget)"`
	With     []string        `json:"with,omitempty" read:"to.readWith(&f)"`   // other documents that are always loaded too
	Draw     []DrawnPart     `json:"draw,omitempty" read:"to.readDraw(&f)"`   // what drawn has; of hints and hovers those that touch from and to
	Units    TextUnits       `json:"units,omitempty" read:"to.readUnits(&f)"` // of drawn's places; default utf-16
	Plain    *bool           `json:"plain,omitempty"`                         // texts of hovers and the breakdown without Markdown
	Phrases  *bool           `json:"phrases,omitempty"`                       // drawn and findings with their phrases
}

// DocumentBudget is how many tokens a file may weigh, its imports included,
// before a finding says so; 0 for no limit.
//
//wire:reads promptfile.Budget
type DocumentBudget struct {
	Always *int64 `json:"always,omitempty" read:"readTokens(&f, &to.Always)"` // of what is in every request
	Loaded *int64 `json:"loaded,omitempty" read:"readTokens(&f, &to.Loaded)"` // of the rest
}

// DocumentViewParams are the parameters of ctx/document/view.
//
//wire:reads
type DocumentViewParams struct {
	ID    string       `json:"id"`
	Set   string       `json:"set,omitempty"`
	Scope string       `json:"scope,omitempty"` // the set's scope; see ctx/session/open
	Show  *ShowOptions `json:"show,omitempty" default:"everything"`
}

// DocumentParams name a document.
//
//wire:reads
type DocumentParams struct {
	ID    string `json:"id"`
	Set   string `json:"set,omitempty"`
	Scope string `json:"scope,omitempty"` // the set's scope; see ctx/session/open
}

// DocumentView is a prompt file and what it weighs. Places are byte offsets.
//
//wire:writes view
type DocumentView struct {
	Schema       string           `json:"schema" from:"documentSchema"` // "ctx.document/1"
	ID           string           `json:"id" from:"s.Document.ID"`
	Path         string           `json:"path" from:"s.Document.Path"`
	Kind         string           `json:"kind" from:"s.Document.Kind.String()"`
	Title        string           `json:"title" from:"s.Document.Kind.Title()"`
	Agent        string           `json:"agent" from:"s.Document.Agent"` // whose way of reading counts
	Model        string           `json:"model" from:"s.model.model"`    // that it is counted for
	ModelChosen  bool             `json:"modelChosen" from:"s.model.chosen"`
	Load         DocumentLoad     `json:"load"`
	Tokens       int64            `json:"tokens"` // of the file itself
	Basis        Basis            `json:"basis" from:"s.basis"`
	Listed       int64            `json:"listed"`                 // of the description that is there before the rest is loaded
	Imported     int64            `json:"imported"`               // of everything imported, each file once
	Files        int64            `json:"files"`                  // how many those are
	Total        int64            `json:"total" from:"s.total()"` // tokens + imported
	Share        *Hundredths      `json:"share" from:"s.share()"` // of the limit
	Limit        *int64           `json:"limit" from:"s.limit"`   // of the window; null if unknown
	LimitOf      LimitOf          `json:"limitOf" from:"s.limitOf"`
	Sections     []Section        `json:"sections" write:"s.writeSections(w)"`      // those that were asked for
	SectionCount int64            `json:"sectionCount" from:"len(s.View.Sections)"` // of all
	Imports      []DocumentImport `json:"imports" write:"s.writeImports(w)"`
	Findings     []Finding        `json:"findings"`
	Display      DocumentDisplay  `json:"display" from:"s"`
	Drawn        *Drawn           `json:"drawn,omitempty" from:"s.drawn"` // where draw was given
}

// DocumentLoad is when an agent loads the file.
//
//wire:writes promptfile.Load
type DocumentLoad struct {
	When  string   `json:"when" from:"s.When.String()"` // "always", "path" or "demand"
	Globs []string `json:"globs"`                       // of the paths it is loaded for
	Why   string   `json:"why" from:"s.Sentence()"`     // a sentence
}

// Section is a heading and what is below it.
//
//wire:writes section
type Section struct {
	Title      string `json:"title"`
	Level      int64  `json:"level"`
	From       int64  `json:"from"` // the heading's line
	To         int64  `json:"to"`
	End        int64  `json:"end"`    // of the section with those below it
	Own        int64  `json:"own"`    // tokens up to the next heading
	Tokens     int64  `json:"tokens"` // with the sections below
	Display    string `json:"display" from:"short(s.mark, s.Tokens)"`
	OwnDisplay string `json:"ownDisplay" from:"short(s.mark, s.Own)"`
}

// DocumentImport is a place that names another file, and what that brings.
//
//wire:writes imported
type DocumentImport struct {
	Target  string `json:"target"`
	From    int64  `json:"from"`
	To      int64  `json:"to"`
	ID      string `json:"id"`      // of the document it leads to
	Problem string `json:"problem"` // missing, outside, tooLarge, unreadable, circular, tooDeep or repeated
	Tokens  int64  `json:"tokens"`
	All     int64  `json:"all"` // with what it imports itself
	Display string `json:"display" from:"short(s.mark, max(s.All, s.Tokens))"`
}

// Finding is something that is wrong with a prompt file.
//
//wire:writes promptfile.Finding
type Finding struct {
	From     int64         `json:"from"`
	To       int64         `json:"to"`
	Severity int64         `json:"severity"` // as in LSP: 1 error, 2 warning, 3 information, 4 hint
	Code     string        `json:"code"`
	Message  string        `json:"message" from:"s.Message.String()"`
	Phrase   *Phrase       `json:"phrase,omitempty" phrase:"&s.Message"` // the message as a phrase, if phrases were asked for
	Other    *OtherFinding `json:"other,omitempty" from:"other(s)"`
}

// OtherFinding is a place in this or another document that a finding is
// about too.
//
//wire:writes promptfile.Finding
type OtherFinding struct {
	ID      string  `json:"id" from:"s.Other"`
	From    int64   `json:"from" from:"s.OtherFrom"`
	To      int64   `json:"to" from:"s.OtherTo"`
	Message string  `json:"message" from:"s.OtherMessage.String()"`
	Phrase  *Phrase `json:"phrase,omitempty" phrase:"&s.OtherMessage"`
}

// DocumentDisplay holds the short strings of a view.
//
//wire:writes view
type DocumentDisplay struct {
	Mark     string `json:"mark" from:"s.mark"` // "~" estimated, "" otherwise
	Tokens   string `json:"tokens" from:"short(s.mark, s.Tokens)"`
	Imported string `json:"imported" from:"short(s.mark, s.Imported)"`
	Total    string `json:"total" from:"short(s.mark, s.total())"`
	Listed   string `json:"listed" from:"short(s.mark, s.Listed)"`
	Share    string `json:"share" from:"s.shownShare()"`
	Limit    string `json:"limit" from:"s.shownLimit()"`
}

// Drawn contains the texts that an editor draws in a prompt file, finished and
// in English, with their positions. Parts that were not requested are absent.
//
//wire:writes promptfile.Drawn
type Drawn struct {
	Lenses          []DocumentLens       `json:"lenses,omitempty"`
	Hints           []DocumentHint       `json:"hints,omitempty"`
	Hovers          []DocumentHover      `json:"hovers,omitempty"` // the first that holds a position counts
	Links           []DocumentLink       `json:"links,omitempty"`
	Diagnostics     []DocumentDiagnostic `json:"diagnostics,omitempty"`
	Breakdown       string               `json:"breakdown,omitempty" from:"s.Breakdown.String()"` // of the whole file, in Markdown
	BreakdownPhrase *Phrase              `json:"breakdownPhrase,omitempty" phrase:"&s.Breakdown"` // the breakdown as a phrase
}

// TextPosition is a place in a text: a line and a character of it, from 0.
//
//wire:writes promptfile.Position
type TextPosition struct {
	Line      int64 `json:"line"`
	Character int64 `json:"character"` // in the units that were asked for
}

// TextRange is the text between two positions.
//
//wire:writes promptfile.Range
type TextRange struct {
	Start TextPosition `json:"start"`
	End   TextPosition `json:"end"`
}

// DocumentLens is a line above the text: what the file costs, and when.
//
//wire:writes promptfile.Lens
type DocumentLens struct {
	Range  TextRange `json:"range"`
	Title  string    `json:"title" from:"s.Title.String()"`
	Phrase *Phrase   `json:"phrase,omitempty" phrase:"&s.Title"` // the title as a phrase, if phrases were asked for
}

// DocumentHint appears after a heading, or after a line that imports.
//
//wire:writes promptfile.Hint
type DocumentHint struct {
	Position TextPosition `json:"position"`
	Label    string       `json:"label"`
	Tooltip  string       `json:"tooltip" from:"s.Tooltip.String()"`
	Phrase   *Phrase      `json:"phrase,omitempty" phrase:"&s.Tooltip"` // the tooltip as a phrase
}

// DocumentHover is what there is to say of a piece of the text.
//
//wire:writes promptfile.Hover
type DocumentHover struct {
	Range  TextRange `json:"range"`
	Text   string    `json:"text" from:"s.Text.String()"`       // Markdown in which names are only text; with plain no Markdown
	Phrase *Phrase   `json:"phrase,omitempty" phrase:"&s.Text"` // the text as a phrase
}

// DocumentLink leads to a document that is imported.
//
//wire:writes promptfile.ImportLink
type DocumentLink struct {
	Range   TextRange `json:"range"`
	ID      string    `json:"id"` // of the document
	Tooltip string    `json:"tooltip" from:"s.Tooltip.String()"`
	Phrase  *Phrase   `json:"phrase,omitempty" phrase:"&s.Tooltip"` // the tooltip as a phrase
}

// DocumentDiagnostic is a Finding at its place.
//
//wire:writes promptfile.Diagnostic
type DocumentDiagnostic struct {
	Range    TextRange          `json:"range"`
	Severity int64              `json:"severity"` // as in LSP
	Code     string             `json:"code"`
	Message  string             `json:"message" from:"s.Message.String()"`
	Phrase   *Phrase            `json:"phrase,omitempty" phrase:"&s.Message"` // the message as a phrase
	Related  *DocumentReference `json:"related,omitempty" from:"s.Related"`
}

// DocumentReference is another place that a diagnostic is about.
//
//wire:writes promptfile.Related
type DocumentReference struct {
	ID      string    `json:"id"` // of the document
	Range   TextRange `json:"range"`
	Message string    `json:"message" from:"s.Message.String()"`
	Phrase  *Phrase   `json:"phrase,omitempty" phrase:"&s.Message"` // the message as a phrase
}
