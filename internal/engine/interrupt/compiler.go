// Copyright The ctx-lsp authors. MIT licence.

package interrupt

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// CompilerSection is the name of the custom section, the first of the module, with the name of its compiler.
const CompilerSection = "ctx-lsp.compiler"

// Start is how many bytes of a module contain the name of its compiler.
const Start = 256

// NameCompiler returns a module that starts with the name of its compiler.
func NameCompiler(in []byte, compiler string) ([]byte, error) {
	sections, err := split(in)
	if err != nil {
		return nil, err
	}
	if Compiler(in) != "" {
		return nil, errors.New("the module already names its compiler")
	}
	body := append(appendNumber(nil, uint64(len(CompilerSection))), CompilerSection...)
	out := join(append([]section{{customSection, append(body, compiler...)}}, sections...))
	if compiler == "" || Compiler(out[:min(Start, len(out))]) != compiler {
		return nil, fmt.Errorf("the compiler's name %q is empty or too long", compiler)
	}
	return out, nil
}

// Compiler returns the name of the compiler in the first bytes of a module, or "" if the module does not contain it.
func Compiler(module []byte) string {
	if len(module) <= len(header) || module[len(header)] != customSection {
		return ""
	}
	rest := module[len(header)+1:]
	size, n := binary.Uvarint(rest)
	if n <= 0 || size > uint64(len(rest)-n) {
		return ""
	}
	body := rest[n : n+int(size)]
	if customName(body) != CompilerSection {
		return ""
	}
	return string(body[1+len(CompilerSection):])
}
