// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"time"
)

// A state is what a look at a file tells.
type state struct {
	size     int64
	modified time.Time
}
