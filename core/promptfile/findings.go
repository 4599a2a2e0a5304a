// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// maxFindings is the maximum number of findings for a document.
const maxFindings = 200

// overBudget is the code of the finding about a file that costs more than its budget.
const overBudget = "over-budget"

// findings returns the problems of a document and its imports.
func (w *walk) findings(v *View, budget Budget, others []string) []Finding {
	var out []Finding
	d := v.Document
	if d.front.unclosed && d.Kind != None {
		out = append(out, Finding{
			From: 0, To: 3, Severity: Warning, Code: "frontmatter-open",
			Message: phrase.FrontOpen.Text(),
		})
	}
	if d.coarse {
		out = append(out, Finding{
			From: 0, To: lineTextEnd(d.Text, 0, lineEnd(d.Text, 0)), Severity: Warning, Code: "too-many-parts",
			Message: phrase.TooManyHere.Text(phrase.Count(MaxParts)),
		})
	}
	out = append(out, w.overBudget(v, budget)...)
	for i, each := range v.Imports {
		if f, ok := w.aboutImport(v, i, each); ok {
			out = append(out, f)
		}
	}
	out = append(out, w.repeatedText(others)...)
	if len(out) > maxFindings {
		out = out[:maxFindings]
	}
	return out
}

func (w *walk) overBudget(v *View, budget Budget) []Finding {
	limit, alone, with := budget.Loaded, phrase.OverLoaded, phrase.OverLoadedWith
	if v.Load.When == Always {
		limit, alone, with = budget.Always, phrase.OverAlways, phrase.OverAlwaysWith
	}
	all := v.Tokens + v.Imported
	if v.Document.Kind == None || limit <= 0 || all <= limit {
		return nil
	}
	message := alone.Text(about(all, v.Exact), phrase.Count(limit))
	if v.Files > 0 {
		message = with.Text(about(all, v.Exact), about(v.Imported, v.Exact), phrase.Count(limit))
	}
	section, imported := heaviest(v.Sections), v.heaviestImport()
	switch {
	case imported != nil && (section == nil || imported.whole() > section.Own):
		message = phrase.HeaviestImport.Text(message.Arg(), phrase.Name(imported.Target), about(imported.whole(), v.Exact))
	case section != nil:
		message = phrase.HeaviestSection.Text(message.Arg(), phrase.Name(section.Title), about(section.Own, v.Exact))
	}
	end := lineTextEnd(v.Document.Text, 0, lineEnd(v.Document.Text, 0))
	return []Finding{{From: 0, To: end, Severity: Warning, Code: overBudget, Message: message}}
}

// heaviest returns the section with the most text of its own, or nil if there are fewer than two.
func heaviest(sections []Section) *Section {
	if len(sections) < 2 {
		return nil
	}
	best := &sections[0]
	for i := range sections {
		if sections[i].Own > best.Own {
			best = &sections[i]
		}
	}
	return best
}

// heaviestImport returns the import that adds the most tokens, or nil if none adds any.
func (v *View) heaviestImport() *ImportView {
	var best *ImportView
	for i := range v.Imports {
		if each := &v.Imports[i]; each.counted() && (best == nil || each.whole() > best.whole()) {
			best = each
		}
	}
	return best
}

func (w *walk) aboutImport(v *View, i int, each ImportView) (Finding, bool) {
	f := Finding{From: each.From, To: each.To, Severity: Warning}
	switch each.Problem {
	case string(Missing):
		if !meantAsFile(each.Target) {
			return f, false
		}
		f.Code, f.Message = "import-missing", phrase.ImportMissing.Text(phrase.Name(each.Target))
	case string(Outside):
		f.Severity = Information
		f.Code, f.Message = "import-outside", phrase.ImportOutside.Text(phrase.Name(each.Target))
	case string(TooLarge):
		f.Code, f.Message = "import-too-large", phrase.ImportLarge.Text(phrase.Name(each.Target))
	case string(Failed):
		f.Code, f.Message = "import-unreadable", phrase.ImportUnread.Text(phrase.Name(each.Target))
	case "circular":
		f.Code, f.Message = "import-circular", phrase.ImportCircular.Text(phrase.Name(each.Target))
	case "repeated":
		f.Severity = Information
		f.Code, f.Message = "import-repeated", phrase.ImportRepeated.Text(phrase.Name(each.Target))
	case "":
		if to := w.set.Find(each.ID); to != nil && to.coarse {
			f.Code, f.Message = "too-many-parts", phrase.TooManyThere.Text(phrase.Name(each.Target), phrase.Count(MaxParts))
			break
		}
		if w.tooDeep != "" && w.deep(i) {
			f.Code, f.Message = "import-too-deep", phrase.ImportDeep.Text(phrase.Count(MaxDepth), phrase.Name(w.tooDeep))
			break
		}
		return f, false
	default:
		return f, false
	}
	return f, true
}

// deep reports whether an import that is nested too deeply was reached through the root's i-th import.
func (w *walk) deep(i int) bool {
	for _, v := range w.visited {
		if v.at != i {
			continue
		}
		_, imports := v.document.outline()
		for _, each := range imports {
			if link, ok := v.document.link(each.Target); ok && link.Problem == Found {
				if next := w.set.Find(link.ID); next != nil && next.Path == w.tooDeep {
					return true
				}
			}
		}
	}
	return false
}

// repeatedText returns findings about paragraphs of the document that also appear elsewhere in it or in other loaded
// text.
func (w *walk) repeatedText(others []string) []Finding {
	loaded := make([]*Document, 0, len(w.visited)+len(others))
	for _, v := range w.visited {
		loaded = append(loaded, v.document)
	}
	for _, id := range others {
		d := w.set.Find(id)
		if d == nil || w.seen(d) {
			continue
		}
		loaded = append(loaded, d)
	}
	table := newTable(loaded)
	var out []Finding
	offset := 0
	for i := range w.root.blocks {
		b := &w.root.blocks[i]
		for _, p := range b.paras {
			at := offset + int(p.at)
			first, ok := table.find(p.hash)
			if !ok || first.document == w.root && first.at == at || len(out) >= maxFindings {
				continue
			}
			to := lineTextEnd(w.root.Text, at, offset+int(p.end))
			tokens := w.root.counter.Tokens(w.root.counter.Weigh(w.root.Text[at:to]))
			size := about(tokens, w.root.counter.Exact())
			message := phrase.RepeatedAbove.Text(size)
			if first.document != w.root {
				message = phrase.RepeatedIn.Text(size, phrase.Name(first.document.Path))
			}
			out = append(out, Finding{
				From: at, To: to, Severity: Information, Code: "text-repeated",
				Message: message,
				Other:   first.document.ID, OtherFrom: first.at, OtherTo: first.end, OtherMessage: phrase.SameText.Text(),
			})
		}
		offset += int(b.size)
	}
	return out
}

// A place is the first occurrence of a paragraph.
type place struct {
	hash     uint64
	document *Document
	at, end  int
}

// A table finds paragraphs by their hash. It uses open addressing, because maps are slow on some target platforms.
type table struct {
	slots []place
	mask  uint64
}

// newTable returns a table of the paragraphs of all documents. It adds the root's last, so that a paragraph of the root
// is found in another document if it appears there too.
func newTable(documents []*Document) *table {
	n := 0
	for _, d := range documents {
		for i := range d.blocks {
			n += len(d.blocks[i].paras)
		}
	}
	size := 16
	for size < 2*n {
		size *= 2
	}
	t := &table{slots: make([]place, size), mask: uint64(size - 1)}
	for i := 1; i <= len(documents); i++ {
		d := documents[i%len(documents)]
		offset := 0
		for j := range d.blocks {
			for _, p := range d.blocks[j].paras {
				t.put(place{p.hash, d, offset + int(p.at), lineTextEnd(d.Text, offset+int(p.at), offset+int(p.end))})
			}
			offset += int(d.blocks[j].size)
		}
	}
	return t
}

func (t *table) put(p place) {
	for i := p.hash & t.mask; ; i = (i + 1) & t.mask {
		if t.slots[i].document == nil {
			t.slots[i] = p
			return
		}
		if t.slots[i].hash == p.hash {
			return // keep the first one
		}
	}
}

func (t *table) find(hash uint64) (place, bool) {
	for i := hash & t.mask; ; i = (i + 1) & t.mask {
		if t.slots[i].document == nil {
			return place{}, false
		}
		if t.slots[i].hash == hash {
			return t.slots[i], true
		}
	}
}

// about formats a number of tokens, marked as approximate unless it is exact.
func about(n int64, exact bool) phrase.Arg {
	if exact {
		return phrase.Count(n)
	}
	return phrase.Approximately.Arg(phrase.Count(n))
}
