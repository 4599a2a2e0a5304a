// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// secretName is the name of the file with the secret, below the state directory.
const secretName = "secret"

// secretBytes is how many random bytes the secret has. It is stored in hexadecimal digits.
const secretBytes = 32

// Secret returns the user's secret: the key for the digests of messages in ledgers, so that texts cannot be guessed
// from a ledger alone. The first call creates it; it is "" if it cannot be stored.
func (s *Ledgers) Secret() string {
	s.secretOnce.Do(func() { s.secret = secretIn(s) })
	return s.secret
}

func secretIn(s *Ledgers) string {
	path := filepath.Join(s.base, secretName)
	if kept, ok := readSecret(path); ok {
		return kept
	}
	bytes := make([]byte, secretBytes)
	_, _ = rand.Read(bytes) // never fails
	fresh := hex.EncodeToString(bytes)
	if s.makeFolders(s.base) != nil {
		return ""
	}
	f, err := os.CreateTemp(s.base, "secret-*")
	if err != nil {
		return ""
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(fresh)
	if closed := f.Close(); err != nil || closed != nil {
		return ""
	}
	// A link is created atomically, so no daemon reads a secret that another one has half written.
	err = os.Link(f.Name(), path)
	if errors.Is(err, fs.ErrExist) {
		if kept, ok := readSecret(path); ok {
			return kept
		}
	}
	if err != nil && os.Rename(f.Name(), path) != nil {
		return ""
	}
	kept, _ := readSecret(path)
	return kept
}

// readSecret reads a secret; ok is false for a file that is missing or damaged.
func readSecret(path string) (secret string, ok bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != 2*secretBytes {
		return "", false
	}
	text, err := os.ReadFile(path)
	if err != nil || len(text) != 2*secretBytes {
		return "", false
	}
	if _, err := hex.DecodeString(string(text)); err != nil {
		return "", false
	}
	return string(text), true
}
