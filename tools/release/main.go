// Copyright The ctx-lsp authors. MIT licence.

// Release generates the parts of a release that no other tool generates: the third-party notices, the bill of
// materials, the packages of the program for npm and PyPI, and the checksums. `make release` calls it from the root of
// the repository:
//
//	release notices FILE             the licences of everything that is part of what we publish
//	release sbom VERSION FILE        the same as SPDX 2.3
//	release npm VERSION FOLDER NOTICES OUT
//	                                 npm packages of the programs in FOLDER/OS-ARCH, and the one that chooses
//	release wheels VERSION FOLDER NOTICES OUT
//	                                 wheels of the same programs with the client for Python, and the sdist
//	release sums FOLDER              SHA256SUMS of the files in FOLDER
//
// Its output does not depend on the clock, the machine or the directory: times are SOURCE_DATE_EPOCH, lists are sorted.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	step := func(name string, arguments int) bool { return len(args) == arguments+1 && args[0] == name }
	switch {
	case step("notices", 1):
		parts, err := parts()
		if err != nil {
			return err
		}
		return os.WriteFile(args[1], notices(parts), 0o644)
	case step("sbom", 2):
		parts, err := parts()
		if err != nil {
			return err
		}
		when, err := epoch()
		if err != nil {
			return err
		}
		return writeBill(args[1], when, parts, args[2])
	case step("npm", 4):
		return npmPackages(args[1], args[2], args[3], args[4])
	case step("wheels", 4):
		return wheels(args[1], args[2], args[3], args[4])
	case step("sums", 1):
		return writeSums(args[1])
	}
	return fmt.Errorf("it takes notices FILE, sbom VERSION FILE, npm or wheels VERSION FOLDER NOTICES OUT, or sums FOLDER, and was given %q", args)
}

// epoch returns the time of a release, which is that of its commit, so that two builds of it are equal.
func epoch() (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is %q; it must be the time of the release in seconds", text)
	}
	return time.Unix(seconds, 0).UTC(), nil
}
