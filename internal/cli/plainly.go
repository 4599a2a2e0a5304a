// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/ctx-lsp/ctx-lsp/internal/textfiles"
)

// plainly words an error for a person. What the system says of a file ("open x: no such file or directory") and what a
// library says of JSON ("unexpected end of JSON input") becomes a sentence; the rest of the error stays.
func plainly(err error) string {
	text := err.Error()
	say := func(part error, sentence string) { text = strings.Replace(text, part.Error(), sentence, 1) }
	var about *fs.PathError
	var number syscall.Errno
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &about):
		say(about, aboutFile(about.Path, about.Err))
	case errors.As(err, &number) && errors.Is(number, fs.ErrNotExist):
		say(number, "there is no such file")
	case errors.As(err, &number) && errors.Is(number, fs.ErrPermission):
		say(number, "permission denied")
	}
	switch {
	case errors.As(err, &syntax) && strings.HasPrefix(syntax.Error(), "unexpected end"):
		say(syntax, "the JSON is incomplete")
	case errors.As(err, &syntax):
		say(syntax, fmt.Sprintf("the JSON is malformed at byte %d", syntax.Offset))
	case errors.As(err, &kind) && kind.Field != "":
		say(kind, fmt.Sprintf("its %q has the wrong type: %s", kind.Field, withArticle(kind.Value)))
	case errors.As(err, &kind):
		say(kind, "the JSON is "+withArticle(kind.Value))
	}
	return text
}

// withArticle is the name of a kind of JSON as a sentence has it: an array, a string.
func withArticle(kind string) string {
	if strings.HasPrefix(kind, "array") || strings.HasPrefix(kind, "object") {
		return "an " + kind
	}
	return "a " + kind
}

// inSentence says what is the matter with a file that a person has named.
func inSentence(name string, err error) string {
	var about *fs.PathError
	if errors.As(err, &about) {
		return aboutFile(name, about.Err)
	}
	for _, known := range []error{fs.ErrNotExist, fs.ErrPermission, syscall.EISDIR, syscall.ENOTDIR} {
		if errors.Is(err, known) {
			return aboutFile(name, err)
		}
	}
	return name + ": " + err.Error()
}

// aboutFile says in a sentence what is the matter with a file.
func aboutFile(path string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if folder := filepath.Dir(path); !exists(folder) { // what was to be written there is new anyway
			return "there is no file " + path + ": its directory " + folder + " does not exist"
		}
		return "there is no file " + path
	case errors.Is(err, fs.ErrPermission):
		return path + " cannot be opened: permission denied"
	case errors.Is(err, syscall.EISDIR):
		return path + " is a directory"
	case errors.Is(err, syscall.ENOTDIR):
		return "a part of " + path + " is not a directory"
	}
	return path + ": " + err.Error()
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// textFiles returns the files that a user names as arguments.
func (env *environment) textFiles() *textfiles.Files {
	return &textfiles.Files{
		Dir: env.Dir, Stdin: env.input,
		Problem: func(sentence string) { env.errorf("%s", sentence) },
		Failed:  func(name string, err error) { env.errorf("%s", inSentence(name, err)) },
	}
}

// resolve returns the full path of a file that a user names.
func (env *environment) resolve(name string) string { return env.textFiles().Resolve(name) }

// fileError puts an error about a text into a sentence.
func (env *environment) fileError(err error) error {
	var of *textfiles.FileError
	switch {
	case !errors.As(err, &of):
		return err
	case errors.Is(of.Err, textfiles.ErrBinary):
		return fmt.Errorf("%s is not text", env.name(of.Path))
	}
	return errors.New(inSentence(env.name(of.Path), of.Err))
}
