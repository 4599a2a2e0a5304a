// Copyright The ctx-lsp authors. MIT licence.

package main

import "strings"

// A suite is the tests of one package, without those that skip matches.
type suite struct {
	pkg, skip string
}

// concerned lists, for packages whose promises other packages test too, the suites that concern them, the quickest
// first. The conformance vectors and the digests of Readings are tests of core/api. Other packages have their own tests
// only, and those below an internal directory also the suites of the package around it.
var concerned = map[string][]string{
	"core":            {"core", "core/api", "core/agent"},
	"core/agent":      {"core/agent", "core/api"},
	"core/model":      {"core/model", "core/api", "core/agent"},
	"core/promptfile": {"core/promptfile", "core/api"},
	"core/provider":   {"core/provider", "core/api"},
	"core/token":      {"core/token", "core/api"},
}

// skipped matches tests that take long and cannot notice a change: they look at sources, at dependencies, or at speed.
var skipped = map[string]string{
	"core": "^TestTheCore|^TestTheTableOfPackages|^TestTheModuleReads|^TestTheGoVersion|^TestFewPackagesArePublic|" +
		"^TestNoResultIsReturnedBeside|^TestPromisesAreHeld",
	"core/agent": "^TestMemoryIsBounded",
}

func suitesOf(pkg string) []suite {
	names := concerned[pkg]
	if around, _, ok := strings.Cut(pkg, "/internal/"); ok {
		names = append([]string{pkg}, concerned[around]...)
	} else if names == nil {
		names = []string{pkg}
	}
	var list []suite
	for _, name := range names {
		list = append(list, suite{name, skipped[name]})
	}
	return list
}
