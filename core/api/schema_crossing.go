// Copyright The ctx-lsp authors. MIT licence.

package api

// Crossing is the direction in which a level was crossed. With each crossing a
// front end withdraws its previous notification of the session.
//
//wire:words up down
type Crossing string

// CrossingParams are the parameters of ctx/crossing.
//
//wire:reads
type CrossingParams struct {
	Reading Foreign `json:"reading" read:"raw"` // a Reading as it came
	State   string  `json:"state,omitempty"`    // of the answer for the Reading before; absent for a session's first
}

// CrossingAnswer says whether a level was crossed. Only state is there where
// none was.
type CrossingAnswer struct {
	State     string   `json:"state"` // to be given with the session's next Reading
	Level     Level    `json:"level,omitempty"`
	Before    Level    `json:"before,omitempty"`
	Crossed   Crossing `json:"crossed,omitempty"`
	First     bool     `json:"first,omitempty"` // up, and never so far up before in this session
	Compacted bool     `json:"compacted,omitempty"`
}
