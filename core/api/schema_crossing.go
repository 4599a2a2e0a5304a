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
	Reading Foreign `json:"reading" read:"raw"`         // a Reading as it was received
	State   string  `json:"state,omitempty" read:"raw"` // state of the result for the previous Reading; absent for a session's first
}

// CrossingAnswer reports whether a level was crossed. If none was, only state is set.
type CrossingAnswer struct {
	State     string   `json:"state"` // to be sent with the session's next Reading
	Level     Level    `json:"level,omitempty"`
	Before    Level    `json:"before,omitempty"`
	Crossed   Crossing `json:"crossed,omitempty"`
	First     bool     `json:"first,omitempty"` // up, to a level that the session has not reached before
	Compacted bool     `json:"compacted,omitempty"`
}
