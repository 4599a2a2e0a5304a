// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// wheelTags are the platforms' names in wheels. A Linux program links to nothing, so it runs with both glibc and musl.
// Go's programs require macOS 12.
var wheelTags = map[string][]string{
	"linux/amd64":   {"manylinux2014_x86_64", "manylinux_2_17_x86_64", "musllinux_1_1_x86_64"},
	"linux/arm64":   {"manylinux2014_aarch64", "manylinux_2_17_aarch64", "musllinux_1_1_aarch64"},
	"darwin/amd64":  {"macosx_12_0_x86_64"},
	"darwin/arm64":  {"macosx_12_0_arm64"},
	"windows/amd64": {"win_amd64"},
	"windows/arm64": {"win_arm64"},
}

// A packed is a file in an archive.
type packed struct {
	name string
	body []byte
	mode int64
}

// wheels writes a wheel for each platform, with the client and the program, and an sdist that only prints instructions.
// The programs are in FOLDER/OS-ARCH.
func wheels(version, folder, notices, out string) error {
	when, err := epoch()
	if err != nil {
		return err
	}
	number, err := pythonVersion(version)
	if err != nil {
		return err
	}
	metadata, err := pythonMetadata(number)
	if err != nil {
		return err
	}
	client, err := pythonClient()
	if err != nil {
		return err
	}
	information := "ctx_lsp-" + number + ".dist-info/"
	for name, file := range map[string]string{"LICENSE": "LICENSE", "THIRD_PARTY_NOTICES.txt": notices} {
		body, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		client = append(client, packed{information + "licenses/" + name, body, 0o644})
	}
	client = append(client, packed{information + "METADATA", metadata, 0o644})
	for _, platform := range platforms {
		goos, goarch, _ := strings.Cut(platform, "/")
		program := "ctx-lsp"
		if goos == "windows" {
			program += ".exe"
		}
		body, err := os.ReadFile(filepath.Join(folder, goos+"-"+goarch, program))
		if err != nil {
			return err
		}
		tags := wheelTags[platform]
		described := "Wheel-Version: 1.0\nGenerator: ctx-lsp-release\nRoot-Is-Purelib: false\n"
		for _, tag := range tags {
			described += "Tag: py3-none-" + tag + "\n"
		}
		files := append(slices.Clone(client),
			packed{"ctx_lsp-" + number + ".data/scripts/" + program, body, 0o755},
			packed{information + "WHEEL", []byte(described), 0o644})
		name := fmt.Sprintf("ctx_lsp-%s-py3-none-%s.whl", number, strings.Join(tags, "."))
		if err := writeWheel(filepath.Join(out, name), information+"RECORD", files, when); err != nil {
			return err
		}
	}
	return sdist(number, metadata, out, when)
}

var release = regexp.MustCompile(`^(\d+\.\d+\.\d+)(?:-(alpha|beta|rc)\.(\d+))?$`)

// pythonVersion converts a version to Python's format: 0.2.0-rc.1 becomes 0.2.0rc1.
func pythonVersion(version string) (string, error) {
	parts := release.FindStringSubmatch(version)
	if parts == nil {
		return "", fmt.Errorf("the version %q has no form in Python; it must be like 0.2.0 or 0.2.0-rc.1", version)
	}
	return parts[1] + map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[parts[2]] + parts[3], nil
}

// pythonMetadata returns the description that PyPI shows.
func pythonMetadata(number string) ([]byte, error) {
	readme, err := os.ReadFile("python/README.md")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "Metadata-Version: 2.4\nName: ctx-lsp\nVersion: %s\n", number)
	for _, line := range []string{
		"Summary: How full the context window of your coding agent is, what fills it, and when it will be compacted",
		"Keywords: agents,claude code,codex,context window,tokens,compaction,langchain",
		"Author: The ctx-lsp authors",
		"License-Expression: MIT",
		"License-File: LICENSE",
		"License-File: THIRD_PARTY_NOTICES.txt",
		"Requires-Python: >=3.10",
		"Classifier: Environment :: Console",
		"Classifier: Intended Audience :: Developers",
		"Classifier: Operating System :: MacOS",
		"Classifier: Operating System :: Microsoft :: Windows",
		"Classifier: Operating System :: POSIX :: Linux",
		"Classifier: Programming Language :: Python :: 3",
		"Classifier: Typing :: Typed",
		"Project-URL: Homepage, " + home,
		"Project-URL: Documentation, " + home + "/blob/main/docs/hosts.md",
		"Project-URL: Changelog, " + home + "/blob/main/CHANGELOG.md",
		"Description-Content-Type: text/markdown",
	} {
		fmt.Fprintln(&out, line)
	}
	fmt.Fprintf(&out, "\n%s", readme)
	return out.Bytes(), nil
}

// pythonClient returns the files of the client.
func pythonClient() ([]packed, error) {
	var files []packed
	for _, pattern := range []string{"python/ctx_lsp/*.py", "python/ctx_lsp/py.typed"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			return nil, fmt.Errorf("there is no %s: %w", pattern, err)
		}
		for _, name := range names {
			body, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			files = append(files, packed{"ctx_lsp/" + path.Base(filepath.ToSlash(name)), body, 0o644})
		}
	}
	return files, nil
}

// writeWheel writes an archive, with a record that lists every file with its hash.
func writeWheel(file, record string, files []packed, when time.Time) error {
	slices.SortFunc(files, func(a, b packed) int {
		// Installers look for the metadata at the end of the archive.
		if inA, inB := strings.Contains(a.name, ".dist-info/"), strings.Contains(b.name, ".dist-info/"); inA != inB {
			return map[bool]int{true: 1, false: -1}[inA]
		}
		return strings.Compare(a.name, b.name)
	})
	var list bytes.Buffer
	for _, f := range files {
		sum := sha256.Sum256(f.body)
		fmt.Fprintf(&list, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.body))
	}
	fmt.Fprintf(&list, "%s,,\n", record)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.BestCompression)
	})
	for _, f := range append(files, packed{record, list.Bytes(), 0o644}) {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: when}
		header.SetMode(os.FileMode(f.mode))
		to, err := w.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := to.Write(f.body); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}

// sdist writes the archive that installers use if there is no wheel for a platform. Building it fails with
// instructions.
func sdist(number string, metadata []byte, out string, when time.Time) error {
	root := "ctx_lsp-" + number + "/"
	files := []packed{{root + "PKG-INFO", metadata, 0o644}}
	for name, file := range map[string]string{
		"pyproject.toml": "python/sdist/pyproject.toml", "nothing_to_build.py": "python/sdist/nothing_to_build.py",
		"LICENSE": "LICENSE", "README.md": "python/README.md",
	} {
		body, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		files = append(files, packed{root + name, bytes.ReplaceAll(body, []byte("0.0.0"), []byte(number)), 0o644})
	}
	slices.SortFunc(files, func(a, b packed) int { return strings.Compare(a.name, b.name) })
	var buffer bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&buffer, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(zipped)
	for _, f := range files {
		header := &tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.body)), ModTime: when, Format: tar.FormatPAX}
		if err := w.WriteHeader(header); err != nil {
			return err
		}
		if _, err := w.Write(f.body); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := zipped.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "ctx_lsp-"+number+".tar.gz"), buffer.Bytes(), 0o644)
}
