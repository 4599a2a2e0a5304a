// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"
	"testing"
)

func TestAWalkRestoresWhatItSaved(t *testing.T) {
	type all struct {
		number     int64
		numbers    [3]int64
		size       int
		flag       bool
		hash       uint64
		basis      Basis
		kind       Kind
		name       string
		list       reasons
		negativity int64
	}
	walk := func(a *all) func(*walker) {
		return func(w *walker) {
			w.each(&a.number, &a.negativity)
			w.ints(a.numbers[:])
			w.sizes(&a.size)
			w.bools(&a.flag)
			w.hash(&a.hash)
			w.basis(&a.basis)
			w.kind(&a.kind)
			w.name(&a.name)
			a.list.walk(w)
		}
	}
	was := all{1 << 50, [3]int64{1, 2, 3}, -7, true, 1<<63 + 5, Estimated, Media, "name", reasons{{"why", 9}}, Unknown}
	saved := walker{writing: true}
	walk(&was)(&saved)
	var is all
	w := walker{numbers: saved.numbers, names: saved.names}
	walk(&is)(&w)
	if w.damaged || len(w.numbers)+len(w.names) != 0 || !slices.Equal(is.list, was.list) {
		t.Fatalf("%+v, left %v %v", is, w.numbers, w.names)
	}
	is.list, was.list = nil, nil
	if is.number != was.number || is.numbers != was.numbers || is.size != was.size || !is.flag || is.hash != was.hash ||
		is.basis != was.basis || is.kind != was.kind || is.name != was.name || is.negativity != was.negativity {
		t.Errorf("%+v, want %+v", is, was)
	}
}

func TestNumbersCanStandInAnotherOrderThanTheyAreWalked(t *testing.T) {
	order := []uint8{2, 0, 1}
	a, b, c, name := int64(10), int64(20), int64(30), "n"
	walk := func(w *walker) {
		w.each(&a, &b, &c)
		w.name(&name)
	}
	saved := walker{writing: true}
	saved.inOrder(order, walk)
	if !slices.Equal(saved.numbers, []int64{20, 30, 10}) || !slices.Equal(saved.names, []string{"n"}) {
		t.Fatalf("%v %v", saved.numbers, saved.names)
	}
	w := walker{numbers: append(saved.numbers, 7), names: []string{"m", "rest"}}
	w.inOrder(order, walk)
	if a != 10 || b != 20 || c != 30 || name != "m" || !slices.Equal(w.numbers, []int64{7}) || !slices.Equal(w.names, []string{"rest"}) {
		t.Errorf("%d %d %d %s, left %v %v", a, b, c, name, w.numbers, w.names)
	}
	short := walker{numbers: []int64{1, 2}}
	if short.inOrder(order, walk); !short.damaged {
		t.Error("numbers that are missing are no damage")
	}
}

// TestTheOrderOfStateNamesEachPlaceOnce: a place named twice would lose a
// number, and one left out would be read as another.
func TestTheOrderOfStateNamesEachPlaceOnce(t *testing.T) {
	places := slices.Clone(stateOrder[:])
	slices.Sort(places)
	for i, place := range places {
		if int(place) != i {
			t.Fatalf("the places are %v", places)
		}
	}
	w := walker{writing: true}
	if New(Identity{}, plain{}).walkState(&w); len(w.numbers) != len(places) {
		t.Errorf("%d numbers for %d places", len(w.numbers), len(places))
	}
}

func TestWhatCannotBeRestoredIsDamage(t *testing.T) {
	var (
		number int64
		size   int
		flag   bool
		basis  Basis
		kind   Kind
		name   string
		list   reasons
	)
	for what, walk := range map[string]func(*walker){
		"a number that is missing":    func(w *walker) { w.numbers = nil; w.int(&number) },
		"a number beyond all bounds":  func(w *walker) { w.numbers = []int64{1 << 57}; w.int(&number) },
		"a name that is missing":      func(w *walker) { w.name(&name) },
		"a size beyond 32 bits":       func(w *walker) { w.numbers = []int64{1 << 40}; w.size(&size) },
		"a flag beyond a byte":        func(w *walker) { w.numbers = []int64{256}; w.bool(&flag) },
		"a basis that is none":        func(w *walker) { w.numbers = []int64{int64(MeasuredEstimated) + 1}; w.basis(&basis) },
		"a kind that is none":         func(w *walker) { w.numbers = []int64{int64(kinds)}; w.kind(&kind) },
		"a list longer than its most": func(w *walker) { w.numbers = []int64{reasonsReadable + 1}; list.walk(w) },
		"a list of negative length":   func(w *walker) { w.numbers = []int64{-1}; list.walk(w) },
		"a list that ends too early":  func(w *walker) { w.numbers, w.names = []int64{2, 5}, []string{"why"}; list.walk(w) },
	} {
		var w walker
		if walk(&w); !w.damaged {
			t.Errorf("%s is restored", what)
		}
	}
}
