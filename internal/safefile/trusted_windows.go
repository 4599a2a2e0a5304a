// Copyright The ctx-lsp authors. MIT licence.

package safefile

import (
	"fmt"
	"os"
	"path/filepath"
)

// Trusted returns an error for a directory that is a link. The permissions of the user's profile protect everything
// below it. The directory need not exist.
func Trusted(dir string) error {
	if !filepath.IsAbs(dir) {
		return fmt.Errorf("%s is not a full path", dir)
	}
	info, err := os.Lstat(dir)
	switch {
	case os.IsNotExist(err):
		return nil
	case err != nil:
		return err
	case info.Mode()&(os.ModeSymlink|os.ModeIrregular) != 0:
		return fmt.Errorf("%s is a link", dir)
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	}
	return nil
}
