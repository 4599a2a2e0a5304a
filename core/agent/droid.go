// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// droidEntry has no rule: it is unknown when Droid compacts.
var droidEntry = Entry{
	ID: Droid, Name: "Factory Droid", CompactCommand: "/compress",
	Proof:     Proof{Dated: "2026-11"},
	Recognise: isDroid, Read: func(string) Reader { return &droid{} },
}

func isDroid(r json.Value) bool {
	switch kind := r.Get("type"); {
	case r.Get(sidecarKey).Is("settings.json"):
		return r.Path("data", "tokenUsage").Exists()
	case kind.Is("session_start"):
		return r.Get("cwd").Exists()
	case kind.Is("todo_state"), kind.Is("compaction_state"):
		return r.Get("id").Exists()
	case kind.Is("message"):
		return reader.HasText(r.Get("id")) && r.Path("message", "role").Exists() && !r.Path("message", "timestamp").Exists() &&
			!r.Get("sessionId").Exists() && r.Path("message", "usage").IsNull()
	}
	return false
}

// droid reads the messages of Factory Droid. The provider's measurements are in a document next to them, as sums of the
// session. The difference of two sums is a measurement if exactly one reply is between them; otherwise it is only
// spent.
type droid struct {
	reader.Messages
	sums    [5]int64 // of the input, the cache read, the cache written, the output, and the reasoning
	replies int64    // replies since the last sums
	reply   int      // index where the last one begins
	// ends is the number of items up to the end of each message, by the message's id. A compaction names the last
	// message that it removed.
	ends map[uint64]int
}

// maxDroidMessages bounds the messages with a known index.
const maxDroidMessages = 20_000

func (d *droid) Walk(c *codec.Codec) {
	d.WalkMessages(c)
	c.Array("sums", d.sums[:])
	codec.Within(c, "replies", &d.replies, 0, maxRecords)
	codec.Within(c, "reply", &d.reply, 0, core.MaxItems)
	codec.Map(c, "ends", &d.ends, maxDroidMessages, func(end *int, c *codec.Codec) { codec.Within(c, "end", end, 0, core.MaxItems) })
}

func (d *droid) Record(r json.Value, emit func(core.Event)) {
	d.Emit = emit
	d.AdvanceTo(r.Get("timestamp"))
	if d.Agent == "" {
		d.SetAgent(Droid, r.Get("version"))
	}
	switch kind := r.Get("type"); {
	case r.Get(sidecarKey).Is("settings.json"):
		d.settings(r.Get("data"))
	case kind.Is("session_start"):
		d.SetWorkspace(r.Get("cwd"))
		d.SetTitle(reader.FirstOf(r, "sessionTitle", "title"), core.ByAgent)
	case kind.Is("message"):
		m := r.Get("message")
		if m.Get("role").Is("assistant") {
			d.replies, d.reply = d.replies+1, d.Items
		}
		d.Message(m)
		if d.ends == nil || len(d.ends) >= maxDroidMessages {
			d.ends = map[uint64]int{}
		}
		d.ends[reader.Hash(r.Get("id"))] = d.Items
	case kind.Is("compaction_state"):
		d.compacted(r)
	case kind.Is("agent_turn_outcome"):
		d.EndTurn()
	case kind.Is("todo_state"), kind.Is("session_settings"), kind.Is("session_end"):
	default:
		d.SkipUnknown(r, kind)
	}
}

// compacted reads a compaction. The items after its anchor message remain.
func (d *droid) compacted(r json.Value) {
	kept := 0
	if end, known := d.ends[reader.Hash(r.Path("anchorMessage", "id"))]; known {
		kept = max(d.Items-end, 0)
	}
	removed := d.Items - kept
	d.Compact(reader.FirstOf(r, "summaryText", "summary"), kept, core.Compacted{Auto: true, Before: core.Unknown, Tokens: core.Unknown})
	for id, end := range d.ends {
		d.ends[id] = max(end-removed, 0)
	}
	d.reply = max(d.reply-removed, 0)
}

var droidUsage = reader.UsageKeys{
	Fresh: "inputTokens", Read: "cacheReadTokens", Written: "cacheCreationTokens", Out: "outputTokens", Reasoning: "thinkingTokens",
}

func (d *droid) settings(s json.Value) {
	d.SetModel(reader.Short(s.Get("model")), "", "")
	u := s.Get("tokenUsage")
	now := reader.DisjointUsage(u, droidUsage)
	if now.In <= 0 {
		return
	}
	m := core.NewMetered()
	fresh := now.In
	for _, n := range [...]int64{now.CacheRead, now.CacheWrite} {
		fresh -= max(n, 0)
	}
	less := false
	for i, n := range [...]int64{fresh, max(now.CacheRead, 0), max(now.CacheWrite, 0), max(now.Out, 0), max(now.Reasoning, 0)} {
		n, d.sums[i] = n-d.sums[i], n
		less = less || n < 0
		*[...]*int64{&m.In, &m.CacheRead, &m.CacheWrite, &m.Out, &m.Reasoning}[i] = n
	}
	m.In += m.CacheRead + m.CacheWrite
	replies := d.replies
	d.replies = 0
	if less || m.In <= 0 || replies == 0 {
		return
	}
	m.Note = phrase.DroidDifference.Text()
	if m.Sum = replies > 1; m.Sum {
		m.Note = phrase.DroidSums.Text()
	}
	m.Through, m.ThroughSet = min(d.reply, d.Items), true
	d.Emit(m)
}
