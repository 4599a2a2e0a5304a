// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// LineField is a field that a template may use.
type LineField struct{ Name, Meaning string }

// LineFields lists all fields of templates, in the order of the documentation. If the value is unknown, fields before
// model are printed as "?", and fields from model on as nothing. Fields about compaction are printed as nothing if
// nothing compacts.
var LineFields = []LineField{
	{"number", "how full, as every front end prints it: the mark and the percentage, or tokens without a window"},
	{"percent", "of the window that is used"},
	{"percentLeft", "of the window that is left"},
	{"used", "tokens"},
	{"limit", "the window"},
	{"free", "tokens free in the window, after the reserve"},
	{"left", "tokens left until the agent compacts"},
	{"threshold", "the compaction threshold"},
	{"thresholdPercent", "of the way to it"},
	{"thresholdPercentLeft", "of the way that is left"},
	{"calls", "requests left until it compacts, or the window is full, as a range"},
	{"callsLikely", "the likeliest number of them"},
	{"turns", "turns left until then, as a range"},
	{"turnsLikely", "the likeliest number of them"},
	{"lastRequest", "percent of the window that the last request filled"},
	{"agentPercent", "the number the agent prints itself"},
	{"error", "how many tokens the last estimate was off"},
	{"mark", "~ if estimated, ? if unknown, nothing otherwise; print it before a number; it has a value even if empty"},
	{"level", "ok, soon, now or over"},
	{"hint", "what comes next: compacts in ~5 requests, or window full in ~12 requests"},
	{"model", "the model's id"},
	{"agent", "the agent's name"},
	{"title", "the session's title, else its first words where shown, else its label, else the beginning of its id"},
	{"name", "the session's label, else the beginning of its id"},
	{"label", "the label that its extension gave it"},
	{"session", "its id"},
	{"branch", "that the agent works on"},
	{"state", "working, waiting for you, waiting for approval, idle or ended"},
	{"unmeasured", "in provider mode: why no measured percentage is shown"},
	{"bar", "the window in ten cells"},
}

// lineConditions are the words that are allowed in {?...}.
var lineConditions = []string{
	"ok", "soon", "now", "over", "working", "waiting", "idle", "ended",
	"hybrid", "provider", "measured", "counted", "estimated", "unknown", "pending",
}

// lineField returns the index of the field with a name, or -1. It accepts percent_left for percentLeft.
func lineField(name string) int {
	for i := range LineFields {
		if field := LineFields[i].Name; field == name || strings.Contains(name, "_") && snake(field) == name {
			return i
		}
	}
	return -1
}

func snake(name string) string {
	var b []byte
	for i := 0; i < len(name); i++ {
		if c := name[i]; c >= 'A' && c <= 'Z' {
			b = append(b, '_', c-'A'+'a')
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}

// LineFieldsText lists the fields for users, one per line.
func LineFieldsText() string {
	var b strings.Builder
	for _, f := range LineFields {
		b.WriteString("  {" + f.Name + "}" + strings.Repeat(" ", max(1, 17-len(f.Name))) + f.Meaning + "\n")
	}
	return b.String()
}

// lineValue returns the value of a field in a Reading; known reports whether it has one.
func lineValue(r json.Value, name string, translate func(word string) string) (value string, known bool) {
	if condition, ok := strings.CutPrefix(name, "?"); ok {
		return "", meets(r, condition)
	}
	i := lineField(name)
	if i < 0 {
		return "", false
	}
	number := func(text string, known bool) (string, bool) {
		if !known && r.Get("mode").Is("provider") {
			return "", false // the field unmeasured gives the reason
		}
		if !known {
			return "?", false
		}
		return text, true
	}
	words := func(text string) (string, bool) {
		text = oneLine(text)
		return text, text != ""
	}
	switch name = LineFields[i].Name; name {
	case "mark":
		return r.Path("display", "mark").String(), true
	case "level":
		return words(translate(levelOf(r)))
	case "calls", "turns":
		return number(span(r.Path("compaction", name+"Left")))
	case "callsLikely", "turnsLikely":
		n, fault := r.Path("compaction", strings.TrimSuffix(name, "Likely")+"Left", "likely").Int64()
		if n > core.MostShown {
			return number(core.ShownCalls(n), fault == json.NumberOK)
		}
		return number(strconv.FormatInt(n, 10), fault == json.NumberOK)
	case "hint":
		return words(translate(r.Get("compaction").Path("hint", "text").String()))
	case "lastRequest":
		return number(share(r, r.Path("lastRequest", "percent")))
	case "agentPercent":
		return number(share(r, r.Path("agentPercent", "value")))
	case "error":
		n, fault := r.Path("accuracy", "last", "error").Int64()
		return number(signedDigits(n), fault == json.NumberOK)
	case "model", "branch", "session", "label":
		return words(r.Get(name).String())
	case "agent":
		return words(agentName(r.Get("agent").String()))
	case "title":
		for _, title := range [...]string{r.Get("title").String(), r.Get("opening").String()} {
			if title != "" {
				return words(title)
			}
		}
		return words(nameIn(r))
	case "name":
		return words(nameIn(r))
	case "state":
		return words(stateOf(r, translate))
	case "unmeasured":
		id := r.Path("unmeasured", "id").String()
		if text := translate(id); id != "" && text != id {
			return words(text)
		}
		return words(r.Path("unmeasured", "text").String())
	case "bar":
		return words(r.Path("display", "bar").String())
	}
	text := r.Path("display", name).String()
	if text == "" {
		return "", false // nothing compacts
	}
	return number(text, text != "?")
}

// meets reports whether a Reading meets a condition.
func meets(r json.Value, word string) bool {
	switch word {
	case "pending":
		return r.Get("pending").Bool()
	case "hybrid", "provider":
		return r.Get("mode").Is(word)
	case "measured", "counted", "unknown":
		return r.Get("basis").Is(word)
	case "estimated":
		return r.Get("basis").Is(word) || r.Get("basis").Is("measured+estimated")
	}
	return r.Get("activity").Is(word) || levelOf(r) == word
}

// levelOf returns the level of a Reading, or of a session in short.
func levelOf(r json.Value) string {
	if level := r.Path("compaction", "level"); level.Exists() {
		return level.String()
	}
	return r.Get("level").String()
}

func agentName(id string) string {
	if e, ok := agent.Find(id); ok {
		return e.Name
	}
	if id == "generic" {
		return ""
	}
	return id
}

// nameIn returns the name of a session without a title: its label, otherwise the first eight characters of the part of
// its id that differs from other ids. A short id is returned whole.
func nameIn(r json.Value) string {
	if label := r.Get("label").String(); label != "" {
		return label
	}
	id := r.Get("session").String()
	id = id[strings.LastIndexAny(id, "/:~")+1:]
	for _, prefix := range []string{"rollout", "ses", "session", "agent"} {
		if rest, ok := strings.CutPrefix(id, prefix); ok && rest != "" && (rest[0] == '-' || rest[0] == '_') {
			id = rest[1:]
			break
		}
	}
	if len(id) <= 12 {
		return id
	}
	return firstRunes(id, 8, "")
}

// stateOf describes what the agent is doing.
func stateOf(r json.Value, translate func(string) string) string {
	switch activity := r.Get("activity").String(); {
	case activity == "waiting" && r.Get("waitingFor").Is("approval"):
		return translate(phrase.WaitingApproval.English())
	case activity == "waiting":
		return translate(phrase.WaitingPrompt.English())
	default:
		return translate(activity)
	}
}

// span formats a range of whole numbers: 5–14. It returns false if the range is unknown.
func span(r json.Value) (string, bool) {
	low, fault := r.Get("low").Int64()
	high, other := r.Get("high").Int64()
	if fault != json.NumberOK || other != json.NumberOK {
		return "", false
	}
	if likely, fault := r.Get("likely").Int64(); fault == json.NumberOK && likely > core.MostShown {
		return core.ShownCalls(likely), true
	}
	if low == high {
		return strconv.FormatInt(low, 10), true
	}
	return strconv.FormatInt(low, 10) + "–" + strconv.FormatInt(high, 10), true
}

// share formats a percentage of a Reading as its mode prints it.
func share(r, v json.Value) (string, bool) {
	thousandths, fault := v.Milli()
	if r.Get("mode").Is("provider") {
		return core.FinePercent(thousandths / 10), fault == json.NumberOK
	}
	return core.Percent(thousandths / 10), fault == json.NumberOK
}

// signedDigits formats a number with its sign and with commas between thousands: +1,234.
func signedDigits(n int64) string {
	sign := ""
	if n > 0 {
		sign = "+"
	} else if n < 0 {
		sign, n = "-", -n
	}
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// longestValue is how many characters of third-party text a line may show.
const longestValue = 80

// oneLine makes a text of a transcript safe for a line, by removing characters that move the cursor or change the
// direction of writing.
func oneLine(text string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r <= ' ', r == '\u0085', r == '\u2028', r == '\u2029':
			return ' '
		case r == 0x7f, r >= 0x80 && r < 0xa0, r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', r == '\u200e', r == '\u200f':
			return -1
		}
		return r
	}, text)
	return firstRunes(strings.Join(strings.Fields(clean), " "), longestValue, "…")
}

// firstRunes shortens a text to most characters, including the mark of the cut.
func firstRunes(text string, most int, mark string) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	keep, end := most-utf8.RuneCountInString(mark), 0
	for range keep {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return text[:end] + mark
}
