// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import "github.com/ctx-lsp/ctx-lsp/core"

// What is said of a file in a line, behind its headings and imports, and in hovers.
const (
	alwaysLoaded   core.Phrase = "alwaysLoaded:{0} tokens in every request"
	onDemand       core.Phrase = "onDemand:{0} tokens on demand"
	loadedFor      core.Phrase = "loadedFor:{0} tokens loaded for {1}"
	hereImported   core.Phrase = "hereImported:{0} here, {1} imported"
	listedAlways   core.Phrase = "listedAlways:{0} always"
	importLacks    core.Phrase = "importLacks:{0} · 1 import missing"
	importsLack    core.Phrase = "importsLack:{0} · {1} imports missing"
	shareOf        core.Phrase = "shareOf:{0} of {1}"
	forModel       core.Phrase = "forModel:{0} for {1}"
	tokensOnly     core.Phrase = "tokensOnly:{0} tokens"
	sectionTokens  core.Phrase = "sectionTokens:{0} tokens in this section"
	sectionOwn     core.Phrase = "sectionOwn:{0} tokens in this section, {1} of them before the next heading"
	importTokens   core.Phrase = "importTokens:{0} tokens by {1}"
	headed         core.Phrase = "headed:**{0} tokens** · {1}"
	broughtBy      core.Phrase = "broughtBy:**{0} tokens** by {1}."
	broughtWithAll core.Phrase = "broughtWithAll:**{0} tokens** by {1}, what it imports included."
	noSuchFile     core.Phrase = "noSuchFile:There is no file {0}."
	outsideHere    core.Phrase = "outsideHere:{0} lies outside of what is read here; its tokens are not known."
	notRead        core.Phrase = "notRead:{0} is not read."
	countedOnce    core.Phrase = "countedOnce:{0} is imported already; it is counted once."
	described      core.Phrase = "described:{0} tokens of it, the description, are in every request."
	byFile         core.Phrase = "byFile:By file:"
	thisFile       core.Phrase = "thisFile:this file"
	bySection      core.Phrase = "bySection:By section, without those below it:"
	ownBefore      core.Phrase = "ownBefore:{0} of them before the next heading."
	estimateMark   core.Phrase = "estimateMark:~ marks an estimate: this model's tokenizer is not public."
	shareOfWindow  core.Phrase = "shareOfWindow:{0} of the window of {1} of {2}"
	inTheSession   core.Phrase = "inTheSession:{0} in this workspace's session"
	underAgent     core.Phrase = "underAgent:{0} under its agent"
	standsFor      core.Phrase = "standsFor:{0}, which stands for the models that usually read such files"
	sentenceEnds   core.Phrase = "sentenceEnds:{0}."
)

// What is wrong with a file.
const (
	frontOpen       core.Phrase = "frontOpen:The frontmatter has no closing ---; agents read it as text."
	tooManyHere     core.Phrase = "tooManyHere:This file has more than {0} headings, imports and fences; it is counted as one piece, and what it imports is not."
	tooManyThere    core.Phrase = "tooManyThere:{0} has more than {1} headings, imports and fences; what it imports is not counted."
	overAlways      core.Phrase = "overAlways:{0} tokens in every request; the budget is {1}."
	overAlwaysWith  core.Phrase = "overAlwaysWith:{0} tokens in every request, {1} of them imported; the budget is {2}."
	overLoaded      core.Phrase = "overLoaded:{0} tokens when it is loaded; the budget is {1}."
	overLoadedWith  core.Phrase = "overLoadedWith:{0} tokens when it is loaded, {1} of them imported; the budget is {2}."
	heaviestImport  core.Phrase = "heaviestImport:{0} The heaviest import is {1} with {2}."
	countedFor      core.Phrase = "countedFor:{0} Counted for {1}."
	heaviestSection core.Phrase = "heaviestSection:{0} The heaviest section is \"{1}\" with {2}."
	importMissing   core.Phrase = "importMissing:There is no file {0}; nothing is imported here."
	importOutside   core.Phrase = "importOutside:{0} lies outside of the workspace and of your agents' own folders; it is not read here, so its tokens are not known."
	importLarge     core.Phrase = "importLarge:{0} is too large, or no text; its tokens are not counted."
	importUnread    core.Phrase = "importUnread:{0} cannot be read."
	importCircular  core.Phrase = "importCircular:{0} imports a file that it was imported by; the circle is followed once."
	importRepeated  core.Phrase = "importRepeated:{0} is imported already, here or by another import; it is counted once."
	importDeep      core.Phrase = "importDeep:Imports are followed {0} deep; {1} and what it imports are not loaded."
	repeatedAbove   core.Phrase = "repeatedAbove:The same text ({0} tokens) stands further up, which is loaded with this."
	repeatedIn      core.Phrase = "repeatedIn:The same text ({0} tokens) stands in {1}, which is loaded with this."
	sameText        core.Phrase = "sameText:the same text"
)

// When a file is loaded, and why.
const (
	whyAlways      core.Phrase = "whyAlways:In every request."
	whyEverywhere  core.Phrase = "whyEverywhere:In every request, in every workspace of yours."
	whyNoPaths     core.Phrase = "whyNoPaths:In every request: a rule without paths is loaded at the start."
	whyAlwaysApply core.Phrase = "whyAlwaysApply:In every request: alwaysApply is set."
	whyAllFiles    core.Phrase = "whyAllFiles:In every request: it applies to all files."
	whyAlwaysOn    core.Phrase = "whyAlwaysOn:In every request: its trigger is always_on."
	whyMode        core.Phrase = "whyMode:In every request while its mode is chosen."
	whyPaths       core.Phrase = "whyPaths:Loaded when {0} works with a file that matches its paths."
	whyGlobs       core.Phrase = "whyGlobs:Loaded when a file that matches its globs is in the conversation."
	whyApplyTo     core.Phrase = "whyApplyTo:Loaded when a file that matches applyTo is in the conversation."
	whyFolder      core.Phrase = "whyFolder:Loaded when the agent works with a file below {0}/."
	whyNearest     core.Phrase = "whyNearest:Loaded when the agent works below {0}/; the nearest such file counts."
	whySubAgent    core.Phrase = "whySubAgent:Its description is in every request; the rest is the system prompt of the sub-agent, in a context of its own."
	whySkill       core.Phrase = "whySkill:Its name and description are in every request; the rest is loaded when the skill is used."
	whyModelAsks   core.Phrase = "whyModelAsks:Its description is in every request; the rest is loaded when the model asks for it."
	whyCommand     core.Phrase = "whyCommand:Loaded when the command is called."
	whyNamed       core.Phrase = "whyNamed:Loaded when somebody names it."
	whyAttached    core.Phrase = "whyAttached:Loaded when somebody attaches it: it has no applyTo."
	whyPrompt      core.Phrase = "whyPrompt:Loaded when the prompt is run."
	whyChosen      core.Phrase = "whyChosen:Loaded while this agent is chosen."
	whyImported    core.Phrase = "whyImported:Loaded where another file imports it."
)

// What kinds of files are called whose names are no names of files.
const (
	noPromptFile core.Phrase = "noPromptFile:no prompt file"
	ruleOf       core.Phrase = "ruleOf:{0} rule"
	agentOf      core.Phrase = "agentOf:{0} agent"
	commandOf    core.Phrase = "commandOf:{0} command"
	modeRuleOf   core.Phrase = "modeRuleOf:{0} rule of a mode"
	skillFile    core.Phrase = "skillFile:skill"
	instructions core.Phrase = "instructionsOf:{0} instructions"
	instructing  core.Phrase = "instructionsFile:instructions file"
	promptFile   core.Phrase = "promptFile:prompt file"
	chosenAgent  core.Phrase = "customAgent:custom agent"
)
