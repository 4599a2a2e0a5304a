// Copyright The ctx-lsp authors. MIT licence.

package agent

import "testing"

func TestNumbersOfSettings(t *testing.T) {
	for text, want := range map[string]int64{"200000": 200_000, "400k": 400_000, "1m": 1_000_000, "1_000": 1000, "": -1, "k": -1, "-5": -1, "1.5k": -1, "99999999999m": -1} {
		if got := tokens(text); got != want {
			t.Errorf("%q is %d tokens, want %d", text, got, want)
		}
	}
	for text, want := range map[string]int64{"70": 7000, "0.7": 70, "0.75": 75, "12.345": 1234, "": -1, "x": -1, "1.2.3": -1, "-1": -1} {
		if got := hundredth(text); got != want {
			t.Errorf("%q is %d hundredths, want %d", text, got, want)
		}
	}
}

func TestRefusalsOfAPromptThatIsTooLong(t *testing.T) {
	for text, want := range map[string][2]int64{
		"API Error: prompt is too long: 203123 tokens > 200000 maximum": {203_123, 200_000},
		"Prompt is too long":                        {-1, -1},
		"prompt is too long: 5 tokens > 9 maximum":  {-1, -1},
		"prompt is too long: 1,203,123 > 1,000,000": {1_203_123, 1_000_000},
	} {
		got, ok := promptTooLong([]byte(text))
		if !ok || got.Prompt != want[0] || got.Limit != want[1] {
			t.Errorf("%q: %+v, %v", text, got, ok)
		}
	}
	if _, ok := promptTooLong([]byte("Connection error.")); ok {
		t.Error("another error is taken for a refusal")
	}
}
