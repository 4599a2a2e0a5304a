// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdx/v2/common"
	"github.com/spdx/tools-golang/spdx/v2/v2_3"
)

const home = "https://github.com/ctx-lsp/ctx-lsp"

var notInIDs = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

// writeBill writes the bill of materials: ctx-lsp, and each part that it contains.
func writeBill(version string, when time.Time, parts []part, file string) error {
	commit, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		return fmt.Errorf("git rev-parse: %w", err)
	}
	const root = common.ElementID("Package-ctx-lsp")
	doc := v2_3.Document{
		SPDXVersion: v2_3.Version, DataLicense: v2_3.DataLicense, SPDXIdentifier: "DOCUMENT",
		DocumentName:      "ctx-lsp-" + version,
		DocumentNamespace: home + "/releases/download/v" + version + "/sbom-" + strings.TrimSpace(string(commit)),
		CreationInfo: &v2_3.CreationInfo{
			Creators: []common.Creator{{CreatorType: "Organization", Creator: "The ctx-lsp authors"}, {CreatorType: "Tool", Creator: "ctx-lsp-tools-release"}},
			Created:  when.Format(time.RFC3339),
		},
		Packages: []*v2_3.Package{{
			PackageName: "ctx-lsp", PackageSPDXIdentifier: root, PackageVersion: version,
			PackageDownloadLocation: "git+" + home + "@" + strings.TrimSpace(string(commit)), PackageHomePage: home,
			PackageLicenseConcluded: "MIT", PackageLicenseDeclared: "MIT", PackageCopyrightText: "Copyright The ctx-lsp authors",
			PrimaryPackagePurpose: "APPLICATION", PackageExternalReferences: reference("pkg:golang/github.com/ctx-lsp/ctx-lsp@v" + version),
		}},
		Relationships: []*v2_3.Relationship{relation("DOCUMENT", "DESCRIBES", root)},
	}
	for _, p := range parts {
		id := common.ElementID("Package-" + notInIDs.ReplaceAllString(p.kind+"-"+p.name+"-"+p.version, "-"))
		entry := &v2_3.Package{
			PackageName: p.name, PackageSPDXIdentifier: id, PackageVersion: p.version, PackageDownloadLocation: p.download,
			PackageLicenseConcluded: p.licence, PackageLicenseDeclared: p.licence, PackageCopyrightText: copyrights(p.texts),
			PackageComment: "part of " + p.in,
		}
		if p.kind != "data" {
			entry.PackageExternalReferences = reference("pkg:" + p.kind + "/" + strings.Replace(p.name, "@", "%40", 1) + "@" + p.version)
		}
		doc.Packages = append(doc.Packages, entry)
		doc.Relationships = append(doc.Relationships, relation(root, "CONTAINS", id))
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := json.Write(doc, out, json.Indent("  "), json.EscapeHTML(false)); err != nil {
		return err
	}
	return out.Close()
}

func relation(a common.ElementID, what string, b common.ElementID) *v2_3.Relationship {
	return &v2_3.Relationship{
		RefA: common.DocElementID{ElementRefID: a}, RefB: common.DocElementID{ElementRefID: b}, Relationship: what,
	}
}

func reference(purl string) []*v2_3.PackageExternalReference {
	return []*v2_3.PackageExternalReference{{Category: "PACKAGE-MANAGER", RefType: "purl", Locator: purl}}
}

var copyright = regexp.MustCompile(`(?im)^[\s*]*(copyright\s+(\(c\)|©|\d|the\b).*)$`)

// copyrights returns the copyright lines of the texts.
func copyrights(texts []text) string {
	var lines []string
	for _, t := range texts {
		for _, m := range copyright.FindAllStringSubmatch(t.body, -1) {
			lines = append(lines, strings.TrimSpace(m[1]))
		}
	}
	if len(lines) == 0 {
		return "NOASSERTION"
	}
	return strings.Join(lines, "\n")
}
