// Copyright The ctx-lsp authors. MIT licence.

package api

// ImportProblem is the reason why an import fails; empty if it does not.
//
//wire:words missing outside tooLarge unreadable
//wire:called problem
type ImportProblem string

// LimitOf is the source of the window that a prompt file is compared with: the session that it is opened for, otherwise
// the agent's assumption about the model, otherwise the model itself; empty if none is known.
//
//wire:words session agent model
type LimitOf string

// DrawnPart is one of the parts that an editor draws.
//
//wire:words lenses hints hovers links diagnostics breakdown
//wire:called part
type DrawnPart string

// TextUnits is the unit in which characters of a line are counted, as in LSP.
//
//wire:words utf-8 utf-16 utf-32
//wire:called unit
type TextUnits string

// DocumentOpenParams are the parameters of ctx/document/open.
//
//wire:reads
type DocumentOpenParams struct {
	ID       string       `json:"id"`              // the document's URI
	Set      string       `json:"set,omitempty"`   // documents of the same set may import one another
	Scope    string       `json:"scope,omitempty"` // the set's scope; see ctx/session/open
	Path     string       `json:"path,omitempty"`  // relative to the workspace, or ~/...; default id
	Text     Body         `json:"text"`
	Model    string       `json:"model,omitempty"` // the model to count for; default the one that the kind of file suggests
	Provider string       `json:"provider,omitempty"`
	Limit    *int64       `json:"limit,omitempty" read:"readTokens(&f, &to.Limit)"` // limit of the session that it is opened for; shares are divided by it
	Agent    string       `json:"agent,omitempty"`                                  // the agent whose loading rules apply if several agents read the file
	Show     *ShowOptions `json:"show,omitempty" default:"everything"`
}

// DocumentChangeParams are the parameters of ctx/document/change.
//
//wire:reads
type DocumentChangeParams struct {
	ID       string           `json:"id"`
	Set      string           `json:"set,omitempty"`
	Scope    string           `json:"scope,omitempty"`                                     // the set's scope; see ctx/session/open
	Version  *int64           `json:"version,omitempty" read:"-"`                          // the host's own number; changes come in order
	Changes  []DocumentChange `json:"changes,omitempty" read:"readArray(&f, &to.Changes)"` // each applies to the result of the previous one
	Imports  []ImportTarget   `json:"imports,omitempty" read:"readArray(&f, &to.Imports)"` // the target of each import, as found by the host
	Model    *string          `json:"model,omitempty" read:"field"`                        // to count for from now on; null or "" for what the kind of file suggests
	Provider string           `json:"provider,omitempty"`
	Limit    *int64           `json:"limit,omitempty" read:"readTokens(&f, &to.Limit)"` // with model, as in open
	Show     *ShowOptions     `json:"show,omitempty" default:"everything"`
}

// DocumentChange replaces bytes of the text, or all of it if from and to are absent.
//
//wire:reads edit
type DocumentChange struct {
	From *int64 `json:"from,omitempty" read:"readTokens(&f, &to.From)"`
	To   *int64 `json:"to,omitempty" read:"readTokens(&f, &to.To)"`
	Text Body   `json:"text"`
}

// ImportTarget is the target of an import: the document that the host opened for it, or the reason why there is none.
//
//wire:reads promptfile.Link
type ImportTarget struct {
	Target  string        `json:"target"`
	ID      string        `json:"id,omitempty"`
	Problem ImportProblem `json:"problem,omitempty" read:"readProblem(&f, &to.Problem)"`
}

// ShowOptions set which parts of a view are returned.
//
//wire:reads show
type ShowOptions struct {
	View     *bool           `json:"view,omitempty"`                                 // false: no view
	Sections *bool           `json:"sections,omitempty"`                             // false: no sections
	From     *int64          `json:"from,omitempty" read:"readTokens(&f, &to.From)"` // sections that overlap these bytes
	To       *int64          `json:"to,omitempty" read:"readTokens(&f, &to.To)"`
	Findings *bool           `json:"findings,omitempty"` // false: no findings
	Budget   *DocumentBudget `json:"budget,omitempty" read:"c.readDocumentBudget(&f, &to.Budget)"`
	With     []string        `json:"with,omitempty" read:"to.readWith(&f)"`   // other documents that are always loaded with it
	Draw     []DrawnPart     `json:"draw,omitempty" read:"to.readDraw(&f)"`   // the parts of drawn; only hints and hovers that overlap from and to
	Units    TextUnits       `json:"units,omitempty" read:"to.readUnits(&f)"` // the unit of positions in drawn; default utf-16
	Plain    *bool           `json:"plain,omitempty"`                         // hovers and the breakdown without Markdown
	Phrases  *bool           `json:"phrases,omitempty"`                       // add phrases to drawn and findings
}

// DocumentBudget is how many tokens a file may have, its imports included, before it gets a finding; 0 for no limit.
//
//wire:reads promptfile.Budget
type DocumentBudget struct {
	Always *int64 `json:"always,omitempty" read:"readTokens(&f, &to.Always)"` // limit for content that is in every request
	Loaded *int64 `json:"loaded,omitempty" read:"readTokens(&f, &to.Loaded)"` // limit for the rest
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

// DocumentView is a prompt file and its size. Positions are byte offsets.
//
//wire:writes view
type DocumentView struct {
	Schema       string           `json:"schema" from:"documentSchema"` // "ctx.document/1"
	ID           string           `json:"id" from:"s.Document.ID"`
	Path         string           `json:"path" from:"s.Document.Path"`
	Kind         string           `json:"kind" from:"s.Document.Kind.String()"`
	Title        string           `json:"title" from:"s.Document.Kind.Title()"`
	Agent        string           `json:"agent" from:"s.Document.Agent"` // the agent whose loading rules apply
	Model        string           `json:"model" from:"s.model.model"`    // the model that it is counted for
	ModelChosen  bool             `json:"modelChosen" from:"s.model.chosen"`
	Load         DocumentLoad     `json:"load"`
	Tokens       int64            `json:"tokens"` // tokens of the file itself
	Basis        Basis            `json:"basis" from:"s.basis"`
	Listed       int64            `json:"listed"`                 // tokens of the description that is loaded before the rest
	Imported     int64            `json:"imported"`               // tokens of all imported files, each counted once
	Files        int64            `json:"files"`                  // number of imported files
	Total        int64            `json:"total" from:"s.total()"` // tokens + imported
	Share        *Hundredths      `json:"share" from:"s.share()"` // share of the limit
	Limit        *int64           `json:"limit" from:"s.limit"`   // limit of the window; null if unknown
	LimitOf      LimitOf          `json:"limitOf" from:"s.limitOf"`
	Sections     []Section        `json:"sections" write:"s.writeSections(w)"`      // the requested sections
	SectionCount int64            `json:"sectionCount" from:"len(s.View.Sections)"` // number of all sections
	Imports      []DocumentImport `json:"imports" write:"s.writeImports(w)"`
	Findings     []Finding        `json:"findings"`
	Display      DocumentDisplay  `json:"display" from:"s"`
	Drawn        *Drawn           `json:"drawn,omitempty" from:"s.drawn"` // only if draw was given
}

// DocumentLoad describes when an agent loads the file.
//
//wire:writes promptfile.Load
type DocumentLoad struct {
	When  string   `json:"when" from:"s.When.String()"` // "always", "path" or "demand"
	Globs []string `json:"globs"`                       // patterns of the paths that it is loaded for
	Why   string   `json:"why" from:"s.Sentence()"`     // the reason, as a message
}

// Section is a heading and the text below it.
//
//wire:writes section
type Section struct {
	Title      string `json:"title"`
	Level      int64  `json:"level"`
	From       int64  `json:"from"` // start of the heading's line
	To         int64  `json:"to"`
	End        int64  `json:"end"`    // end of the section, with those below it
	Own        int64  `json:"own"`    // tokens up to the next heading
	Tokens     int64  `json:"tokens"` // tokens with the sections below it
	Display    string `json:"display" from:"short(s.mark, s.Tokens)"`
	OwnDisplay string `json:"ownDisplay" from:"short(s.mark, s.Own)"`
}

// DocumentImport is a reference to another file, and the tokens that it adds.
//
//wire:writes imported
type DocumentImport struct {
	Target  string `json:"target"`
	From    int64  `json:"from"`
	To      int64  `json:"to"`
	ID      string `json:"id"`      // the document that it leads to
	Problem string `json:"problem"` // missing, outside, tooLarge, unreadable, circular, tooDeep or repeated
	Tokens  int64  `json:"tokens"`
	All     int64  `json:"all"` // tokens with its own imports
	Display string `json:"display" from:"short(s.mark, max(s.All, s.Tokens))"`
}

// Finding is a problem in a prompt file.
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

// OtherFinding is another location that a finding concerns, in this or another document.
//
//wire:writes promptfile.Finding
type OtherFinding struct {
	ID      string  `json:"id" from:"s.Other"`
	From    int64   `json:"from" from:"s.OtherFrom"`
	To      int64   `json:"to" from:"s.OtherTo"`
	Message string  `json:"message" from:"s.OtherMessage.String()"`
	Phrase  *Phrase `json:"phrase,omitempty" phrase:"&s.OtherMessage"`
}

// DocumentDisplay holds the short texts of a view.
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
	Hovers          []DocumentHover      `json:"hovers,omitempty"` // the first one that contains a position is shown
	Links           []DocumentLink       `json:"links,omitempty"`
	Diagnostics     []DocumentDiagnostic `json:"diagnostics,omitempty"`
	Breakdown       string               `json:"breakdown,omitempty" from:"s.Breakdown.String()"` // the whole file, in Markdown
	BreakdownPhrase *Phrase              `json:"breakdownPhrase,omitempty" phrase:"&s.Breakdown"` // the breakdown as a phrase
}

// TextPosition is a position in a text: a line and a character in it, from 0.
//
//wire:writes promptfile.Position
type TextPosition struct {
	Line      int64 `json:"line"`
	Character int64 `json:"character"` // in the requested unit
}

// TextRange is the text between two positions.
//
//wire:writes promptfile.Range
type TextRange struct {
	Start TextPosition `json:"start"`
	End   TextPosition `json:"end"`
}

// DocumentLens is a line above the text: the file's size, and when it is loaded.
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

// DocumentHover is a hover for a range of the text.
//
//wire:writes promptfile.Hover
type DocumentHover struct {
	Range  TextRange `json:"range"`
	Text   string    `json:"text" from:"s.Text.String()"`       // Markdown that shows names as plain text; no Markdown with plain
	Phrase *Phrase   `json:"phrase,omitempty" phrase:"&s.Text"` // the text as a phrase
}

// DocumentLink is a link to an imported document.
//
//wire:writes promptfile.ImportLink
type DocumentLink struct {
	Range   TextRange `json:"range"`
	ID      string    `json:"id"` // the document that it leads to
	Tooltip string    `json:"tooltip" from:"s.Tooltip.String()"`
	Phrase  *Phrase   `json:"phrase,omitempty" phrase:"&s.Tooltip"` // the tooltip as a phrase
}

// DocumentDiagnostic is a Finding with its range.
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

// DocumentReference is another location that a diagnostic concerns.
//
//wire:writes promptfile.Related
type DocumentReference struct {
	ID      string    `json:"id"` // the document's ID
	Range   TextRange `json:"range"`
	Message string    `json:"message" from:"s.Message.String()"`
	Phrase  *Phrase   `json:"phrase,omitempty" phrase:"&s.Message"` // the message as a phrase
}
