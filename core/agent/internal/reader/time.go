// Copyright The ctx-lsp authors. MIT licence.

package reader

import "github.com/ctx-lsp/ctx-lsp/internal/json"

// Latest is the end of the year 2200; a later time is a mistake.
const Latest = 7289654400000

// ParseTime reads a time as milliseconds since 1970: a number of seconds or
// milliseconds, or the text of RFC 3339 with any fraction and offset.
func ParseTime(v json.Value) (ms int64, ok bool) {
	switch v.Kind() {
	case json.Number:
		milli, fault := v.Milli()
		if fault != json.NumberOK || milli <= 0 {
			return 0, false
		}
		// 1e11 seconds is the year 5138, 1e11 milliseconds is 1973.
		if milli < 1e11*1000 && milli/1000 < 1e11 {
			return milli, milli <= Latest
		}
		return milli / 1000, milli/1000 <= Latest
	case json.String:
		if v.TextLen() > 40 {
			return 0, false
		}
		raw := v.Raw()
		return ParseRFC3339(raw[1 : len(raw)-1])
	}
	return 0, false
}

// ParseRFC3339 returns the milliseconds since 1970 of a time in the format of RFC 3339.
func ParseRFC3339(b []byte) (ms int64, ok bool) {
	if len(b) < 19 || b[4] != '-' || b[7] != '-' || (b[10] != 'T' && b[10] != 't' && b[10] != ' ') || b[13] != ':' || b[16] != ':' {
		return 0, false
	}
	year, ok1 := digits(b[0:4])
	month, ok2 := digits(b[5:7])
	day, ok3 := digits(b[8:10])
	hour, ok4 := digits(b[11:13])
	minute, ok5 := digits(b[14:16])
	second, ok6 := digits(b[17:19])
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 ||
		year < 1970 || year > 2200 || month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60 {
		return 0, false
	}
	ms = ((daysSince1970(year, month, day)*24+hour)*60+minute)*60_000 + second*1000
	rest := b[19:]
	if len(rest) > 0 && (rest[0] == '.' || rest[0] == ',') {
		rest = rest[1:]
		unit := int64(100)
		for len(rest) > 0 && rest[0]-'0' < 10 {
			ms += int64(rest[0]-'0') * unit
			unit /= 10
			rest = rest[1:]
		}
	}
	if len(rest) == 6 && (rest[0] == '+' || rest[0] == '-') && rest[3] == ':' {
		h, ok1 := digits(rest[1:3])
		m, ok2 := digits(rest[4:6])
		if !ok1 || !ok2 || h > 23 || m > 59 {
			return 0, false
		}
		offset := (h*60 + m) * 60_000
		if rest[0] == '-' {
			offset = -offset
		}
		return ms - offset, true
	}
	return ms, len(rest) == 0 || len(rest) == 1 && rest[0]|0x20 == 'z'
}

func digits(b []byte) (int64, bool) {
	n := int64(0)
	for _, c := range b {
		if c-'0' > 9 {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// daysSince1970 counts the days of the Gregorian calendar. It lets the year
// begin in March, so that the leap day comes last.
func daysSince1970(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	era := year / 400
	ofEra := year - era*400
	ofYear := (153*(month-3)+2)/5 + day - 1
	return era*146097 + ofEra*365 + ofEra/4 - ofEra/100 + ofYear - 719468
}
