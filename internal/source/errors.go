// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"fmt"
	"os"
)

// survive is deferred where a file is read; it turns a panic into an error.
func survive(err *error) {
	if fault := recover(); fault != nil {
		*err = fmt.Errorf("reading it failed with an internal error: %v", fault)
	}
}

func isAbsent(err error) bool { return os.IsNotExist(err) }
