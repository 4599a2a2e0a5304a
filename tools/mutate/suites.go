// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"runtime"
	"strings"
)

// A suite is the tests of one package that run matches, all if it is empty, without those that skip matches.
type suite struct {
	pkg, skip, run string
}

// concerned lists the suites to run, the quickest first, for packages that are also tested by other packages. The
// conformance vectors and the digests of Readings are tests of core/api; sessions on disk are tested by finding and
// following them. For any other package only its own tests run. For one below an internal directory, the suites of the
// package around it run too.
var concerned = map[string][]string{
	"core":            {"core", "core/api", "core/agent"},
	"core/agent":      {"core/agent", "core/api"},
	"core/model":      {"core/model", "core/api", "core/agent"},
	"core/promptfile": {"core/promptfile", "core/api"},
	"core/provider":   {"core/provider", "core/api"},
	"core/token":      {"core/token", "core/api", "internal/vocabulary"},

	"internal/agents":     {"internal/agents", "internal/sessions", "internal/follow"},
	"internal/follow":     {"internal/follow", "internal/conversation", "lsp"},
	"internal/promptload": {"internal/promptload", "internal/agents", "internal/follow"},
	"internal/sessions":   {"internal/sessions", "internal/follow", "internal/agents"},
	"internal/transcript": {"internal/transcript", "internal/sessions", "internal/follow", "internal/agents"},
}

// skipped matches tests that take long and cannot notice a change: they check sources, dependencies or speed.
var skipped = map[string]string{
	"core": "^TestTheCore|^TestTheTableOfPackages|^TestTheModuleReads|^TestTheGoVersion|^TestFewPackagesArePublic|" +
		"^TestNoResultIsReturnedBeside|^TestPromisesAreHeld",
	"core/agent": "^TestMemoryIsBounded",
	"core/token": "^TestHostileTextsAreCountedInTime",
}

// last matches tests that run after all others, because they take longer than those together.
var last = map[string]string{
	"core/agent": "^TestRecordsMeanWhatIsRecorded$|^TestWrongTypesInEveryFieldLoseNothingElse$|^TestShuffledAndRepeatedRecords$",
}

func suitesOf(pkg string) []suite {
	names := concerned[pkg]
	if around, _, ok := strings.Cut(pkg, "/internal/"); ok {
		names = append([]string{pkg}, concerned[around]...)
	} else if names == nil {
		names = []string{pkg}
	}
	var list, late []suite
	for _, name := range names {
		skip := skipped[name]
		if slow := last[name]; slow != "" {
			skip = strings.TrimPrefix(skip+"|"+slow, "|")
			late = append(late, suite{pkg: name, run: slow})
		}
		list = append(list, suite{pkg: name, skip: skip})
	}
	return append(list, late...)
}

// workersFor returns how many changes are tested at once: one for each of two cores, and more if a suite mostly waits.
func workersFor(pkg string) int {
	if pkg == "lsp" {
		return 6
	}
	return min(2, runtime.NumCPU())
}
