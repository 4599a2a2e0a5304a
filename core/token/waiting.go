package token

// Pieces that are not remembered wait for each other: the word table is asked for many of them at once, so that its memory,
// which is larger than the near caches, is waited for once and not for each.
type waiting struct {
	shorts        [waitingMax]uint64
	mediums       [waitingMax]mediumKey
	seen          [waitingMax]uint64 // what the word table has where a piece would be
	waitingShort  int
	waitingMedium int
	bytes         [16]byte
}

const waitingMax = 16

// short takes a piece by its key. It answers for those that waited, if there are enough of them.
func (w *waiting) short(t *Tokenizer, key uint64) int64 {
	w.shorts[w.waitingShort%waitingMax] = key
	if w.waitingShort++; w.waitingShort < waitingMax {
		return 0
	}
	return w.settleShorts(t)
}

func (w *waiting) medium(t *Tokenizer, a, b uint64) int64 {
	w.mediums[w.waitingMedium%waitingMax] = mediumKey{a, b}
	if w.waitingMedium++; w.waitingMedium < waitingMax {
		return 0
	}
	return w.settleMediums(t)
}

// settle answers for all that wait.
func (w *waiting) settle(t *Tokenizer) int64 { return w.settleShorts(t) + w.settleMediums(t) }

func (w *waiting) settleShorts(t *Tokenizer) int64 {
	keys := w.shorts[:w.waitingShort]
	w.waitingShort = 0
	words := t.words
	for i, key := range keys {
		w.seen[i] = words.short[key*hashFactor>>(words.shift&63)]
	}
	total := int64(0)
	for i, key := range keys {
		slot := &t.cache.short[hashShort(key)]
		if (*slot^key)&^countMask == 0 { // the same piece waited twice
			total += int64(*slot >> shortCount & 15)
			continue
		}
		n := int64(1)
		if w.seen[i] != key && !words.hasShort(key) {
			n = t.merge(w.text(key, 0, int(key>>shortLength)))
		}
		*slot = key | uint64(n)<<shortCount
		total += n
	}
	return total
}

func (w *waiting) settleMediums(t *Tokenizer) int64 {
	keys := w.mediums[:w.waitingMedium]
	w.waitingMedium = 0
	words := t.words
	// Not read again: it asks for the memory of all, before hasMedium waits for any.
	for i, key := range keys {
		w.seen[i] = words.medium[(key.a*hashFactor^key.b)*hashFactor>>(words.wide&63)].a
	}
	total := int64(0)
	for _, key := range keys {
		slot := &t.cache.medium[hashMedium(key.a, key.b)]
		if slot.a == key.a && (slot.b^key.b)&^countMask == 0 {
			total += int64(slot.b >> mediumCount & 15)
			continue
		}
		n := int64(1)
		if !words.hasMedium(key.a, key.b) {
			n = t.merge(w.text(key.a, key.b, int(key.b>>mediumLength)))
		}
		*slot = mediumKey{key.a, key.b | uint64(n)<<mediumCount}
		total += n
	}
	return total
}

// text writes a key as the bytes that it was made of.
func (w *waiting) text(a, b uint64, n int) []byte {
	for i := range 8 {
		w.bytes[i] = byte(a >> (8 * i))
		w.bytes[i+8] = byte(b >> (8 * i))
	}
	return w.bytes[:n]
}
