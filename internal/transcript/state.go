// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"time"
)

// State is a file's size and times.
type State struct {
	Size     int64
	Modified time.Time
}
