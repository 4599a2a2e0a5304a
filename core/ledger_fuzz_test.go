// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// ledgersOfRandomSessions returns saved sessions with events of all types.
func ledgersOfRandomSessions() (saved []Ledger) {
	for seed := range uint64(8) {
		r := events{Rand: rand.New(rand.NewPCG(seed, 1))}
		s := New(Identity{ID: "a", Model: "one"}, dense{"one": 1000, "two": 1300, "": 1000})
		s.Apply(RuleSet{Rule{Reserve: 20_000}})
		for range 20 + 10*seed {
			s.Apply(r.next(s))
		}
		saved = append(saved, s.Save())
	}
	return saved
}

// changed returns a ledger with some of its numbers changed. Each change takes ten bytes: the position, and the number.
// An odd position past the end cuts the ledger there instead.
func changed(l Ledger, changes []byte) Ledger {
	for ; len(changes) >= 10; changes = changes[10:] {
		place, number := int(binary.LittleEndian.Uint16(changes)), int64(binary.LittleEndian.Uint64(changes[2:]))
		switch {
		case place < len(l.State):
			l.State = withNumber(l.State, place, number)
		case place%2 == 1 && len(l.State) > 0:
			l.State = l.State[:place%len(l.State)]
		}
	}
	return l
}

// FuzzDamagedLedger changes numbers in ledgers: each ledger is refused, or the restored session can be read in every
// way, continued and saved.
func FuzzDamagedLedger(f *testing.F) {
	saved := ledgersOfRandomSessions()
	for i, l := range saved {
		f.Add(uint8(i), []byte{})
		for _, number := range []int64{80, -1, 1 << 40, 255, 1 << 56} {
			change := binary.LittleEndian.AppendUint16(nil, uint16(len(l.State)/(i+2)))
			f.Add(uint8(i), binary.LittleEndian.AppendUint64(change, uint64(number)))
		}
	}
	models := dense{"one": 1000, "two": 1300, "": 1000}
	f.Fuzz(func(t *testing.T, which uint8, changes []byte) {
		s, ok := Restore(changed(saved[int(which)%len(saved)], changes), models)
		if !ok {
			return
		}
		s.Reading()
		s.Curve()
		r := events{Rand: rand.New(rand.NewPCG(uint64(which), uint64(len(changes))))}
		for range 12 {
			s.Apply(r.next(s))
			s.Reading()
		}
		s.Apply(Truncated{0})
		s.Reading()
		s.Save()
	})
}
