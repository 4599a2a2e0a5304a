// Copyright The ctx-lsp authors. MIT licence.

package configfile

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// Values are settings by their names.
type Values = map[string]string

// A File is a file of settings, or one of a workspace, whose links lead nowhere outside of it.
// One that has a text is that text.
type File struct{ Folder, Name, Text string }

// Read reads the file as JSON, in which people write comments.
func (file File) Read() (json.Value, bool) {
	text, ok := file.Content()
	if !ok {
		return json.Value{}, false
	}
	return ParseJSON(text)
}

// Content returns the text of a file that is small.
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

// ReadJSON reads a small file of settings.
func ReadJSON(path string) (json.Value, bool) {
	text, ok := safefile.Small(path)
	if !ok {
		return json.Value{}, false
	}
	return ParseJSON(text)
}

// ParseJSON reads settings, in which people write comments.
func ParseJSON(text []byte) (json.Value, bool) {
	v, err := json.Parse(text)
	if err != nil {
		v, err = json.Parse(json.WithoutComments(text))
	}
	return v, err == nil
}

// Scalar is a value as text, as the agents' rules need it.
func Scalar(v json.Value) (string, bool) {
	switch v.Kind() {
	case json.String:
		return v.String(), v.TextLen() < 200
	case json.Number, json.Bool:
		return string(v.Raw()), true
	}
	return "", false
}

// JSON adds those values of a file of settings that are named, each by the keys that lead to it, with dots between.
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

// Refused returns the path of a file that is there and is not read: it is not a regular file, or a link out of its
// folder.
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
