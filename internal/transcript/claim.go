// Copyright The ctx-lsp authors. MIT licence.

package transcript

import "time"

// A Claim is what an agent writes about one of its processes: the session that the process began or resumed with. A
// command that begins another session may leave it as it was.
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
