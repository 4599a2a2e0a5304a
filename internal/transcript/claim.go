// Copyright The ctx-lsp authors. MIT licence.

package transcript

import "time"

// A Claim is an agent's own record of one of its processes, with the session that the process began or resumed. A
// command that begins another session may leave the claim unchanged.
type Claim struct {
	Agent      string
	PID        int
	Session    string
	Dir        string
	Started    time.Time
	Updated    time.Time // when the claim was last written
	Status     string    // busy, idle or waiting; "" in versions that do not write it
	WaitingFor string
}
