// Copyright The ctx-lsp authors. MIT licence.

package json

// NumberFault is the reason why a value is not a whole number of 64 bits.
type NumberFault uint8

// The faults of numbers; NumberOK means none.
const (
	NumberOK NumberFault = iota
	NotANumber
	NotWhole
	OutOfRange
)

// Int64 returns a whole number. 5.0 and 5e3 are whole; 5.5 is not.
func (v Value) Int64() (int64, NumberFault) {
	n, scale, negative, fault := v.decimal()
	if fault != NumberOK {
		return 0, fault
	}
	for ; scale > 0; scale-- {
		if n == 0 {
			break
		}
		if n%10 != 0 {
			return 0, NotWhole
		}
		n /= 10
	}
	for ; scale < 0 && n != 0; scale++ {
		if n > (1<<63)/10 {
			return 0, OutOfRange
		}
		n *= 10
	}
	if negative {
		if n > 1<<63 {
			return 0, OutOfRange
		}
		return -int64(n), NumberOK
	}
	if n >= 1<<63 {
		return 0, OutOfRange
	}
	return int64(n), NumberOK
}

// Milli returns a number in thousandths, rounded toward zero.
func (v Value) Milli() (int64, NumberFault) {
	n, scale, negative, fault := v.decimal()
	if fault != NumberOK {
		return 0, fault
	}
	for scale -= 3; scale > 0 && n != 0; scale-- {
		n /= 10
	}
	for ; scale < 0 && n != 0; scale++ {
		if n > (1<<62)/10 {
			return 0, OutOfRange
		}
		n *= 10
	}
	if n >= 1<<63 {
		return 0, OutOfRange
	}
	if negative {
		return -int64(n), NumberOK
	}
	return int64(n), NumberOK
}

// decimal returns the number as digits / 10^scale.
func (v Value) decimal() (digits uint64, scale int, negative bool, fault NumberFault) {
	if v.Kind() != Number {
		return 0, 0, false, NotANumber
	}
	raw := v.Raw()
	i := 0
	if raw[0] == '-' {
		negative = true
		i++
	}
	point := false
	for ; i < len(raw); i++ {
		c := raw[i]
		if c == '.' {
			point = true
			continue
		}
		if c == 'e' || c == 'E' {
			break
		}
		if digits > (1<<64-1-9)/10 {
			if point {
				// Digits that do not fit matter only if they are not zero.
				if c != '0' {
					return 0, 0, false, NotWhole
				}
				continue
			}
			return 0, 0, false, OutOfRange
		}
		digits = digits*10 + uint64(c-'0')
		if point {
			scale++
		}
	}
	if i < len(raw) {
		i++
		down := false
		if raw[i] == '+' || raw[i] == '-' {
			down = raw[i] == '-'
			i++
		}
		exponent := 0
		for ; i < len(raw); i++ {
			if exponent < 10000 {
				exponent = exponent*10 + int(raw[i]-'0')
			}
		}
		if down {
			scale += exponent
		} else {
			scale -= exponent
		}
	}
	return digits, scale, negative, NumberOK
}
