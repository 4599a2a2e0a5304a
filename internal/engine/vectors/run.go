// Copyright The ctx-lsp authors. MIT licence.

package vectors

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Sums maps the [Key] of each vector to the SHA-256 digest of its results. Every engine must return the same results.
type Sums map[string]string

// SumsName is the name of the file with the digests, which is next to the vectors.
const SumsName = "answers.sum"

// Key returns the name of a vector in Sums.
func Key(file File, v Vector) string { return file.Name + ": " + v.Name }

// ReadSums reads the digests in a directory; if there is no file, it returns none.
func ReadSums(folder fs.FS) Sums {
	sums := Sums{}
	text, err := fs.ReadFile(folder, SumsName)
	if err != nil {
		return sums
	}
	for line := range strings.Lines(string(text)) {
		sum, key, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "  ")
		if ok && !strings.HasPrefix(line, "#") {
			sums[key] = sum
		}
	}
	return sums
}

// Text returns the content of the file with the digests.
func (s Sums) Text() []byte {
	keys := make([]string, 0, len(s))
	for key := range s {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	var out bytes.Buffer
	out.WriteString("# SHA-256 of the answers to each vector, a line feed after each. ctx-lsp conformance --update writes this file.\n")
	for _, key := range keys {
		fmt.Fprintf(&out, "%s  %s\n", s[key], key)
	}
	return out.Bytes()
}

// A Failure is a vector that an engine did not pass.
type Failure struct {
	Vector string `json:"vector"`
	Call   int    `json:"call"` // starts at 1; 0 for the whole vector
	Method string `json:"method,omitempty"`
	Why    string `json:"why"`
	Answer string `json:"answer,omitempty"`
}

func (f Failure) String() string {
	s := f.Vector
	if f.Call > 0 {
		s += fmt.Sprintf("\n    call %d, %s: ", f.Call, f.Method)
	} else {
		s += "\n    "
	}
	s += f.Why
	if f.Answer != "" {
		s += "\n    answer: " + f.Answer
	}
	return s
}

// A Core executes the calls of vectors: an engine, or a client of a daemon.
type Core interface {
	// Reset starts a new core for the next vector.
	Reset()
	Call(ctx context.Context, method string, params []byte) ([]byte, error)
}

// Run runs one vector on a new core. It returns the digest of the results, and the first problem with them.
func Run(ctx context.Context, core Core, v Vector) (sum string, failure *Failure) {
	core.Reset()
	digest := sha256.New()
	var saved []byte
	for i, c := range v.Calls {
		fail := func(why string, answer []byte) *Failure {
			const most = 4000
			return &Failure{Call: i + 1, Method: c.Method, Why: why, Answer: string(answer[:min(len(answer), most)])}
		}
		params, err := c.Message()
		if err != nil {
			return "", fail("its parameters cannot be built: "+err.Error(), nil)
		}
		params = bytes.ReplaceAll(params, []byte(`{"$saved":true}`), saved)
		answer, err := core.Call(ctx, c.Method, params)
		if err != nil {
			return "", fail(err.Error(), nil)
		}
		if ledger, ok := bytes.CutPrefix(answer, []byte(`{"result":{"ledger":`)); ok {
			saved = bytes.Clone(bytes.TrimSuffix(ledger, []byte("}}")))
		}
		digest.Write(answer)
		digest.Write([]byte{'\n'})
		if why := check(c, answer); why != "" && failure == nil {
			failure = fail(why, answer)
		}
	}
	return hex.EncodeToString(digest.Sum(nil)), failure
}
