// Copyright The ctx-lsp authors. MIT licence.

package core

// plain is the meter in tests: four characters a token, so that readers can check the counts.
type plain struct{}

// Resolve makes plain a resolver that knows no models.
func (plain) Resolve(model, provider, route string) Resolved {
	return Resolved{Meter: plain{}, Limits: NoLimits, Reasoning: ReasoningTurn}
}

// Item counts the item's own text.
func (plain) Item(it *Item) Count { return Count{charsPerFour(it.Text), Estimated} }

// Part counts the part's own text.
func (plain) Part(p *Part) Count { return Count{charsPerFour(p.Text), Estimated} }

// Step adds nothing.
func (plain) Step(Step) int64 { return 0 }

// Family returns one name for everything that is counted this way.
func (plain) Family() string { return "" }

// Density returns that of the reference.
func (plain) Density() int64 { return 1000 }

func charsPerFour(text []byte) int64 {
	chars := int64(0)
	for _, b := range text {
		if b&0xc0 != 0x80 {
			chars++
		}
	}
	return (chars + 3) / 4
}
