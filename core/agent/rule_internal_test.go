// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"strings"
	"testing"
)

func TestNumbersOfSettings(t *testing.T) {
	for text, want := range map[string]int64{
		"200000": 200_000, "400k": 400_000, "1m": 1_000_000, "1_000": 1000, "": -1, "k": -1, "-5": -1, "1.5k": -1, "99999999999m": -1,
		"0": 0, "9": 9, "1": 1, "2K": 2000, "3M": 3_000_000, "1,000,000": 1_000_000, "100000000000": 100_000_000_000, "1000000000000": -1, "1000000000001": -1,
		"1099511m": 1_099_511_000_000, "1099512m": -1, "m": -1, "12:": -1, "12/": -1, "12b": -1,
	} {
		if got := tokens(text); got != want {
			t.Errorf("%q is %d tokens, want %d", text, got, want)
		}
	}
	for text, want := range map[string]int64{
		"70": 7000, "0.7": 70, "0.75": 75, "12.345": 1234, "": -1, "x": -1, "1.2.3": -1, "-1": -1,
		"0": 0, "1": 100, "9": 900, "100": 10_000, ".5": 50, "5.": 500, "0.05": 5, "0.999": 99, "0.1": 10, "100000000000": 10_000_000_000_000, "1000000000000": -1, "1,5": -1, "1:": -1, "80%": -1,
	} {
		if got := hundredth(text); got != want {
			t.Errorf("%q is %d hundredths, want %d", text, got, want)
		}
	}
}

// TestTheDigitsAtTheBeginningOfASetting checks settings that an agent reads up to the first other character.
func TestTheDigitsAtTheBeginningOfASetting(t *testing.T) {
	for text, want := range map[string]int64{"200k": 200, "0x10": 0, "9": 9, "12:00": 12, "7/8": 7, "k": -1, "": -1, "-1": -1, "123456789012": 123_456_789_012, "1234567890123": 123_456_789_012} {
		if got := leading(text); got != want {
			t.Errorf("%q begins with %d, want %d", text, got, want)
		}
	}
}

// TestSizesThatClaudeCodePrints checks the sizes in the output of /context.
func TestSizesThatClaudeCodePrints(t *testing.T) {
	for text, want := range map[string]int64{
		"611": 611, "611 tokens (0.3%)": 611, "~90": 90, "≈ 120 tokens": 120, "12.4k tokens": 12_400, "1.2m": 1_200_000, "3K": 3_000, "2M": 2_000_000, "1,234 tokens": 1_234,
		"0": 0, "1": 1, "9": 9, "13.5k": 13_500, "0.25k": 250, "1.234k": 1_234, "1.2345k": 1_234, "1.23456k": 0, "": 0, "k": 0, "tokens": 0, "-5": 0, "12/": 12, "12:": 12,
		"1099511627776": 1 << 40, "1099511627777": 0, "1099511m": 1_099_511_000_000, "1099512m": 0, "99999999999999999999999": 0,
	} {
		if got := printedTokens(text); got != want {
			t.Errorf("%q is %d tokens, want %d", text, got, want)
		}
	}
}

// TestCallsOfGptmeBeginALine checks where the text of a call begins and ends.
func TestCallsOfGptmeBeginALine(t *testing.T) {
	for text, want := range map[string][4]string{
		`@shell(c1): {"command":"ls"}`:                        {"", "shell", "c1", `{"command":"ls"}`},
		"I look.\n@read(c2): {\"path\":\"a{.txt\"} and more":  {"I look.\n", "read", "c2", `{"path":"a{.txt"}`},
		"@a(c3): {\"x\":{\"y\":\"}\"},\"z\":\"\\\"}\"}\nthen": {"", "a", "c3", `{"x":{"y":"}"},"z":"\"}"}`},
		"@ada and\n@bob (see below)\n@shell(c4): {}":          {"@ada and\n@bob (see below)\n", "shell", "c4", "{}"},
		"@shell(c5): {\"never\": \"ends\"\n@shell(c6): {}":    {"@shell(c5): {\"never\": \"ends\"\n", "shell", "c6", "{}"},
		"say @shell(c7): {}":                                  {"say @shell(c7): {}", "", "", ""},
		"@(c8): {}":                                           {"@(c8): {}", "", "", ""},
		"@two words(c9): {}":                                  {"@two words(c9): {}", "", "", ""},
		"@shell(two words): {}":                               {"@shell(two words): {}", "", "", ""},
		"@shell(): {}":                                        {"@shell(): {}", "", "", ""},
		"@shell(c10) {}":                                      {"@shell(c10) {}", "", "", ""},
		"":                                                    {},
		"\n":                                                  {"\n", "", "", ""},
		"@":                                                   {"@", "", "", ""},
		"\n\n@ls(c11): {}":                                    {"\n\n", "ls", "c11", "{}"},

		"@shell(c12): {\"open\": [1, {\"a\": 2}]": {"@shell(c12): {\"open\": [1, {\"a\": 2}]", "", "", ""},
	} {
		at, name, id, arguments := gptmeCall(text)
		if got := [4]string{text[:at], name, id, arguments}; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestModelsThatAreSwitchedTo checks the output of /model, with and without a complete name.
func TestModelsThatAreSwitchedTo(t *testing.T) {
	for text, want := range map[string]string{
		"Set model to \x1b[1mOpus 4.6\x1b[22m":                   "claude-opus-4-6",
		"Set model to Mythos 5":                                  "claude-mythos-5",
		"Set model to haiku 4.5.":                                "claude-haiku-4-5",
		"Set model to opus (claude-opus-4-6[1m])":                "claude-opus-4-6",
		"Set model to CLAUDE":                                    "",
		"Set model to claude-3-5-HAIKU and back":                 "claude-3-5-HAIKU",
		"Set model to Sonnet <b>4.5":                             "",
		"Set model to opus plan":                                 "",
		"Set model to opus ":                                     "",
		"Set model to fable 0":                                   "claude-fable-0",
		"Set model to fable 9":                                   "claude-fable-9",
		"Kept model as Opus 4.6":                                 "",
		"Set model to " + strings.Repeat(" ", 380-14) + "Opus 4": "",
	} {
		if got := modelSwitched([]byte("<local-command-stdout>" + text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if got := modelSwitched([]byte(text)); got != "" {
			t.Errorf("%q is not the output of a command, and switches to %q", text, got)
		}
	}
	for text, want := range map[string]string{"plain": "plain", "\x1b[1mbold\x1b[0m": "bold", "\x1b[38;2;1;2;3ma\x1b[39mb": "ab", "a\x1b": "a", "a\x1b[": "a", "a\x1b[3": "a", "\x1bMa": "a", "\x1b[?25l a": " a", "\x1b[@a": "a", "\x1b[~a": "a"} {
		if got := plain(text); got != want {
			t.Errorf("%q without colors is %q, want %q", text, got, want)
		}
	}
}

func TestRefusalsOfAPromptThatIsTooLong(t *testing.T) {
	for text, want := range map[string][2]int64{
		"API Error: prompt is too long: 203123 tokens > 200000 maximum": {203_123, 200_000},
		"Prompt is too long":                                              {-1, -1},
		"prompt is too long: 5 tokens > 9 maximum":                        {-1, -1},
		"prompt is too long: 1,203,123 > 1,000,000":                       {1_203_123, 1_000_000},
		"prompt is too long: 9 tokens > 9 maximum":                        {-1, -1},
		"prompt is too long: 10 tokens > 9 maximum":                       {10, 9},
		"prompt is too long: 2 tokens > 1 maximum":                        {2, 1},
		"prompt is too long: 2 tokens > 0 maximum":                        {-1, -1},
		"prompt is too long: 99999999999999 > 9":                          {-1, -1},
		"prompt is too long: 1099511627776 > 9":                           {1 << 40, 9},
		"PROMPT is too long, prompt is too long":                          {-1, -1},
		"p prompt is too long: 7 > 5":                                     {7, 5},
		"prompt is too long: 7":                                           {-1, -1},
		"prompt is too long" + strings.Repeat(".", 4096-27) + " 300 > 20": {300, 20},
	} {
		got, ok := promptTooLong([]byte(text))
		if !ok || got.Prompt != want[0] || got.Limit != want[1] {
			t.Errorf("%q: %+v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"Connection error.", "", "prompt is too lon", "rompt is too long", strings.Repeat(" ", 4096-17) + "prompt is too long"} {
		if _, ok := promptTooLong([]byte(text)); ok {
			t.Errorf("%q is taken for a refusal", text)
		}
	}
}
