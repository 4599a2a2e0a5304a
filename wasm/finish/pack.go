// Copyright The ctx-lsp authors. MIT licence.

package finish

// Packed bytes are a row of steps. A step is a byte, of which
//
//	the high three bits are the number of literals
//	the middle four are the length of a copy, less minCopy
//	the lowest says that the copy comes from as far back as the one before
//
// then what of the number of literals is more than 6, in bytes of 255 and a rest; the literals; how far back the copy
// comes from, in groups of seven bits, the low ones first; and what of the length is more than 14, as before.
// A step without a copy is the last: it has the distance 0.
const (
	minCopy      = 3
	mostLiterals = 7
	mostLength   = 15
	sameDistance = 1
)

// pack packs bytes.
func pack(in []byte) []byte {
	m := newMatcher(in)
	var out []byte
	literals, before := 0, 0
	for at := 0; at < len(in); {
		length, distance := m.best(at, before)
		if length == 0 {
			m.add(at)
			at++
			continue
		}
		// A longer copy one byte later is better.
		if at+1 < len(in) {
			m.add(at)
			if next, back := m.best(at+1, before); worth(next, back, before) > worth(length, distance, before)+1 {
				at++
				continue
			}
			for i := at + 1; i < at+length; i++ {
				m.add(i)
			}
		}
		out = appendStep(out, in[literals:at], length, distance, distance == before)
		before = distance
		at += length
		literals = at
	}
	return appendStep(out, in[literals:], minCopy, 0, false)
}

func appendStep(out, literals []byte, length, distance int, same bool) []byte {
	length -= minCopy
	step := byte(min(len(literals), mostLiterals)<<5 | min(length, mostLength)<<1)
	if same {
		step |= sameDistance
	}
	out = append(out, step)
	out = appendMore(out, len(literals)-mostLiterals)
	out = append(out, literals...)
	if !same {
		out = appendNumber(out, uint64(distance))
	}
	return appendMore(out, length-mostLength)
}

func appendMore(out []byte, n int) []byte {
	if n < 0 {
		return out
	}
	for ; n >= 255; n -= 255 {
		out = append(out, 255)
	}
	return append(out, byte(n))
}

// worth is how many bytes a copy saves.
func worth(length, distance, before int) int {
	switch {
	case length == 0:
		return 0
	case distance == before:
		return length - 1
	case distance < 1<<7:
		return length - 2
	case distance < 1<<14:
		return length - 3
	case distance < 1<<21:
		return length - 4
	}
	return length - 5
}

// A matcher finds earlier places that begin alike.
type matcher struct {
	in    []byte
	first []int32 // by hash, the newest place
	older []int32 // by place, the one before it of the same hash
}

const (
	matchBits = 16
	tries     = 256
)

func newMatcher(in []byte) *matcher {
	m := &matcher{in: in, first: make([]int32, 1<<matchBits), older: make([]int32, len(in))}
	for i := range m.first {
		m.first[i] = -1
	}
	return m
}

func (m *matcher) hash(at int) uint32 {
	return (uint32(m.in[at]) | uint32(m.in[at+1])<<8 | uint32(m.in[at+2])<<16) * 0x9E3779B1 >> (32 - matchBits)
}

func (m *matcher) add(at int) {
	if at+minCopy <= len(m.in) {
		h := m.hash(at)
		m.older[at], m.first[h] = m.first[h], int32(at)
	}
}

func (m *matcher) length(at, from int) int {
	n := 0
	for at+n < len(m.in) && m.in[at+n] == m.in[from+n] {
		n++
	}
	return n
}

// best is the copy that saves most at a place; 0 if none saves anything.
func (m *matcher) best(at, before int) (length, distance int) {
	if at+minCopy > len(m.in) {
		return 0, 0
	}
	most := 0
	try := func(from int) {
		if n := m.length(at, from); n >= minCopy {
			if w := worth(n, at-from, before); w > most {
				most, length, distance = w, n, at-from
			}
		}
	}
	if before > 0 && before <= at {
		try(at - before)
	}
	from := m.first[m.hash(at)]
	for range tries {
		if from < 0 || length > 1<<10 {
			break
		}
		try(int(from))
		from = m.older[from]
	}
	return length, distance
}

// The locals of the function that unpacks.
const (
	localFrom = iota
	localTo
	localStep
	localCount
	localDistance
	localByte
	localShift
	unpackLocals
)

// unpacker is the body of a function that unpacks the bytes from..end to a place and clears them.
func unpacker(from, end, to uint32) []byte {
	f := assembler{code: []byte{1, unpackLocals, typeI32}}
	f.constant(from).set(localFrom)
	f.constant(to).set(localTo)
	f.op(opLoop, noValue)
	f.next(localStep)

	f.get(localStep).constant(5).op(opI32ShrU).set(localCount)
	f.more(mostLiterals)
	f.op(opBlock, noValue, opLoop, noValue)
	f.get(localCount).op(opI32Eqz, opBrIf, 1)
	f.get(localTo).next(localByte).get(localByte).op(opI32Store8, 0, 0)
	f.add(localTo, 1).add(localCount, -1)
	f.op(opBr, 0, opEnd, opEnd)

	f.get(localStep).constant(sameDistance).op(opI32And, opI32Eqz, opIf, noValue)
	f.constant(0).set(localDistance)
	f.constant(0).set(localShift)
	f.op(opLoop, noValue)
	f.next(localByte)
	f.get(localDistance).get(localByte).constant(0x7f).op(opI32And).get(localShift).op(opI32Shl, opI32Or).set(localDistance)
	f.add(localShift, 7)
	f.get(localByte).constant(0x80).op(opI32And, opBrIf, 0)
	f.op(opEnd, opEnd)

	f.get(localDistance).op(opIf, noValue) // else it was the last step
	f.get(localStep).constant(1).op(opI32ShrU).constant(mostLength).op(opI32And).set(localCount)
	f.more(mostLength)
	f.add(localCount, minCopy)
	f.op(opLoop, noValue)
	f.get(localTo).get(localTo).get(localDistance).op(opI32Sub).op(opI32Load8U, 0, 0).op(opI32Store8, 0, 0)
	f.add(localTo, 1).add(localCount, -1)
	f.get(localCount).op(opBrIf, 0, opEnd)
	f.op(opBr, 1, opEnd, opEnd)

	f.constant(from).set(localFrom)
	f.op(opLoop, noValue)
	f.get(localFrom).constant(0).op(opI32Store8, 0, 0)
	f.add(localFrom, 1)
	f.get(localFrom).constant(end).op(opI32LtU, opBrIf, 0, opEnd)
	return append(f.code, opEnd)
}

// An assembler writes instructions.
type assembler struct{ code []byte }

func (f *assembler) op(code ...byte) *assembler {
	f.code = append(f.code, code...)
	return f
}

func (f *assembler) get(local byte) *assembler { return f.op(opLocalGet, local) }
func (f *assembler) set(local byte) *assembler { return f.op(opLocalSet, local) }

func (f *assembler) constant(n uint32) *assembler {
	f.code = appendSigned(append(f.code, opI32Const), int64(int32(n)))
	return f
}

func (f *assembler) add(local byte, n int32) *assembler {
	return f.get(local).constant(uint32(n)).op(opI32Add).set(local)
}

// next reads a packed byte into a local.
func (f *assembler) next(local byte) *assembler {
	f.get(localFrom).op(opI32Load8U, 0, 0).set(local)
	return f.add(localFrom, 1)
}

// more adds to the count what its most does not say.
func (f *assembler) more(most uint32) {
	f.get(localCount).constant(most).op(opI32Eq, opIf, noValue, opLoop, noValue)
	f.next(localByte)
	f.get(localCount).get(localByte).op(opI32Add).set(localCount)
	f.get(localByte).constant(255).op(opI32Eq, opBrIf, 0, opEnd, opEnd)
}
