// Copyright The ctx-lsp authors. MIT licence.

package acp

import (
	"encoding/json"
	"strings"
	"sync"
)

// Compactions in the protocol: an agent reports one with compaction_update and may stream its summary with
// compaction_summary_chunk. In version 1 the client has to declare support for them; in version 2 every client supports
// them.

// maxCompactions limits how many compactions are remembered, and maxSummary the size of a summary.
const (
	maxCompactions = 256
	maxSummary     = 1 << 20
)

// compactions are the compactions reported by an agent, by session and id.
type compactions struct {
	mu       sync.Mutex
	declared bool // the client declared support in version 1
	supports bool // the client supports them, by its declaration or the version that the agent accepted
	byID     map[[2]string]*compaction
}

type compaction struct {
	summary string
	done    bool
}

// readCapabilities reads the client's declaration.
func (c *compactions) readCapabilities(params json.RawMessage) {
	var p struct {
		Capabilities struct {
			Session struct {
				Compaction *struct{} `json:"compaction"`
			} `json:"session"`
		} `json:"clientCapabilities"`
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.declared = json.Unmarshal(params, &p) == nil && p.Capabilities.Session.Compaction != nil
}

// readVersion reads the version that the agent accepted.
func (c *compactions) readVersion(result json.RawMessage) {
	var r struct {
		Version int `json:"protocolVersion"`
	}
	_ = json.Unmarshal(result, &r) // a missing version means 1
	c.mu.Lock()
	defer c.mu.Unlock()
	c.supports = c.declared || r.Version >= 2
}

// supported reports whether the client supports compactions.
func (c *compactions) supported() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.supports
}

// compactionUpdate holds the fields of both updates that are used here.
type compactionUpdate struct {
	ID      string          `json:"compactionId"`
	Status  string          `json:"status"`
	Summary json.RawMessage `json:"summary"`
	Content json.RawMessage `json:"content"`
}

// apply applies an update of a session. If it completes the compaction, it returns the summary and true.
func (c *compactions) apply(session, kind string, u compactionUpdate) (summary string, completed bool) {
	if u.ID == "" {
		return "", false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byID == nil || len(c.byID) >= maxCompactions {
		c.byID = map[[2]string]*compaction{}
	}
	key := [2]string{session, u.ID}
	one := c.byID[key]
	if one == nil {
		one = &compaction{}
		c.byID[key] = one
	}
	if one.done {
		return "", false
	}
	if kind == "compaction_summary_chunk" {
		var b block
		if json.Unmarshal(u.Content, &b) == nil && len(one.summary) < maxSummary {
			one.summary += b.text()
		}
		return "", false
	}
	if len(u.Summary) > 0 { // if absent, the summary stays unchanged
		var blocks []block
		_ = json.Unmarshal(u.Summary, &blocks) // null clears it
		var text strings.Builder
		for i := range blocks {
			text.WriteString(blocks[i].text())
		}
		one.summary = text.String()
	}
	one.done = u.Status == "completed" || u.Status == "failed" || u.Status == "cancelled"
	return one.summary, u.Status == "completed"
}

// SendCompaction sends the client a completed compaction if it supports them.
func (c *Connection) SendCompaction(session, id string, about json.RawMessage) error {
	if !c.talk.compactions.supported() {
		return nil
	}
	return c.send(session, struct {
		Kind   string          `json:"sessionUpdate"`
		ID     string          `json:"compactionId"`
		Status string          `json:"status"`
		Meta   json.RawMessage `json:"_meta,omitempty"`
	}{"compaction_update", id, "completed", about})
}
