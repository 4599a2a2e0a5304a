// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// modulePath is the WebAssembly module that everything we publish contains.
const modulePath = "wasm/js/ctx.wasm"

var byTinyGo = regexp.MustCompile(`^\x00asm\x01\x00\x00\x00\x00.{1,5}ctx-lsp\.compilerTinyGo (\S+) with Go ([0-9.]+)`)

// linked returns the parts of the WebAssembly module that TinyGo links: its runtime, Go's standard library, and the C
// library's memcpy, memmove and memset. There are none in a module by Go, which contains only the standard library of
// the programs. LLVM's compiler-rt needs no notice in compiled code, by the exception to its license.
func linked(programsGo string) ([]part, error) {
	start, err := firstBytes(modulePath, 256)
	if err != nil {
		return nil, fmt.Errorf("%w (`make wasm` builds it)", err)
	}
	compiler := byTinyGo.FindSubmatch(start)
	if compiler == nil {
		return nil, nil
	}
	runtime, err := tinyGo(string(compiler[1]))
	if err != nil {
		return nil, err
	}
	all := []part{runtime}
	if version := string(compiler[2]); version != programsGo {
		std, err := standardLibrary(version)
		if err != nil {
			return nil, err
		}
		all = append(all, std)
	}
	library, err := cLibrary()
	return append(all, library), err
}

func firstBytes(path string, n int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, n))
}

func tinyGo(version string) (part, error) {
	const path = "github.com/tinygo-org/tinygo"
	out, err := exec.Command("go", "mod", "download", "-json", path+"@v"+version).Output() //nolint:gosec // the version is of our own module
	if err != nil {
		return part{}, fmt.Errorf("go mod download of TinyGo %s: %w", version, err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return part{}, err
	}
	texts, err := terms(module.Dir)
	return part{
		kind: "golang", name: path, version: "v" + version, in: "the module", licence: licence(texts), texts: texts,
		download: "https://pkg.go.dev/" + path + "@v" + version,
	}, err
}

// standardLibrary returns the standard library of a Go version other than that of the programs.
func standardLibrary(version string) (part, error) {
	env := exec.Command("go", "env", "GOROOT")
	env.Env = append(os.Environ(), "GOTOOLCHAIN=go"+version)
	root, err := env.Output()
	if err != nil {
		return part{}, fmt.Errorf("go env of Go %s: %w", version, err)
	}
	texts, err := terms(strings.TrimSpace(string(root)))
	return part{
		kind: "golang", name: "std", version: version, in: "the module", licence: licence(texts), texts: texts,
		download: "https://go.dev/dl/go" + version + ".src.tar.gz",
	}, err
}

// cLibrary returns the part of wasi-libc that is linked, which is musl's.
func cLibrary() (part, error) {
	const of = "/usr/share/doc/wasi-libc/copyright"
	body, err := os.ReadFile(of)
	if err != nil {
		return part{}, fmt.Errorf("%w (`make tinygo` installs the package wasi-libc)", err)
	}
	version, err := exec.Command("dpkg-query", "-W", "-f", "${Version}", "wasi-libc").Output()
	return part{
		kind: "deb/debian", name: "wasi-libc", version: string(version), in: "the module (memcpy, memmove and memset of musl)",
		licence: "MIT", texts: []text{{"copyright", string(body)}}, download: "https://packages.debian.org/wasi-libc",
	}, err
}
