// Copyright The ctx-lsp authors. MIT licence.

package core_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// asked lists the statements of three documents on errors, warnings, limits and defaults outside of generated tables,
// by their beginnings, with the test for each. A dash marks the host's own part, or a reference.
var asked = map[string]map[string]string{
	"protocol.md": {
		"An event that reports such an error is read like it":    "TestVectors",
		"`5.5`, negative numbers and":                            "TestNumbersAreReadAsDocumented",
		"In the usage that a provider reported they are ignored": "TestNumbersAreReadAsDocumented",
		"- An unknown field is an error":                         "TestRefusalsAreThoseOfTheDocuments",
		"- Limits:":                                              "TestLimitsAreThoseOfTheDocuments",
		"A refused call leaves the session unchanged":            "TestRefusalsAreThoseOfTheDocuments",
		"`withdraw`, in JavaScript":                              "TestAnOfferedVocabularyCountsItsFamily",
		"A message that replaces one item must":                  "TestRefusalsAreThoseOfTheDocuments",
		"Both are named in a warning":                            "TestWarningsAreThoseOfTheDocuments",
		"If a measured prompt is larger than the rows":           "TestWarningsAreThoseOfTheDocuments",
		"An array is refused for a session that is read":         "TestRefusalsAreThoseOfTheDocuments",
		"If the shape is ambiguous":                              "TestUsagesOfAnyShape",
		"- A sum over several requests is refused":               "TestWhatIsNoOccupancyIsRefusedAndTold",
		"`error` is the provider's error as it came":             "-",
		"An error about a full window reveals":                   "TestARefusalTeachesTheWindow",
		"If such an error has no numbers":                        "TestARefusalTeachesTheWindow",
		"A response's space that the refused request":            "TestARefusalTeachesTheWindow",
		"Any other error, for example a rate limit":              "TestWarningsAreThoseOfTheDocuments",
		"Hosts cut at the ends of records, at most 1 MB":         "-",
		"A session remembers 4,096 names of at most 120":         "TestNamesAreBounded",
		"If all of it is too much, the largest parts":            "TestVectors",
		"If the ledger has a `reader`":                           "TestASessionWithoutItsReaderWarns",
		"Any other ledger is refused with":                       "TestRefusalsAreThoseOfTheDocuments",
		"If it is `bad_ledger`, because the ledger":              "TestASessionThatAnotherBuildSavedHasNoNumber",
		"- the calls since then that changed the session":        "-",
		"If the error is `session_exists`, the host":             "-",
		"`{sep= | }` anywhere in the template":                   "TestRefusalsAreThoseOfTheDocuments",
	},
	"hosts.md": {
		"The recipes have at most fifteen lines":      "TestRecipesAreThoseThatRun",
		"The error for an unknown name lists the":     "TestRefusalsAreThoseOfTheDocuments",
		"A window of 0 is an error":                   "TestRefusalsAreThoseOfTheDocuments",
		"An unknown model is a warning":               "TestAnUnknownModelHasSimilarNamesAsAField",
		"A refused call leaves the session unchanged": "TestRefusalsAreThoseOfTheDocuments",
		"`ctx/session/error` with a provider's error": "TestARefusalTeachesTheWindow",
	},
	"daemon.md": {
		"The log goes to standard error":                      "TestStateHoldsNoTextAndIsItsOwnersAlone",
		"Without it the daemon refuses `initialize`":          "TestAPortAsksForItsSecret",
		"It has a line for each verified request":             "TestEachVerifiedRequestIsLogged",
		"- `sight`: whether a code lens above each file":      "TestALensSaysHowManyLinesAreInTheRequest",
		"A setting with a value of the wrong type":            "TestAWrongSettingCostsItselfAlone",
		"It is refused while this cannot be determined":       "TestAResumeOnADiskThatFailsIsRefusedAndLosesNothing",
		"The daemon passes each client's ids to the core":     "TestNoAnswerHoldsAScope",
		"Other wrong calls get the errors of the core":        "TestParametersThatDoNotFitAreNamed",
		"`$/cancelRequest` ends a request":                    "TestCancelledRequestsReturnAnError",
		"`ctx/reading` is sent at once, then at most":         "TestNotificationsAreCoalescedAndTheLastStateArrives",
		"The notification is also sent when the warning":      "TestALevelIsCrossedOnce",
		"If a template is wrong, the call is refused":         "TestReadingsHaveTheLinesThatTheirClientWants",
		"They take at most 2 minutes and show progress":       "TestReadingATranscriptIsBounded",
		"One call reads at most 4 MB for previews":            "TestLimitsOfTheDaemonAreThoseOfTheDocument",
		"The directories to which an agent has":               "TestTheSessionToShow",
		"It is a file that only its owner can read":           "TestStateHoldsNoTextAndIsItsOwnersAlone",
		"If the power fails, at most the last second":         "TestLedgersSurviveAPowerCut",
		"- **Trouble:** if the ledger cannot be read":         "TestAResumeThatFailsForAMomentLosesNothing",
		"The Reading has the warning \"Its past could not":    "TestADamagedLedgerIsReportedAndReplaced",
		"If one client closes it, the others get":             "TestASharedSessionThatIsClosedEndsForAll",
		"The Reading then has the warning \"Its newest":       "TestNoDamageOfALedgerIsSilent",
		"If the ledger of a shared session cannot be opened":  "TestAHeldSharedSessionIsNotRestarted",
		"A private session opens anyway":                      "TestAPrivateSessionThatIsHeldHasNoNumber",
		"A reader whose memory exceeds 128 KiB is not saved:": "TestASessionWithoutItsReaderWarns",
	},
}

var (
	notProse  = regexp.MustCompile("(?s)<!-- generated:.*?<!-- end -->|```.*?```")
	paragraph = regexp.MustCompile(`\n[ \t]*\n|\n(?:[|#])`)
	listed    = regexp.MustCompile(`\n(- |\d+\. )`)
	sentence  = regexp.MustCompile("[.;:] +([A-Z`(0-9])")
	states    = regexp.MustCompile("\\b(errors?|refuse[ds]?|ignored|warn(s|ing)|at most|default|must)\\b|the kind `|^- Limits:")
	reference = regexp.MustCompile(`^(\||- (\w+: )?\[|## )`)
)

// statements returns the sentences of a document that state errors, warnings, limits or defaults.
func statements(page string) (list []string) {
	page = listed.ReplaceAllString(notProse.ReplaceAllString(page, ""), "\n\n$1")
	for _, text := range paragraph.Split(page, -1) {
		text = strings.Join(strings.Fields(text), " ")
		text = sentence.ReplaceAllStringFunc(text, func(end string) string { return end[:1] + "\x00" + strings.TrimSpace(end[1:]) })
		for s := range strings.SplitSeq(text, "\x00") {
			if states.MatchString(s) && !reference.MatchString(s) && !strings.HasSuffix(s, "| |") {
				list = append(list, s)
			}
		}
	}
	return list
}

// TestDocumentedStatementsAreAsked checks that there is a test for each statement on errors, warnings, limits and
// defaults in the prose of docs/protocol.md, docs/hosts.md and docs/daemon.md. A new statement needs its test here.
func TestDocumentedStatementsAreAsked(t *testing.T) {
	there := tests(t)
	for name, of := range asked {
		page, err := os.ReadFile("../docs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		left := map[string]bool{}
		for begin, test := range of {
			left[begin] = true
			if test != "-" && !there[test] {
				t.Errorf("%s: there is no test %s", name, test)
			}
		}
		for _, s := range statements(string(page)) {
			found := false
			for begin := range of {
				if strings.HasPrefix(s, begin) {
					found = true
					delete(left, begin)
				}
			}
			if !found && !strings.Contains(s, "|---|") {
				t.Errorf("docs/%s states this, and no test is named for it: %s", name, s)
			}
		}
		for begin := range left {
			t.Errorf("docs/%s does not state this any more: %s", name, begin)
		}
	}
}
