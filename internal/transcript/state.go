// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"time"
)

// A state is what a look at a file tells.
type State struct {
	Size     int64
	Modified time.Time
}
