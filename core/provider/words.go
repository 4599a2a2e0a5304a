// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A role is the meaning of a number in a usage, as far as its name shows.
type role uint8

const (
	noRole role = iota
	noMatter
	inputRole
	outputRole
	totalRole
	reasoningRole
	cacheReadRole
	cacheWriteRole
	toolsRole
	lifetimeRole // a part of the cache writes, by lifetime
)

// A word is the meaning of a name. side is the usual placement of the number for programs that use the name; a total
// takes precedence.
type word struct {
	role role
	side wordSide
}

type wordSide uint8

const (
	noSide wordSide = iota
	includedSide
	separateSide
)

// vocabulary lists the folded names for each meaning.
var vocabulary = []struct {
	word
	names []string
}{
	{word{inputRole, noSide}, []string{
		"inputtokens", "prompttokens", "input", "prompt", "prompttokencount", "inputtokencount", "prompttokenscount",
		"inputtokenscount", "promptevalcount", "tokensevaluated", "totalinputtokens",
	}},
	{word{outputRole, noSide}, []string{
		"outputtokens", "completiontokens", "output", "completion", "candidatestokencount", "outputtokencount",
		"responsetokencount", "predictedtokenscount", "outputtokenscount", "evalcount", "tokenspredicted",
		"totaloutputtokens", "generatedtokens",
	}},
	{word{totalRole, noSide}, []string{
		"totaltokens", "total", "totaltokencount", "totaltokenscount",
	}},
	{word{reasoningRole, noSide}, []string{
		"reasoningtokens", "reasoning", "reasoningoutputtokens", "reasoningtokencount", "thinkingtokens", "thinking",
	}},
	{word{reasoningRole, separateSide}, []string{
		"thoughts", "thoughttokens", "thoughtstokens", "thoughtstokencount", "totalthoughttokens",
	}},
	{word{cacheReadRole, includedSide}, []string{
		"cached", "cachedtokens", "cachedinputtokens", "cachedprompttokens", "cachedcontenttokencount",
		"cachedcontenttokens", "cachedinputtokencount", "numcachedtokens", "promptcachedtokens", "prompttokenscached",
		"promptcachehittokens", "cachedprompttexttokens", "promptevalcachedcount", "totalcachedtokens",
	}},
	{word{cacheReadRole, noSide}, []string{
		"cachereadtokens", "cacheread",
	}},
	{word{cacheReadRole, separateSide}, []string{
		"cachereadinputtokens", "cachereadinputtokencount", "cachedreadtokens",
	}},
	{word{cacheWriteRole, noSide}, []string{
		"cachewritetokens", "cachewrite",
	}},
	{word{cacheWriteRole, separateSide}, []string{
		"cachecreationtokens", "cachecreationinputtokens", "cachewriteinputtokens", "cachewriteinputtokencount",
		"cachecreation", "cachedwritetokens",
	}},
	{word{toolsRole, noSide}, []string{
		"tool", "tooltokens", "tooltokencount", "tooluseprompttokencount", "tooluseprompttokens", "totaltoolusetokens",
		"connectortokens",
	}},
	{word{lifetimeRole, separateSide}, []string{
		"ephemeral5minputtokens", "ephemeral1hinputtokens",
	}},
}

// asides are names of numbers that have nothing to do with the window: money, time, how often a tool ran, and parts of
// numbers that are counted as a whole.
var asides = []string{
	"cost", "costs", "totalcost", "inputcost", "outputcost", "costusd", "costdetails", "price", "totalprice",
	"credits", "creditsused", "isbyok", "upstreaminferencecost", "duration", "durationms", "statuscode", "totalduration",
	"loadduration", "promptevalduration", "evalduration", "latency", "latencyms", "firstbytelatency",
	"invocationlatency", "totaltime", "prompttime", "completiontime", "queuetime", "timetofirsttokensec",
	"tokenspersecond", "audiotokens", "texttokens", "imagetokens", "videotokens", "documenttokens", "filetokens",
	"nocache", "nocachetokens", "text", "image", "audio", "video", "document", "inputaudiotokens", "inputtexttokens",
	"inputimagetokens", "outputtexttokens", "outputaudiotokens", "outputimagetokens", "inputtexttokencount",
	"inputaudiotokencount", "outputtexttokencount", "outputaudiotokencount", "acceptedpredictiontokens",
	"rejectedpredictiontokens", "promptcachemisstokens", "completionreasoningtokens", "completionaudiotokens",
	"completionacceptedpredictiontokens", "completionrejectedpredictiontokens", "prompttexttokens",
	"promptimagetokens", "promptaudiotokens", "citationtokens", "numsearchqueries", "numsourcesused",
	"searchcontextsize", "inputcharacters", "outputcharacters", "inputimages", "outputimages", "inputvideos",
	"outputvideos", "inputaudiofiles", "outputaudiofiles", "billedunits", "servertooluse", "servertoolusedetails",
	"requests", "request", "requestcount", "connectors", "toolcalls", "successfulrequests", "requestusageentries",
	"iterations", "raw", "custom", "servicetier", "traffictype", "promptaudioseconds", "seconds", "billablecharacters",
	"totalbillablecharacters", "contextdetails", "prompttokensdetails", "cachetokensdetails",
	"candidatestokensdetails", "tooluseprompttokensdetails", "responsetokensdetails", "inputtokensbymodality",
	"outputtokensbymodality", "cachedtokensbymodality", "toolusetokensbymodality", "thoughttokensbymodality",
	"cachedetails", "initialprompttokencount", "initialinputtokens", "cachewritetokensdetails", "cachedtokensdetails",
	"orchestrationinputtokens", "orchestrationoutputtokens", "tokenscached", "webfetchrequests", "websearchrequests",
	"additionalcounts",
}

// details are objects in a usage that contain parts of its other numbers.
var details = []string{
	"prompttokensdetails", "prompttokendetails", "inputtokensdetails", "inputtokendetails", "completiontokensdetails",
	"completiontokendetails", "outputtokensdetails", "outputtokendetails", "cache", "cachecreation", "tokensdetails",
	"tokendetails",
}

// meanings contains every name of the vocabulary and of the asides.
var meanings = func() map[string]word {
	m := make(map[string]word)
	for _, name := range asides {
		m[name] = word{noMatter, noSide}
	}
	for _, v := range vocabulary {
		for _, name := range v.names {
			m[name] = v.word
		}
	}
	return m
}()

// meaning returns the meaning of a folded name, noRole if unknown.
func meaning(folded []byte) word { return meanings[string(folded)] }

// aside reports whether a folded name belongs to a number that has nothing to do with the window.
func aside(folded []byte) bool { return meaning(folded).role == noMatter }

// fold removes case and separators from a name: cacheReadTokens, cache_read_tokens, CacheReadTokens and
// cache-read-tokens are the same name.
func fold(name, scratch []byte) []byte {
	scratch = scratch[:0]
	for _, c := range name {
		switch {
		case c == '_' || c == '-' || c == '.' || c == ' ':
		case c >= 'A' && c <= 'Z':
			scratch = append(scratch, c+'a'-'A')
		default:
			scratch = append(scratch, c)
		}
	}
	return scratch
}

// namesUsage reports whether an object is a usage by its names alone: it has at least two known names, one of them with
// a number or null, and no name that a message has.
func namesUsage(u json.Value) bool {
	names, numbers := 0, 0
	var scratch []byte
	for f := u.Fields(); f.Next(); {
		scratch = fold(f.Name(), scratch)
		role := meaning(scratch).role
		switch {
		case among(scratch, "type", "role", "content", "text", "delta"):
			return false
		case f.Value.Kind() == json.Object && among(scratch, "cache"):
			names, numbers = names+1, numbers+1
		case role > noMatter && role != lifetimeRole:
			names++
			if f.Value.Kind() == json.Number || f.Value.IsNull() {
				numbers++
			}
		}
	}
	return names >= 2 && numbers >= 1
}

// readWords reads a usage by its names alone: OpenCode's tokens, gemini-cli's, a Go structure as encoding/json writes
// it, and the known names of every provider in any case. If a name does not decide the placement, the total does.
func readWords(r *reader, u, _ json.Value, c *counts) {
	c.cache, c.thought = inside, inside
	r.remainder(u, c)
	if c.input == core.Unknown {
		r.warn("input", phrase.FieldUnknown.Text())
	}
	short := has(u, "input", "Input", "INPUT")
	if r.cacheObject && c.thought == inside {
		c.thought = separate // OpenCode counts both separately
	}
	if short && c.cache == inside && !r.cacheNamed {
		c.cache = separate // {input, output, cacheRead, cacheWrite}: programs with these names count the cache separately
		r.cacheNamed = true
	}
	c.unclear = !r.cacheNamed
}
