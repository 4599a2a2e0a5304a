// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/ctx-lsp/ctx-lsp/internal/textfiles"
)

// plainError words an error for users. It replaces system errors about files ("open x: no such file or directory") and
// library errors about JSON ("unexpected end of JSON input") with plain messages; the rest of the error stays.
func plainError(err error) string {
	text := err.Error()
	replace := func(part error, sentence string) { text = strings.Replace(text, part.Error(), sentence, 1) }
	var about *fs.PathError
	var number syscall.Errno
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &about):
		replace(about, textfiles.AboutFile(about.Path, about.Err))
	case errors.As(err, &number) && errors.Is(number, fs.ErrNotExist):
		replace(number, "there is no such file")
	case errors.As(err, &number) && errors.Is(number, fs.ErrPermission):
		replace(number, "permission denied")
	}
	switch {
	case errors.As(err, &syntax) && strings.HasPrefix(syntax.Error(), "unexpected end"):
		replace(syntax, "the JSON is incomplete")
	case errors.As(err, &syntax):
		replace(syntax, fmt.Sprintf("the JSON is malformed at byte %d", syntax.Offset))
	case errors.As(err, &kind) && kind.Field != "":
		replace(kind, fmt.Sprintf("its %q has the wrong type: %s", kind.Field, withArticle(kind.Value)))
	case errors.As(err, &kind):
		replace(kind, "the JSON is "+withArticle(kind.Value))
	}
	return text
}

// withArticle returns the name of a JSON kind with its article: an array, a string.
func withArticle(kind string) string {
	if strings.HasPrefix(kind, "array") || strings.HasPrefix(kind, "object") {
		return "an " + kind
	}
	return "a " + kind
}

// textFiles returns the files that a user names as arguments.
func (env *environment) textFiles() *textfiles.Files {
	return &textfiles.Files{
		Dir: env.Dir, Stdin: env.input,
		Problem: func(sentence string) { env.errorf("%s", sentence) },
		Failed:  func(name string, err error) { env.errorf("%s", textfiles.Sentence(name, err)) },
		Unpack: func(ctx context.Context, path string) (string, error) {
			if env.unpacked == nil || !isArchive(path) && !isCompressed(path) {
				return "", nil
			}
			return env.unpackedFor(ctx, path)
		},
	}
}

// resolve returns the full path of a file that a user names.
func (env *environment) resolve(name string) string { return env.textFiles().Resolve(name) }

// fileError puts an error about a text into a sentence.
func (env *environment) fileError(err error) error { return textfiles.InSentence(err, env.name) }
