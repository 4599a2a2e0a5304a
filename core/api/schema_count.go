// Copyright The ctx-lsp authors. MIT licence.

package api

// CountParams are the parameters of ctx/count: one text or several, for a model or by an encoding.
//
//wire:reads
type CountParams struct {
	Text       *Body       `json:"text,omitempty" read:"raw"`
	Texts      []Body      `json:"texts,omitempty"` // alternative to text
	Model      string      `json:"model,omitempty"`
	Provider   string      `json:"provider,omitempty"`
	Encoding   string      `json:"encoding,omitempty"`                     // alternative to model and provider
	As         string      `json:"as,omitempty"`                           // "message": as the one message of a user, with its frame
	Boundaries bool        `json:"boundaries,omitempty"`                   // also return the ends of tokens
	Strict     bool        `json:"strict,omitempty"`                       // as in ctx/session/open
	Exact      *ExactCount `json:"exact,omitempty" read:"refuseExact(&f)"` // alternative to all of these: let the provider count
}

// ExactCount is a request that the provider itself should count, because the user asked for it. Only the daemon
// supports it, and only this uses a network.
type ExactCount struct {
	API     string  `json:"api"`               // anthropic, openai, gemini, bedrock, vllm, llama.cpp, ...
	Model   string  `json:"model,omitempty"`   // replaces the request's
	Request Foreign `json:"request"`           // the body that would be sent
	BaseURL string  `json:"baseUrl,omitempty"` // a server on this machine, without a path; it gets no key
	Session string  `json:"session,omitempty"` // the session that the result calibrates
	Through *int64  `json:"through,omitempty"` // how many of its items the request contains
}

// CountAnswer is the result of ctx/count.
//
//wire:writes counted
type CountAnswer struct {
	Tokens     int64   `json:"tokens"`
	Basis      Basis   `json:"basis"`
	Encoding   string  `json:"encoding"`                              // "" if the model has no public one
	Note       string  `json:"note,omitempty" from:"s.Note.String()"` // why the count is an estimate: a doubt about the vocabulary, or an unknown model
	NotePhrase *Phrase `json:"notePhrase,omitempty" phrase:"&s.Note"` // the same as a phrase
	// Known models that resemble an unknown one; absent without any.
	SimilarModels []string `json:"similarModels,omitempty"`
	Texts         []int64  `json:"texts,omitempty"`      // the count of each of several texts
	Boundaries    []int64  `json:"boundaries,omitempty"` // ends of tokens, in bytes of text
}

// ExactAnswer is the result of ctx/count for an exact count.
type ExactAnswer struct {
	API      string   `json:"api"`
	Model    string   `json:"model,omitempty"`
	Tokens   int64    `json:"tokens"`
	Basis    Basis    `json:"basis"`              // estimated if the provider's count covers text only
	Window   int64    `json:"window,omitempty"`   // only if the provider reports it
	Original int64    `json:"original,omitempty"` // size before the provider's own context editing
	Cached   int64    `json:"cached,omitempty"`
	Note     string   `json:"note,omitempty"`
	Reading  *Reading `json:"reading,omitempty"` // Reading of the calibrated session
}

// ModelsParams are the parameters of ctx/models.
//
//wire:reads
type ModelsParams struct {
	Query string `json:"query,omitempty"` // a name or a part of an id; default everything
}

// ModelsAnswer is the result of ctx/models.
//
//wire:writes matching
type ModelsAnswer struct {
	Models []Model `json:"models" write:"writeModels(w, s.query)"`
}

// Model is a model in the registry.
//
//wire:writes model.Model
type Model struct {
	ID        string `json:"id"`
	Provider  string `json:"provider"`
	Window    *int64 `json:"window" from:"orUnknown(s.Window)"`
	Input     *int64 `json:"input" from:"orUnknown(s.Input)"`
	Output    *int64 `json:"output" from:"orUnknown(s.Output)"`
	Sharing   string `json:"sharing" from:"s.Sharing()"` // "shared" or "separate"
	Encoding  string `json:"encoding"`                   // "" if it is not public
	Family    string `json:"family"`                     // family of tokenizers
	Reasoning string `json:"reasoning" from:"s.Reasoning.String()"`
	Source    string `json:"source"` // where the numbers were found
	Date      string `json:"date"`   // when they were found
}

// LearnedParams are the parameters of ctx/learned/set.
//
//wire:reads
type LearnedParams struct {
	Learned SavedLessons `json:"learned"` // as ctx/learned/get returned it; null or {} drops everything
}

// LearnedAnswer is the result of ctx/learned/get.
//
//wire:writes Core
type LearnedAnswer struct {
	Learned Learned `json:"learned" from:"s"`
}

// Learned are the corrections learned from earlier and open sessions, for the host to store. They contain no text.
//
//wire:writes Core
type Learned struct {
	Lessons []Lesson       `json:"lessons" from:"s.lessons"` // the oldest first
	Limits  []LimitsLesson `json:"limits" from:"s.limits"`   // limits shown by sessions
}

// LimitsLesson is the compaction threshold, the window, the reserve and the size after a compaction as shown by
// sessions: those with the same agent, version up to its second number, model and workspace.
//
//wire:writes core.LimitsLesson
type LimitsLesson struct {
	Key   string `json:"key" from:"strconv.FormatUint(s.Key, 16)"` // a fingerprint of the kind
	Agent string `json:"agent"`
	Model string `json:"model"`
	// The rule's threshold and the limit, which are the settings that the rest belongs to.
	Rule      *int64  `json:"rule"`
	Limit     *int64  `json:"limit"`
	Compacted int64   `json:"compacted"` // the smallest prompt that the agent compacted automatically; 0 without one
	Refuted   bool    `json:"refuted"`   // requests passed the rule's threshold
	Base      *int64  `json:"base"`      // the limit that a refusal or accepted prompts corrected; null if none did
	Window    *int64  `json:"window"`    // the corrected total
	Input     *int64  `json:"input"`     // the corrected largest prompt
	Reserve   int64   `json:"reserve"`   // reserved by a refused request; 0 if none was
	Landings  []int64 `json:"landings"`  // prompts after compactions, the oldest first
	// Fingerprints of the sessions that showed the threshold, and of the last session.
	Sessions []string `json:"sessions" write:"writeFingerprints(w, s.Sessions)"`
	Last     string   `json:"last" from:"strconv.FormatUint(s.Last, 16)"`
	At       *Time    `json:"at"` // when the last session measured last
}

// Lesson are the corrections learned from sessions of one kind: an agent, its version, a model and a workspace.
//
//wire:writes core.Lesson
type Lesson struct {
	Key       string        `json:"key" from:"strconv.FormatUint(s.Key, 16)"`     // a fingerprint of the kind
	Place     string        `json:"place" from:"strconv.FormatUint(s.Place, 16)"` // a fingerprint of the agent and the workspace; 0 if unknown
	Agent     string        `json:"agent"`
	Model     string        `json:"model"`
	Session   string        `json:"session" from:"strconv.FormatUint(s.Session, 16)"` // a fingerprint of the last session
	Bases     []int64       `json:"bases"`                                            // residuals of first prompts
	AfterBase *int64        `json:"afterBase"`                                        // residual of the second request
	Second    *int64        `json:"second"`                                           // unrecorded tokens of the second request after a compaction
	Actual    int64         `json:"actual"`                                           // actual tokens of estimated texts
	Estimated int64         `json:"estimated"`                                        // estimates of these texts
	Reasoning ReasoningMode `json:"reasoning" from:"s.Mode"`
	Steps     int64         `json:"steps"`
	At        *Time         `json:"at"` // time of the last measurement
	// Tokens of system, tools, mcpTools, skills, agents, memory and documents, as set by the host; empty if none were
	// set.
	Rows  []int64 `json:"rows"`
	Paces []Pace  `json:"paces"` // growth of the last sessions, the oldest first
}

// Pace is the growth of a session: its tokens, in how many steps from one request to the next, and its requests, in how
// many turns.
//
//wire:writes core.Pace
type Pace struct {
	Tokens   int64 `json:"tokens"`
	Steps    int64 `json:"steps"`
	Requests int64 `json:"requests"`
	Turns    int64 `json:"turns"`
}

// Refused is the shape of an error.
//
//wire:writes Error
type Refused struct {
	Code    int64       `json:"code" from:"Code(s.Kind)"`
	Message string      `json:"message"` // a message for users
	Data    RefusedData `json:"data" from:"s"`
}

// RefusedData is the message of a refusal in a form for programs.
//
//wire:writes Error
type RefusedData struct {
	Kind  ErrorKind `json:"kind" write:"w.Plain(s.Kind)"`
	Field string    `json:"field,omitempty"` // the parameter that was wrong
	Name  string    `json:"name,omitempty"`  // the session, method or vocabulary
	Known []string  `json:"known,omitempty"` // the accepted words
}
