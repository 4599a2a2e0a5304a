// Copyright The ctx-lsp authors. MIT licence.

package source

import "time"

// databasePatience is how long one read of a database may take. It is bounded because a malicious file may contain a
// table that is really an endless view.
var databasePatience = storePatience

// storePatience is how long a store may take to answer; one that takes longer is left out and named.
const storePatience = 5 * time.Second

const (
	// mostSessions and mostRows bound how many rows are read of a table, and mostBytes how much they may hold.
	mostSessions = 100_000
	mostRows     = 1 << 20
	mostBytes    = 256 << 20
)
