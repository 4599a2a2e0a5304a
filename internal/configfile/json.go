// Copyright The ctx-lsp authors. MIT licence.

package configfile

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// Values are settings by name.
type Values = map[string]string

// A File is a settings file, or with a Folder a file of a workspace, whose links must not lead out of it. If Text is
// set, it is used instead of the file's content.
type File struct{ Folder, Name, Text string }

// Read parses the file as JSON that may contain comments.
func (file File) Read() (json.Value, bool) {
	text, ok := file.Content()
	if !ok {
		return json.Value{}, false
	}
	return ParseJSON(text)
}

// Content returns the text of the file, and false if it cannot be read or is too large.
func (file File) Content() ([]byte, bool) {
	switch {
	case file.Text != "":
		return []byte(file.Text), true
	case file.Folder == "":
		return safefile.Small(file.Name)
	}
	f, err := safefile.Open(file.Folder, file.Name)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	return safefile.SmallText(f)
}

// ReadJSON parses a small settings file as JSON that may contain comments.
func ReadJSON(path string) (json.Value, bool) {
	text, ok := safefile.Small(path)
	if !ok {
		return json.Value{}, false
	}
	return ParseJSON(text)
}

// ParseJSON parses JSON that may contain comments.
func ParseJSON(text []byte) (json.Value, bool) {
	v, err := json.Parse(text)
	if err != nil {
		v, err = json.Parse(json.WithoutComments(text))
	}
	return v, err == nil
}

// Scalar returns a scalar as text, and false for an object, an array, null or a text that is too long.
func Scalar(v json.Value) (string, bool) {
	switch v.Kind() {
	case json.String:
		return v.String(), v.TextLen() < 200
	case json.Number, json.Bool:
		return string(v.Raw()), true
	}
	return "", false
}

// JSON adds the named values of a settings file to found. A name is the path of keys with dots between them.
func JSON(file File, found Values, names ...string) {
	v, ok := file.Read()
	if !ok {
		return
	}
	for _, name := range names {
		if text, ok := Scalar(v.Path(strings.Split(name, ".")...)); ok {
			found[name] = text
		}
	}
}

// Refused returns the path of an existing file that is not read because it is not a regular file or is a link out of
// its directory.
func (file File) Refused() (path string, yes bool) {
	f, err := safefile.Open(file.Folder, file.Name)
	if err == nil {
		f.Close()
		return "", false
	}
	path = filepath.Join(file.Folder, filepath.FromSlash(file.Name))
	_, err = os.Lstat(path)
	return path, err == nil
}
