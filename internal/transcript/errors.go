// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"fmt"
	"os"
)

// Survive is deferred where a file is read; it turns a panic into an error.
func Survive(err *error) {
	if fault := recover(); fault != nil {
		*err = fmt.Errorf("reading it failed with an internal error: %v", fault)
	}
}

func IsAbsent(err error) bool { return os.IsNotExist(err) }
