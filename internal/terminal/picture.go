// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// PictureSchema identifies the format of a Picture in JSON.
const PictureSchema = "ctx.picture/2"

// Picture holds the contents of a window, by kind and by name, in drawing order.
type Picture struct {
	Schema    string          `json:"schema"`
	Session   string          `json:"session"`
	Title     string          `json:"title"`
	Agent     string          `json:"agent"`
	AgentName string          `json:"agentName"` // the agent's display name
	Model     string          `json:"model"`
	Workspace string          `json:"workspace"`
	Used      int64           `json:"used"`
	Limit     *int64          `json:"limit"`
	Percent   *api.Hundredths `json:"percent"`
	Basis     api.Basis       `json:"basis"`
	Groups    []Group         `json:"groups"` // their tokens add up to used
	// Free is what is left until the agent compacts, or until the window is full if no threshold is known. HeldBack is
	// the part after the threshold.
	Free          *int64          `json:"free"`
	FreeShare     *api.Hundredths `json:"freeShare"` // share of the window, like every share
	Threshold     *int64          `json:"threshold"`
	HeldBack      int64           `json:"heldBack"`
	HeldBackShare *api.Hundredths `json:"heldBackShare"`
	Deferred      []Named         `json:"deferred"` // listed in the prompt by name only, and loaded on demand
	Servers       []api.Server    `json:"mcpServers"`
	Largest       []api.LargeItem `json:"largest"` // the largest items in the conversation

	display api.Display
	level   api.Level
}

// Group is everything of one kind.
type Group struct {
	Kind   api.Kind        `json:"kind"`
	Label  string          `json:"label"`
	Tokens int64           `json:"tokens"`
	Basis  api.Basis       `json:"basis"`
	Share  *api.Hundredths `json:"share"` // share of the window
	Items  []Named         `json:"items"` // its named parts
}

// Named is a named part.
type Named struct {
	Label  string    `json:"label"`
	Tokens int64     `json:"tokens"`
	Basis  api.Basis `json:"basis"`
}

// NewPicture groups the rows of a Reading by kind. largest is a longer list of the largest items than the ten in the
// Reading.
func NewPicture(r *api.Reading, largest []api.LargeItem) *Picture {
	p := &Picture{
		Schema: PictureSchema, Session: r.Session, Title: r.Title, Agent: r.Agent, AgentName: r.Agent, Model: r.Model, Workspace: r.Workspace,
		Used: r.Used, Limit: r.Limit, Percent: r.Percent, Basis: r.Basis, Free: r.Free, FreeShare: r.FreeShare, Groups: []Group{}, Deferred: []Named{},
		Largest: largest, display: r.Display, level: r.Compaction.Level,
	}
	if p.Servers = r.MCPServers; p.Servers == nil {
		p.Servers = []api.Server{}
	}
	if p.Largest == nil {
		p.Largest = []api.LargeItem{}
	}
	if c := r.Compaction; c.Threshold != nil && c.Left != nil && c.Buffer != nil && r.Limit != nil {
		p.Threshold, p.Free, p.FreeShare, p.HeldBack, p.HeldBackShare = c.Threshold, c.Left, c.LeftShare, *c.Buffer, c.BufferShare
	} else {
		p.HeldBack, p.HeldBackShare = r.Reserve, api.ShareOf(r.Reserve, r.Limit)
	}
	for _, row := range r.Breakdown {
		part := Named{row.Label.Text, row.Tokens, row.Basis}
		if row.Deferred {
			p.Deferred = append(p.Deferred, part)
			continue
		}
		at := slices.IndexFunc(p.Groups, func(g Group) bool { return g.Kind == row.Kind })
		if at < 0 {
			at = len(p.Groups)
			p.Groups = append(p.Groups, Group{Kind: row.Kind, Label: kindLabel(row), Basis: row.Basis, Items: []Named{}})
		}
		g := &p.Groups[at]
		g.Tokens += row.Tokens
		if g.Basis != row.Basis {
			g.Basis = "estimated"
		}
		g.Items = append(g.Items, part)
	}
	for i := range p.Groups {
		g := &p.Groups[i]
		g.Share = api.ShareOf(g.Tokens, r.Limit)
		if k, ok := core.KindOf(string(g.Kind)); ok && len(g.Items) > 1 {
			g.Label = k.Label().English() // whatever the name of the first one
		}
		if len(g.Items) == 1 && strings.HasPrefix(g.Items[0].Label, g.Label) {
			g.Items = []Named{} // a single name would only repeat the kind
		}
		slices.SortStableFunc(g.Items, func(a, b Named) int { return int(min(max(b.Tokens-a.Tokens, -1), 1)) })
	}
	return p
}

// kindLabel returns the name for the kind of a row. A derived row with a phrase of its own keeps its name, unless the
// phrase is about one part of the kind.
func kindLabel(row api.Row) string {
	k, ok := core.KindOf(string(row.Kind))
	if ok && (row.Basis != "derived" || row.Label.ID == "" || row.Label.ID == string(row.Kind) || row.Label.ID == phrase.Unseen.Name()) {
		return k.Label().English()
	}
	return row.Label.Text
}

// tenths formats a percentage with one decimal. A share of more than a hundred windows results from a wrong window
// size, so its exact value does not matter.
func tenths(share api.Hundredths) string {
	n := core.Tenths(int64(share))
	if n == 0 && share > 0 {
		return "<0.1"
	}
	if n > 99_999 {
		return ">9999"
	}
	return itoa(n/10) + "." + itoa(n%10)
}

// cells divides the cells of a grid among the groups, the free part and the part that is held back. The groups together
// get the used percentage, rounded, or all cells if the window is unknown. A small group may get none.
func (p *Picture) cells(total int) (groups []int, free, back int) {
	rounded := func(share *api.Hundredths) int {
		return int(min((max(int64(*share), 0)*int64(total)+50_00)/100_00, int64(total)))
	}
	lit := 0
	switch {
	case p.Percent != nil:
		lit = rounded(p.Percent)
	case p.Used > 0:
		lit = total
	}
	groups = make([]int, len(p.Groups))
	lit = p.divide(groups, lit)
	if p.HeldBackShare != nil {
		back = min(rounded(p.HeldBackShare), total-lit)
	}
	return groups, total - lit - back, back
}

// divide divides cells among the groups by their tokens, and returns how many it assigned: each group gets its whole
// cells, and those with the largest remainders get one more.
func (p *Picture) divide(groups []int, cells int) int {
	sum := int64(0)
	for _, g := range p.Groups {
		sum += max(g.Tokens, 0)
	}
	if sum == 0 {
		return 0
	}
	remainders, order := make([]int64, len(groups)), make([]int, len(groups))
	rest := cells
	for i, g := range p.Groups {
		share := max(g.Tokens, 0) * int64(cells)
		groups[i], remainders[i], order[i] = int(share/sum), share%sum, i
		rest -= groups[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(remainders[b], remainders[a]) })
	for _, i := range order[:rest] {
		groups[i]++
	}
	return cells
}
