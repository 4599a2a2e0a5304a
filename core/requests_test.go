// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

func TestTheAnchorTheMeasuredAndTheShownRequest(t *testing.T) {
	answered, refused, stated := request{id: 1, in: 100}, request{id: 2, in: 200, flags: requestOverflow}, request{id: 3, in: 300, flags: requestStated}
	for _, c := range []struct {
		name                    string
		list                    []request
		anchor, measured, shown uint64
	}{
		{"nothing", nil, 0, 0, 0},
		{"an answer", []request{answered}, 1, 1, 1},
		{"a refusal behind an answer", []request{answered, refused}, 2, 1, 2},
		{"a stated remainder behind a refusal", []request{answered, refused, stated}, 3, 1, 1},
		{"a stated remainder alone", []request{stated}, 3, 0, 0},
	} {
		q := requests{list: c.list}
		id := func(r *request) uint64 {
			if r == nil {
				return 0
			}
			return r.id
		}
		if a, m, s := id(q.anchor()), id(q.measured()), id(q.shown()); a != c.anchor || m != c.measured || s != c.shown {
			t.Errorf("%s: anchor %d, measured %d, shown %d", c.name, a, m, s)
		}
	}
}

func TestRequestsAreBoundedAndFoundAmongTheLast(t *testing.T) {
	var q requests
	forgotten := 0
	for id := uint64(1); id <= 2*requestsKept; id++ {
		forgotten += q.add(request{id: id})
	}
	if len(q.list)+forgotten != 2*requestsKept || len(q.list) > requestsKept {
		t.Errorf("%d kept, %d forgotten", len(q.list), forgotten)
	}
	if i := q.find(2*requestsKept - 10); i != len(q.list)-11 {
		t.Errorf("a request of just now is at %d", i)
	}
	if i := q.find(2*requestsKept - requestsSearched); i != -1 {
		t.Errorf("an old request was looked for, at %d", i)
	}
}

func TestReasoningBeforeTheAnchorIsThatOfItsTurn(t *testing.T) {
	q := requests{list: []request{
		{turn: 1, ownReasoning: reasoningSum{1000, 1}},
		{turn: 2, ownReasoning: reasoningSum{10, 1}},
		{turn: 2, ownReasoning: reasoningSum{20, 2}},
		{turn: 2, ownReasoning: reasoningSum{500, 5}},
	}}
	if got := q.reasoningBefore(); got != (reasoningSum{30, 3}) {
		t.Errorf("%+v", got)
	}
}

func TestALaterReportReplacesWhatItKnows(t *testing.T) {
	r := request{in: 100, out: 1, reasoning: Unknown, cacheRead: 50, cacheWrite: Unknown, flags: requestPartial | requestPlaceholder | requestInflated | requestDoubtful}
	m := NewMetered()
	m.Out, m.Reasoning = 40, 30
	r.update(&m)
	if r != (request{in: 100, out: 40, reasoning: 30, cacheRead: 50, cacheWrite: Unknown, flags: requestInflated}) {
		t.Errorf("%+v", r)
	}
}
