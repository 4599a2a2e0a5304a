// Copyright The ctx-lsp authors. MIT licence.

package core

// A walker carries a session's state to a ledger or back. Each component has
// one walk over its fields that serves both directions, so that neither can
// forget a field that the other knows.
type walker struct {
	writing bool
	numbers []int64  // written so far, or not read yet
	names   []string // likewise
	version int      // of the ledger that is read
	damaged bool     // what was read cannot be a ledger; nothing of it is used
}

// has is true where the format has what a version of it brought.
func (w *walker) has(version int) bool { return w.writing || w.version >= version }

func (w *walker) int(p *int64) {
	if w.writing {
		w.grow(1)[0] = *p
		return
	}
	if len(w.numbers) == 0 {
		w.damaged = true
		return
	}
	*p, w.numbers = w.numbers[0], w.numbers[1:]
	if *p > 1<<56 || *p < -1<<56 {
		w.damaged, *p = true, 0
	}
}

// grow adds n numbers to be filled in. Only the length of the slice changes
// while there is capacity, so that no write barrier is paid for each number.
func (w *walker) grow(n int) []int64 {
	from := len(w.numbers)
	if cap(w.numbers)-from < n {
		w.numbers = append(make([]int64, 0, 2*cap(w.numbers)+n+512), w.numbers...)
	}
	w.numbers = w.numbers[:from+n]
	return w.numbers[from:]
}

// each walks numbers that are named one by one.
func (w *walker) each(numbers ...*int64) {
	for _, p := range numbers {
		w.int(p)
	}
}

// ints walks an array.
func (w *walker) ints(list []int64) {
	if w.writing {
		copy(w.grow(len(list)), list)
		return
	}
	for i := range list {
		w.int(&list[i])
	}
}

// length walks the length of a list, which is at most most.
func (w *walker) length(n, most int) int {
	v := int64(n)
	w.int(&v)
	if v < 0 || v > int64(most) {
		w.damaged = true
		return 0
	}
	return int(v)
}

// walkList walks a list: its length, then its elements.
func walkList[T any](w *walker, list *[]T, most int, walk func(*T, *walker)) {
	n := w.length(len(*list), most)
	if !w.writing {
		*list = (*list)[:0]
	}
	for i := 0; i < n && !w.damaged; i++ {
		if !w.writing {
			var empty T
			*list = append(*list, empty)
		}
		walk(&(*list)[i], w)
	}
}

// size walks a number that counts things in memory.
func (w *walker) size(p *int) {
	v := int64(*p)
	w.int(&v)
	*p = int(v)
	if v < -1<<31 || v > 1<<31-1 {
		w.damaged, *p = true, 0
	}
}

func (w *walker) sizes(numbers ...*int) {
	for _, p := range numbers {
		w.size(p)
	}
}

func (w *walker) byte(p *uint8) {
	v := int64(*p)
	w.int(&v)
	if v < 0 || v > 255 {
		w.damaged, v = true, 0
	}
	*p = uint8(v)
}

func (w *walker) bool(p *bool) {
	v := uint8(0)
	if *p {
		v = 1
	}
	w.byte(&v)
	*p = v == 1
}

func (w *walker) bools(flags ...*bool) {
	for _, p := range flags {
		w.bool(p)
	}
}

// below walks a number of an enumeration that has this many values. One that it
// does not have is damage, and is read as 0: it may be an index.
func (w *walker) below(p *uint8, values uint8) {
	w.byte(p)
	if !w.writing && *p >= values {
		w.damaged, *p = true, 0
	}
}

func (w *walker) basis(p *Basis) { w.below((*uint8)(p), uint8(MeasuredEstimated)+1) }

func (w *walker) kind(p *Kind) { w.below((*uint8)(p), uint8(kinds)) }

// hash walks a number of 64 bits in halves: JSON numbers of that size do not
// survive every reader.
func (w *walker) hash(p *uint64) {
	high, low := int64(*p>>32), int64(*p&(1<<32-1))
	w.int(&high)
	w.int(&low)
	*p = uint64(high)<<32 | uint64(low)&(1<<32-1)
}

func (w *walker) name(p *string) {
	if w.writing {
		w.names = append(w.names, *p)
		return
	}
	if len(w.names) == 0 {
		w.damaged = true
		return
	}
	*p, w.names = w.names[0], w.names[1:]
}

func (w *walker) eachName(names ...*string) {
	for _, p := range names {
		w.name(p)
	}
}

// inOrder walks numbers that stand in the ledger in another order than that
// of the walk: the number that is walked i-th is the order[i]-th.
func (w *walker) inOrder(order []uint8, walk func(*walker)) {
	var kept [64]int64
	part := walker{writing: w.writing, version: w.version, names: w.names, numbers: kept[:0]}
	if w.writing {
		walk(&part)
		to := w.grow(len(order))
		for i, place := range order {
			to[place] = part.numbers[i]
		}
		w.names = part.names
		return
	}
	if len(w.numbers) < len(order) {
		w.damaged = true
		return
	}
	for _, place := range order {
		part.numbers = append(part.numbers, w.numbers[place])
	}
	walk(&part)
	w.numbers, w.names, w.damaged = w.numbers[len(order):], part.names, w.damaged || part.damaged
}

// refuse marks a ledger as damaged where what was read cannot be. What is
// written is never refused: a session that is wrong must not be lost for it.
func (w *walker) refuse(impossible bool) {
	if impossible && !w.writing {
		w.damaged = true
	}
}
