// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"fmt"
	"os"
)

// Survive turns a panic into an error. Functions that read files defer it.
func Survive(err *error) {
	if fault := recover(); fault != nil {
		*err = fmt.Errorf("reading it failed with an internal error: %v", fault)
	}
}

// IsAbsent reports whether an error means that a file does not exist.
func IsAbsent(err error) bool { return os.IsNotExist(err) }
