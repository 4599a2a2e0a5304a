// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
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
func lineValue(r *Reading, name string, translate func(word string) string) (value string, known bool) {
	if condition, ok := strings.CutPrefix(name, "?"); ok {
		return "", meets(r, condition)
	}
	i := lineField(name)
	if i < 0 {
		return "", false
	}
	number := func(text string, known bool) (string, bool) {
		if !known && r.Mode == "provider" {
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
	c, d := &r.Compaction, &r.Display
	text := ""
	switch LineFields[i].Name {
	case "mark":
		return d.Mark, true
	case "level":
		return words(translate(string(c.Level)))
	case "calls":
		return number(span(c.CallsLeft))
	case "turns":
		return number(span(c.TurnsLeft))
	case "callsLikely":
		return number(likely(c.CallsLeft))
	case "turnsLikely":
		return number(likely(c.TurnsLeft))
	case "hint":
		return words(translate(c.Hint.Text))
	case "lastRequest":
		if r.LastRequest == nil {
			return number("", false)
		}
		return number(share(r, r.LastRequest.Percent))
	case "agentPercent":
		if r.AgentOwn == nil {
			return number("", false)
		}
		return number(share(r, r.AgentOwn.Percent))
	case "error":
		if r.Accuracy.Last == nil {
			return number("", false)
		}
		return number(signedDigits(r.Accuracy.Last.Error), true)
	case "model":
		return words(r.Model)
	case "branch":
		return words(r.Branch)
	case "session":
		return words(r.Session)
	case "label":
		return words(r.Label)
	case "agent":
		return words(agentName(r.Agent))
	case "title":
		return words(cmp.Or(r.Title, r.Opening, nameIn(r)))
	case "name":
		return words(nameIn(r))
	case "state":
		return words(stateOf(r, translate))
	case "unmeasured":
		if id := r.Unmeasured.ID; id != "" {
			if text := translate(id); text != id {
				return words(text)
			}
		}
		return words(r.Unmeasured.Text)
	case "bar":
		return words(d.Bar)
	case "number":
		text = d.Number
	case "percent":
		text = d.Percent
	case "percentLeft":
		text = d.PercentLeft
	case "used":
		text = d.Used
	case "limit":
		text = d.Limit
	case "free":
		text = d.Free
	case "left":
		text = d.Left
	case "threshold":
		text = d.Threshold
	case "thresholdPercent":
		text = d.ThresholdPercent
	case "thresholdPercentLeft":
		text = d.ThresholdPercentLeft
	}
	if text == "" {
		return "", false // nothing compacts
	}
	return number(text, text != "?")
}

// meets reports whether a Reading meets a condition.
func meets(r *Reading, word string) bool {
	switch word {
	case "pending":
		return r.Pending
	case "hybrid", "provider":
		return string(r.Mode) == word
	case "measured", "counted", "unknown":
		return string(r.Basis) == word
	case "estimated":
		return r.Basis == "estimated" || r.Basis == "measured+estimated"
	}
	return string(r.Activity) == word || string(r.Compaction.Level) == word
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
func nameIn(r *Reading) string {
	if r.Label != "" {
		return r.Label
	}
	id := r.Session
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
func stateOf(r *Reading, translate func(string) string) string {
	switch {
	case r.Activity == "waiting" && r.WaitingFor == "approval":
		return translate(phrase.WaitingApproval.English())
	case r.Activity == "waiting":
		return translate(phrase.WaitingPrompt.English())
	default:
		return translate(string(r.Activity))
	}
}

// span formats a range of whole numbers: 5–14. It returns false if the range is unknown.
func span(r *Range) (string, bool) {
	switch {
	case r == nil:
		return "", false
	case r.Likely > core.MostShown:
		return core.ShownCalls(r.Likely), true
	case r.Low == r.High:
		return strconv.FormatInt(r.Low, 10), true
	}
	return strconv.FormatInt(r.Low, 10) + "–" + strconv.FormatInt(r.High, 10), true
}

// likely formats the likeliest number of a range. It returns false if the range is unknown.
func likely(r *Range) (string, bool) {
	switch {
	case r == nil:
		return "", false
	case r.Likely > core.MostShown:
		return core.ShownCalls(r.Likely), true
	}
	return strconv.FormatInt(r.Likely, 10), true
}

// share formats a percentage of a Reading as its mode prints it.
func share(r *Reading, part *Hundredths) (string, bool) {
	switch {
	case part == nil:
		return "", false
	case r.Mode == "provider":
		return core.FinePercent(int64(*part)), true
	}
	return core.Percent(int64(*part)), true
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
