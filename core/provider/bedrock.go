// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"bytes"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// readConverse reads the usage of Bedrock's Converse, and of the metadata event of its stream. Cached tokens are not
// included in inputTokens. Whether totalTokens includes them depends on the model; both are accepted.
func readConverse(r *reader, u, _ json.Value, c *counts) {
	c.input = r.must(u, "inputTokens")
	c.output = r.must(u, "outputTokens")
	c.cacheRead = first(r.may(u, "cacheReadInputTokens"), r.may(u, "cacheReadInputTokenCount"))
	c.cacheWrite = first(r.may(u, "cacheWriteInputTokens"), r.may(u, "cacheWriteInputTokenCount"), r.may(u, "cacheCreationInputTokens"))
	c.keptShort, c.keptLong = r.keptFor(u, "5m"), r.keptFor(u, "1h")
	c.sum = has(u, "costUSD") // Claude Code's totals of one model over a whole session
	c.total = r.may(u, "totalTokens")
	c.cache, c.thought = without, within
}

// keptFor returns how many tokens Bedrock wrote to the cache for a lifetime, or Unknown if it does not report them.
func (r *reader) keptFor(u json.Value, lifetime string) int64 {
	for e := u.Get("cacheDetails").Elements(); e.Next(); {
		if e.Value.Get("ttl").Is(lifetime) {
			return r.whole(e.Value.Get("inputTokens"), "cacheDetails.inputTokens")
		}
	}
	return core.Unknown
}

// readInvokeModel reads the numbers that InvokeModel reports for any model, from its response headers or from the
// metrics in the last chunk of its stream.
func readInvokeModel(r *reader, u, _ json.Value, c *counts) {
	if hasPrefixed(u, "x-amzn-bedrock-") {
		c.input = r.header(u, "x-amzn-bedrock-input-token-count")
		c.output = r.header(u, "x-amzn-bedrock-output-token-count")
		c.cacheRead = r.header(u, "x-amzn-bedrock-cache-read-input-token-count")
		c.cacheWrite = r.header(u, "x-amzn-bedrock-cache-write-input-token-count")
	} else {
		c.input = r.must(u, "inputTokenCount")
		c.output = r.must(u, "outputTokenCount")
		c.cacheRead = r.may(u, "cacheReadInputTokenCount")
		c.cacheWrite = r.may(u, "cacheWriteInputTokenCount")
	}
	c.cache, c.thought = without, within
}

// header reads a header, ignoring the case of its name. If a client keeps values in lists, it reads the first one.
func (r *reader) header(u json.Value, name string) int64 {
	var scratch []byte
	var found json.Value
	for f := u.Fields(); f.Next(); {
		var key []byte
		key, scratch = f.Key.Text(scratch[:0])
		if bytes.EqualFold(key, []byte(name)) {
			found = f.Value
		}
	}
	if found.Kind() == json.Array {
		e := found.Elements()
		if !e.Next() {
			return r.numeral(json.Value{}, name)
		}
		found = e.Value
	}
	return r.numeral(found, name)
}
