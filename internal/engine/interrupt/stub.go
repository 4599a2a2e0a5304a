// Copyright The ctx-lsp authors. MIT licence.

package interrupt

import "errors"

// Stub returns a module that differs only in the code of its functions: each traps. wazero accepts it in place of the
// module if it has the compiled form of the module.
func Stub(module []byte) ([]byte, error) {
	sections, err := split(module)
	if err != nil {
		return nil, err
	}
	code := find(sections, codeSection)
	if code == nil {
		return nil, errors.New("the module has no code")
	}
	r := &reader{rest: code.body}
	functions := r.number()
	if r.err != nil || functions > uint64(len(r.rest)) {
		return nil, errors.New("the module is incomplete")
	}
	code.body = appendNumber(nil, functions)
	for range functions {
		code.body = append(code.body, 3, 0, opUnreachable, opEnd) // its length, and no variables
	}
	return join(sections), nil
}
