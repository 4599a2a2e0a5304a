// Copyright The ctx-lsp authors. MIT licence.

package codec

import (
	"bytes"
	"reflect"
	"slices"
	"testing"
)

type inner struct {
	text string
	n    int64
}

func (i *inner) walk(c *Codec) {
	c.Names("text", &i.text)
	c.Ints("n", &i.n)
}

type all struct {
	number, negative int64
	numbers          [3]int64
	size             int
	small            uint16
	yes, no          bool
	hash             uint64
	kind             uint8
	text             string
	list             []inner
	places           map[uint64]int32
	some             bool
	sometimes        int64
	part             inner
}

func (a *all) walk(c *Codec) {
	c.Ints("number negative", &a.number, &a.negative)
	c.Array("numbers", a.numbers[:])
	c.Sizes("size", &a.size)
	Within(c, "small", &a.small, 1, 40_000)
	c.Bools("yes no some", &a.yes, &a.no, &a.some)
	c.Hash("hash", &a.hash)
	Below(c, "kind", &a.kind, 16)
	c.Names("text", &a.text)
	List(c, "list", &a.list, 5, (*inner).walk)
	Map(c, "places", &a.places, 4, func(place *int32, c *Codec) { Within(c, "place", place, -1, 100) })
	if c.When(a.some) {
		c.Ints("sometimes", &a.sometimes)
	}
	a.part.walk(c.Part("part"))
}

func filled() all {
	return all{
		number: 1 << 50, negative: -1, numbers: [3]int64{1, 0, 3}, size: -7, small: 40_000, yes: true, hash: 1<<63 + 5, kind: 15, text: "t",
		list: []inner{{"a", 1}, {"b", -1 << 56}}, places: map[uint64]int32{1 << 63: 7, 3: -1}, some: true, sometimes: 9, part: inner{"p", 1 << 56},
	}
}

func TestAWalkRestoresWhatItSaved(t *testing.T) {
	for _, was := range []all{{small: 1, list: []inner{}}, filled()} {
		format := Format(new(all).walk)
		var saved State
		if !Save(&saved, format, Limits{}, was.walk) {
			t.Fatal("not saved")
		}
		is := all{list: []inner{{"of", 4}, {"an", 5}, {"earlier", 6}}}
		if !Restore(saved, format, Limits{}, is.walk) || !reflect.DeepEqual(is, was) {
			t.Errorf("%+v came back as %+v", was, is)
		}
		var again State
		if !Save(&again, format, Limits{}, is.walk) || !reflect.DeepEqual(again, saved) {
			t.Errorf("saved as %v, and then as %v", saved, again)
		}
		for cut := range saved.Bytes {
			short := saved
			short.Bytes = saved.Bytes[:cut]
			if Restore(short, format, Limits{}, new(all).walk) {
				t.Errorf("%d bytes of %d are restored", cut, len(saved.Bytes))
			}
		}
		for _, more := range []State{
			{format, saved.Names, append(bytes.Clone(saved.Bytes), 0)},
			{format, append(slices.Clone(saved.Names), ""), saved.Bytes},
			{format, saved.Names[1:], saved.Bytes},
		} {
			if Restore(more, format, Limits{}, new(all).walk) {
				t.Errorf("%v is restored", more)
			}
		}
	}
}

// TestWhatCannotBeRestoredIsDamage passes invalid values for fields, both when reading and when saving.
func TestWhatCannotBeRestoredIsDamage(t *testing.T) {
	var (
		number int64
		size   int
		small  uint16
		flag   bool
		kind   uint8
		hash   uint64
		text   string
		list   []inner
		places map[uint64]int32
	)
	written := func(numbers ...int64) []byte {
		var c Codec
		for _, n := range numbers {
			c.put(n)
		}
		return c.bytes
	}
	for what, of := range map[string]struct {
		bytes []byte
		names []string
		walk  func(*Codec)
	}{
		"a number that is missing":       {nil, nil, func(c *Codec) { c.Ints("number", &number) }},
		"a number that does not end":     {[]byte{0x80, 0x80}, nil, func(c *Codec) { c.Ints("number", &number) }},
		"a number of too many bytes":     {bytes.Repeat([]byte{0x80}, 20), nil, func(c *Codec) { c.Ints("number", &number) }},
		"a number beyond all bounds":     {written(1<<56 + 1), nil, func(c *Codec) { c.Ints("number", &number) }},
		"a number below all bounds":      {written(-1<<56 - 1), nil, func(c *Codec) { c.Ints("number", &number) }},
		"a number of an array":           {written(1), nil, func(c *Codec) { c.Array("numbers", make([]int64, 2)) }},
		"a text that is missing":         {nil, nil, func(c *Codec) { c.Names("text", &text) }},
		"a hash that is cut":             {make([]byte, 7), nil, func(c *Codec) { c.Hash("hash", &hash) }},
		"a size beyond 32 bits":          {written(1 << 40), nil, func(c *Codec) { c.Sizes("size", &size) }},
		"a number beyond its bound":      {written(101), nil, func(c *Codec) { Within(c, "small", &small, 1, 100) }},
		"a number below its bound":       {written(0), nil, func(c *Codec) { Within(c, "small", &small, 1, 100) }},
		"more flags than there are":      {written(2), nil, func(c *Codec) { c.Bools("flag", &flag) }},
		"a kind that is none":            {written(16), nil, func(c *Codec) { Below(c, "kind", &kind, 16) }},
		"a list longer than its bound":   {written(3, 1, 1, 1), []string{"", "", ""}, func(c *Codec) { List(c, "list", &list, 2, (*inner).walk) }},
		"a list of negative length":      {written(-1), nil, func(c *Codec) { List(c, "list", &list, 2, (*inner).walk) }},
		"a list longer than its state":   {written(1 << 30), nil, func(c *Codec) { List(c, "list", &list, 1<<31-1, (*inner).walk) }},
		"a list that ends too early":     {written(2, 5), []string{"why"}, func(c *Codec) { List(c, "list", &list, 2, (*inner).walk) }},
		"a map longer than its bound":    {written(3, 0, 0, 0), nil, func(c *Codec) { Map(c, "places", &places, 2, func(*int32, *Codec) {}) }},
		"what the walk itself refuses":   {nil, nil, func(c *Codec) { c.Refuse(true) }},
		"a state beyond its limit":       {written(1, 1, 1, 1, 1), []string{"12345678"}, func(c *Codec) { c.Ints("n n n n n", &number, &number, &number, &number, &number); c.Names("t", &text) }},
		"a name beyond its limit":        {nil, []string{"12345678"}, func(c *Codec) { c.Names("text", &text) }},
		"a walk that leaves something":   {written(1), nil, func(*Codec) {}},
		"a walk that leaves a name only": {nil, []string{"x"}, func(*Codec) {}},
	} {
		if Restore(State{Names: of.names, Bytes: of.bytes}, "", Limits{Total: 12, Name: 7}, of.walk) {
			t.Errorf("%s is restored", what)
		}
	}
	small, kind, number, list = 101, 16, 1<<57, make([]inner, 3)
	for what, walk := range map[string]func(*Codec){
		"a number beyond its bound":    func(c *Codec) { Within(c, "small", &small, 1, 100) },
		"a kind that is none":          func(c *Codec) { Below(c, "kind", &kind, 16) },
		"a number beyond all bounds":   func(c *Codec) { c.Ints("number", &number) },
		"a list longer than its bound": func(c *Codec) { List(c, "list", &list, 2, (*inner).walk) },
		"a name beyond its limit":      func(c *Codec) { text = "12345678"; c.Names("text", &text) },
		"a state beyond its limit": func(c *Codec) {
			for range 13 {
				c.Bools("flag", &flag)
			}
		},
	} {
		if Save(new(State), "", Limits{Total: 12, Name: 7}, walk) {
			t.Errorf("%s is saved", what)
		}
	}
}

// walks contains walks over a state with two numbers and a list, as in different builds. The first one is the current
// build's.
var walks = map[string]func(*Codec){
	"present": func(c *Codec) { c.Ints("in out", new(int64), new(int64)); listOf(c, "texts", 9, "text") },
	"another field": func(c *Codec) {
		c.Ints("in out more", new(int64), new(int64), new(int64))
		listOf(c, "texts", 9, "text")
	},
	"a field less":   func(c *Codec) { c.Ints("in", new(int64)); listOf(c, "texts", 9, "text") },
	"another order":  func(c *Codec) { c.Ints("out in", new(int64), new(int64)); listOf(c, "texts", 9, "text") },
	"another name":   func(c *Codec) { c.Ints("in output", new(int64), new(int64)); listOf(c, "texts", 9, "text") },
	"another kind":   func(c *Codec) { c.Ints("in", new(int64)); c.Sizes("out", new(int)); listOf(c, "texts", 9, "text") },
	"the list first": func(c *Codec) { listOf(c, "texts", 9, "text"); c.Ints("in out", new(int64), new(int64)) },
	"a longer list":  func(c *Codec) { c.Ints("in out", new(int64), new(int64)); listOf(c, "texts", 10, "text") },
	"other elements": func(c *Codec) { c.Ints("in out", new(int64), new(int64)); listOf(c, "texts", 9, "label") },
	"a field after it all": func(c *Codec) {
		c.Ints("in out", new(int64), new(int64))
		listOf(c, "texts", 9, "text")
		c.Bools("b", new(bool))
	},
	"an element's field outside": func(c *Codec) {
		c.Ints("in out", new(int64), new(int64))
		List(c, "texts", new([]string), 9, func(*string, *Codec) {})
		c.Names("text", new(string))
	},
	"a condition": func(c *Codec) {
		c.Ints("in out", new(int64), new(int64))
		listOf(c, "texts", 9, "text")
		if c.When(false) {
			c.Ints("sometimes", new(int64))
		}
	},
	"an array":       func(c *Codec) { c.Array("in", make([]int64, 2)); listOf(c, "texts", 9, "text") },
	"a longer array": func(c *Codec) { c.Array("in", make([]int64, 3)); listOf(c, "texts", 9, "text") },
	"a bound":        func(c *Codec) { Within(c, "in", new(int64), 0, 10) },
	"another bound":  func(c *Codec) { Within(c, "in", new(int64), 0, 11) },
	"a part":         func(c *Codec) { c.Part("a").Ints("in", new(int64)) },
	"another part":   func(c *Codec) { c.Part("b").Ints("in", new(int64)) },
}

func listOf(c *Codec, name string, longest int, element string) {
	List(c, name, new([]string), longest, func(text *string, c *Codec) { c.Names(element, text) })
}

// TestAnotherWalkHasAnotherFormat checks that adding, removing, renaming and moving a field change the fingerprint, and
// so does a change of the allowed values. Each build must refuse the state that another one has saved.
func TestAnotherWalkHasAnotherFormat(t *testing.T) {
	of := map[string]string{}
	for what, walk := range walks {
		format := Format(walk)
		if again := Format(walk); again != format {
			t.Errorf("%s: %s, and then %s", what, format, again)
		}
		if other, taken := of[format]; taken {
			t.Errorf("%q has the format of %q", what, other)
		}
		of[format] = what
	}
	for by, save := range walks {
		var saved State
		if !Save(&saved, Format(save), Limits{}, save) {
			t.Fatal(by)
		}
		for reader, walk := range walks {
			if got := Restore(saved, Format(walk), Limits{}, walk); got != (by == reader) {
				t.Errorf("the state of %q is restored by %q: %v", by, reader, got)
			}
		}
	}
}

// TestTheFingerprintIsTheSameEverywhere compares it with a constant, which the module's tests do not compute.
func TestTheFingerprintIsTheSameEverywhere(t *testing.T) {
	if got := Format(new(all).walk); got != "aa14392cb1308aad" {
		t.Errorf("the format is %s", got)
	}
}

func TestEachFieldHasAName(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("two fields have one name")
		}
	}()
	Format(func(c *Codec) { c.Ints("one", new(int64), new(int64)) })
}
