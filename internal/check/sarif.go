// Copyright The ctx-lsp authors. MIT licence.

package check

import (
	"net/url"
	"slices"
)

// rules are short descriptions of the codes. For a code from the engine that is missing here, the finding's message is
// used.
var rules = map[string]string{
	"over-budget":       "A prompt file exceeds its budget",
	"import-missing":    "An imported file does not exist",
	"setting-value":     "A setting is not used as it is written",
	"setting-idle":      "A setting has no effect",
	"setting-overruled": "A setting is overruled by another one",
	"setting-text":      "A setting is written as a text and not read",
	"settings-together": "Two settings work together",
	"window-small":      "A model's window is too small",
	"window-full":       "A model's window has no room for a prompt",
	"server-heavy":      "The tools of an MCP server take much of the window",
	"import-circular":   "Files import each other",
	"import-too-deep":   "Imports are nested deeper than the agent follows",
	"import-repeated":   "A file is imported more than once",
	"import-outside":    "An import is outside the workspace",
	"import-too-large":  "An imported file is too large",
	"import-unreadable": "An imported file cannot be read",
	"too-many-parts":    "A file has more headings, imports and fences than are checked",
	"text-repeated":     "A paragraph is loaded twice",
	"frontmatter-open":  "The front matter does not end",
	"skill-undescribed": "A skill has no description",
	"mcp-unreadable":    "A list of MCP servers cannot be read",
	"unreadable":        "A prompt file cannot be read",
	"not-checked":       "Something was not checked",
}

// The parts of SARIF 2.1.0 in use.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region sarifRegion `json:"region"`
		} `json:"physicalLocation"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
	}
)

// The names of severities in SARIF and in GitHub's annotations.
var (
	sarifLevels  = [...]string{Error: "error", Warning: "warning", Note: "note", Hint: "note"}
	githubLevels = [...]string{Error: "error", Warning: "warning", Note: "notice", Hint: "notice"}
	// Words are the names of severities for users.
	Words = [...]string{Error: "error", Warning: "warning", Note: "note", Hint: "hint"}
)

// SARIF returns the findings in the format that code scanning services read, to be encoded as JSON.
func (r *Report) SARIF(version string) any {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "ctx-lsp", Version: version, InformationURI: "https://github.com/ctx-lsp/ctx-lsp", Rules: []sarifRule{}}
	var known []string
	for _, f := range r.Findings {
		at := slices.Index(known, f.Code)
		if at < 0 {
			at = len(known)
			known = append(known, f.Code)
			text := rules[f.Code]
			if text == "" {
				text = f.Message
			}
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{f.Code, sarifText{text}})
		}
		result := sarifResult{RuleID: f.Code, RuleIndex: at, Level: sarifLevels[f.Severity], Message: sarifText{f.Message}}
		if f.Path != "" {
			var place sarifLocation
			place.Physical.Artifact.URI = (&url.URL{Path: f.Path}).EscapedPath()
			place.Physical.Region = sarifRegion{StartLine: f.Line, StartColumn: f.Column, EndLine: f.EndLine}
			result.Locations = []sarifLocation{place}
		}
		run.Results = append(run.Results, result)
	}
	return sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}
