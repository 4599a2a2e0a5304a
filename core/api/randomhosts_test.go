// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"

	"github.com/ctx-lsp/ctx-lsp/internal/randomhost"
)

// TestHostWordsAreTokens checks the texts of the random host by another tokenizer.
func TestHostWordsAreTokens(t *testing.T) {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	other, err := tiktoken.GetEncoding("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range randomhost.Words {
		for _, b := range randomhost.Words {
			if text := " " + a + " " + b; len(other.EncodeOrdinary(text)) != 2 {
				t.Errorf("%q is not two tokens", text)
			}
		}
	}
}

// TestRandomHosts checks that the prediction before each request is right whatever goes wrong at a host, in every shape
// of messages, with usages by call, in the messages or both, and that a saved session continues with the same numbers.
// CTX_HOSTS sets the number of conversations, and CTX_HOST_SEED runs a single one and prints its calls. No ledger is
// ever refused, and no restored session differs.
func TestRandomHosts(t *testing.T) {
	n, seed := 200, rand.Uint64()>>20
	if text := os.Getenv("CTX_HOST_FROM"); text != "" {
		seed, _ = strconv.ParseUint(text, 10, 64)
	}
	if text := os.Getenv("CTX_HOSTS"); text != "" {
		n, _ = strconv.Atoi(text)
	}
	single := os.Getenv("CTX_HOST_SEED")
	if single != "" {
		seed, _ = strconv.ParseUint(single, 10, 64)
		n = 1
	}
	core, twin := withVocabularies(t), withVocabularies(t)
	results := newHostTable()
	for i := range n {
		h := randomhost.New(seed+uint64(i), core, twin, func() randomhost.Caller { return withVocabularies(t) })
		h.Converse()
		core.Call("ctx/session/close", []byte(`{"id":"host"}`))
		twin.Call("ctx/session/close", []byte(`{"id":"host"}`))
		results.add(h, seed+uint64(i))
		if single != "" {
			t.Logf("%s, %s, %s\n%s", h.Shape(), h.Trouble, h.Habits(), strings.Join(h.Past, "\n"))
		}
	}
	t.Logf("%d of %d conversations from seed %d failed, %d numbers had a mark and a range with the true one:\n%s",
		results.failed, n, seed, results.marked, results)
	mixed := results.failedOf("model") + results.failedOf("everything")
	if results.broken > 0 || mixed > 2+n*wrongMost/1000 || results.failed-mixed > 1+n/5000 {
		t.Errorf("%d conversations failed, %d of them because a call or a ledger was refused, or a restored session differed; CTX_HOST_SEED runs one", results.failed, results.broken)
	}
}

// wrongMost is how many of a thousand conversations may contain a wrong choice if the model changes or everything goes
// wrong at once; otherwise it is a fifth of one. Two prompts of about the same length cannot be distinguished, and for
// a model without a vocabulary the lengths are estimates.
const wrongMost = 1

// hostTable counts failed conversations by shape and trouble.
type hostTable struct {
	failed, broken, marked int

	seeds []string // of the failed conversations
	cells map[[2]string]*hostCell
}

type hostCell struct {
	conversations, failed, marked int
	worst                         int64
}

// failedOf returns how many conversations with a kind of trouble failed.
func (t *hostTable) failedOf(trouble string) int {
	if c := t.cells[[2]string{"all", trouble}]; c != nil {
		return c.failed
	}
	return 0
}

func newHostTable() *hostTable { return &hostTable{cells: map[[2]string]*hostCell{}} }

func (t *hostTable) add(h *randomhost.Host, seed uint64) {
	if h.Failure != "" {
		t.failed++
		t.seeds = append(t.seeds, fmt.Sprintf("%d %s, %s: %s", seed, h.Shape(), h.Trouble, h.Failure))
	}
	t.marked += h.Marked
	if h.Broken {
		t.broken++
	}
	for _, key := range [][2]string{{h.Shape(), h.Trouble}, {h.Shape(), "all"}, {"all", h.Trouble}, {"all", "all"}} {
		if t.cells[key] == nil {
			t.cells[key] = &hostCell{}
		}
		c := t.cells[key]
		c.conversations++
		c.marked += h.Marked
		if h.Failure != "" {
			c.failed++
			c.worst = max(c.worst, h.Worst)
		}
	}
}

// String returns the table, with the failures below it. A cell has the failed conversations, all
// of them, the worst error of the failed ones in tokens, and with a ~ how many numbers had a mark and a range with the
// true one.
func (t *hostTable) String() string {
	var out strings.Builder
	columns := append(randomhost.Troubles(), "all")
	fmt.Fprintf(&out, "%-17s", "")
	for _, trouble := range columns {
		fmt.Fprintf(&out, "%-18s", trouble)
	}
	for _, shape := range append(randomhost.Shapes(), "all") {
		fmt.Fprintf(&out, "\n%-17s", shape)
		for _, trouble := range columns {
			text := ""
			if c := t.cells[[2]string{shape, trouble}]; c != nil {
				text = fmt.Sprintf("%d of %d", c.failed, c.conversations)
				if c.failed > 0 {
					text += fmt.Sprintf(", %d", c.worst)
				}
				if c.marked > 0 {
					text += fmt.Sprintf(", %d~", c.marked)
				}
			}
			fmt.Fprintf(&out, "%-18s", text)
		}
	}
	for _, failure := range t.seeds {
		fmt.Fprintf(&out, "\n%s", failure)
	}
	return out.String()
}
