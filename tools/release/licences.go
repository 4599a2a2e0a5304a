// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// words are sentences that occur in only one license, except that of BSD-2-Clause, which occurs in BSD-3-Clause too.
var words = []struct{ licence, sentence string }{
	{"Apache-2.0", "apache license version 2.0"},
	{"MPL-2.0", "mozilla public license version 2.0"},
	{"BSD-3-Clause", "neither the name of"},
	{"BSD-3-Clause", "the names of its contributors may not be used"},
	{"BSD-2-Clause", "redistributions in binary form must reproduce the above copyright notice"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose"},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"Unlicense", "this is free and unencumbered software released into the public domain"},
}

var (
	space       = regexp.MustCompile(`[\s*]+`)
	punctuation = strings.NewReplacer("license, version", "license version")
)

// licence returns the SPDX expression for the license texts of a part. Several licenses are joined, because each
// applies to some of its content.
func licence(texts []text) string {
	var named []string
	for _, t := range texts {
		body := punctuation.Replace(strings.ToLower(space.ReplaceAllString(t.body, " ")))
		three := false
		for _, w := range words {
			if !strings.Contains(body, w.sentence) || w.licence == "BSD-2-Clause" && three {
				continue
			}
			three = three || w.licence == "BSD-3-Clause"
			if !slices.Contains(named, w.licence) {
				named = append(named, w.licence)
			}
		}
	}
	slices.Sort(named)
	return strings.Join(named, " AND ")
}

// notices returns the file that is part of everything we publish.
func notices(parts []part) []byte {
	var b bytes.Buffer
	b.WriteString("Third-party components of ctx-lsp and their licenses. ctx-lsp itself is under the MIT license (LICENSE).\n\n")
	for _, p := range parts {
		fmt.Fprintf(&b, "  %s\n", strings.TrimSpace(fmt.Sprintf("%s %s: %s, in %s", p.name, p.version, p.licence, p.in)))
	}
	for _, p := range parts {
		for _, t := range p.texts {
			fmt.Fprintf(&b, "\n%s\n%s\n%s\n\n%s\n", strings.Repeat("=", 100), strings.TrimSpace(p.name+" "+p.version)+", "+t.name,
				strings.Repeat("=", 100), strings.TrimRight(t.body, "\n"))
		}
	}
	return b.Bytes()
}
