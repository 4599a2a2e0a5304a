// Copyright The ctx-lsp authors. MIT licence.

package interrupt

import "errors"

// The hook is a function that the module calls every hookPeriod loop iterations, through a slot at the end of its
// table. It does nothing until a host puts its own function into the slot, which may check the clock and trap.

const (
	// hookPeriod is the number of loop iterations between two calls of the hook, which take one to three milliseconds.
	hookPeriod = 1 << 18
	// hookTable is the name of the exported table.
	hookTable = "hooks"
)

// patch adds a hook to the module and returns the hook's slot in the table.
func patch(sections []section) (out []section, slot uint32, err error) {
	code := find(sections, codeSection)
	if code == nil || find(sections, typeSection) == nil || find(sections, functionSection) == nil || find(sections, exportSection) == nil {
		return nil, 0, errors.New("the module has no code, or exports nothing")
	}
	importedFunctions, importedGlobals, importedTables, err := imported(sections)
	if err != nil {
		return nil, 0, err
	}
	if importedTables > 0 {
		return nil, 0, errors.New("the module imports a table")
	}
	add := func(id byte, entry []byte) (index uint32) {
		s := find(sections, id)
		if s == nil {
			sections = insert(sections, section{id, []byte{0}})
			s = find(sections, id)
		}
		var fault error
		if index, s.body, fault = push(s.body, entry); fault != nil && err == nil {
			err = fault
		}
		return index
	}
	kind := add(typeSection, []byte{typeFunction, 0, 0})
	idle := importedFunctions + add(functionSection, appendNumber(nil, uint64(kind)))
	look := importedFunctions + add(functionSection, appendNumber(nil, uint64(kind)))
	counter := importedGlobals + add(globalSection, append(appendSigned([]byte{typeI32, 1, opI32Const}, hookPeriod), opEnd))
	if find(sections, tableSection) == nil {
		add(tableSection, []byte{typeFuncref, 0, 0})
	}
	table := find(sections, tableSection)
	if slot, table.body, err = widen(table.body); err != nil {
		return nil, 0, err
	}
	add(exportSection, append(append(appendNumber(nil, uint64(len(hookTable))), hookTable...), 1, 0))
	element := append(appendSigned([]byte{0, opI32Const}, int64(slot)), opEnd, 1)
	add(elementSection, appendNumber(element, uint64(idle)))

	// The code at the start of each loop: counter--; if counter == 0 { look() }
	head := appendNumber([]byte{opGlobalGet}, uint64(counter))
	head = append(head, opI32Const, 1, opI32Sub, opGlobalSet)
	head = appendNumber(head, uint64(counter))
	head = appendNumber(append(head, opGlobalGet), uint64(counter))
	head = append(head, opI32Eqz, opIf, noValue, opCall)
	head = append(appendNumber(head, uint64(look)), opEnd)
	code = find(sections, codeSection)
	if code.body, err = atLoops(code.body, head); err != nil {
		return nil, 0, err
	}
	add(codeSection, []byte{2, 0, opEnd}) // idle
	// The code of look: counter = period; hook()
	body := appendSigned([]byte{0, opI32Const}, hookPeriod)
	body = appendNumber(append(body, opGlobalSet), uint64(counter))
	body = appendSigned(append(body, opI32Const), int64(slot))
	body = appendNumber(append(body, opCallIndirect), uint64(kind))
	body = append(body, 0, opEnd)
	add(codeSection, append(appendNumber(nil, uint64(len(body))), body...))
	return sections, slot, err
}

// widen adds a slot to the module's only table.
func widen(body []byte) (slot uint32, out []byte, err error) {
	r := &reader{rest: body}
	count, kind, flags, least := r.number(), r.byte(), r.byte(), r.number()
	out = appendNumber([]byte{1, kind, flags}, least+1)
	if flags&1 != 0 {
		out = appendNumber(out, r.number()+1)
	}
	if r.err == nil && (count != 1 || kind != typeFuncref || len(r.rest) != 0) {
		r.fail("the module has a table that is not its one table of functions")
	}
	return uint32(least), out, r.err
}

// atLoops inserts instructions at the start of every loop.
func atLoops(code, head []byte) ([]byte, error) {
	r := &reader{rest: code}
	count := r.number()
	out := appendNumber(make([]byte, 0, len(code)+len(code)/16), count)
	var function []byte
	for range count {
		body := &reader{rest: r.bytes(r.number())}
		function = function[:0]
		start := body.rest
		for range body.number() { // groups of locals
			body.number()
			body.byte()
		}
		function = append(function, start[:len(start)-len(body.rest)]...)
		for len(body.rest) > 0 {
			start := body.rest
			loop := skipInstruction(body)
			function = append(function, start[:len(start)-len(body.rest)]...)
			if loop {
				function = append(function, head...)
			}
		}
		if body.err != nil {
			return nil, body.err
		}
		out = appendNumber(out, uint64(len(function)))
		out = append(out, function...)
	}
	return out, r.err
}

// skipInstruction reads one instruction and reports whether it starts a loop.
func skipInstruction(r *reader) (loop bool) {
	op := r.byte()
	switch {
	case op == opLoop:
		r.signed()
		return true
	case op == 0x02 || op == opIf: // block
		r.signed()
	case op == 0x0c || op == opBrIf || op == opCall || op == 0x12: // br, calls
		r.number()
	case op == 0x0e: // br_table
		for range r.number() {
			r.number()
		}
		r.number()
	case op == opCallIndirect || op == 0x13:
		r.number()
		r.number()
	case op == 0x1c: // select with types
		for range r.number() {
			r.byte()
		}
	case op >= opLocalGet && op <= 0x26: // locals, globals, tables
		r.number()
	case op >= 0x28 && op <= 0x3e: // loads, stores
		r.number()
		r.number()
	case op == 0x3f || op == 0x40: // memory.size, memory.grow
		r.number()
	case op == opI32Const || op == 0x42:
		r.signed()
	case op == 0x43:
		r.bytes(4)
	case op == 0x44:
		r.bytes(8)
	case op == 0xd0: // ref.null
		r.signed()
	case op == 0xd2: // ref.func
		r.number()
	case op == 0xfc:
		switch sub := r.number(); {
		case sub <= 7: // saturating conversions
		case sub == 9 || sub == 11 || sub == 13 || sub >= 15 && sub <= 17: // data.drop, memory.fill, elem.drop, table.*
			r.number()
		case sub == 8 || sub == 10 || sub == 12 || sub == 14: // memory.init, memory.copy, table.init, table.copy
			r.number()
			r.number()
		default:
			r.fail("the module contains the unknown instruction 0xfc %d", sub)
		}
	case op <= 0x01 || op == 0x05 || op == opEnd || op == 0x0f || op == 0x1a || op == 0x1b || op >= opI32Eqz && op <= 0xc4 || op == 0xd1:
		// no operands
	default:
		r.fail("the module contains the unknown instruction 0x%02x", op)
	}
	return false
}
