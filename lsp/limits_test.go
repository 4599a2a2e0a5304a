// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
)

// TestLimitsOfTheDaemonAreThoseOfTheDocument compares the table of limits in docs/daemon.md, and two numbers in its
// text, with the constants in the code.
func TestLimitsOfTheDaemonAreThoseOfTheDocument(t *testing.T) {
	text, err := os.ReadFile("../docs/daemon.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Join(strings.Fields(string(text)), " ")
	expect := func(form string, args ...any) {
		t.Helper()
		if want := fmt.Sprintf(form, args...); !strings.Contains(page, want) {
			t.Errorf("docs/daemon.md does not say: %s", want)
		}
	}
	expect("| a message's header | %d KB |", constant(t, "internal/wire/framing.go", "MaxHeader")>>10)
	expect("| a message | %d MB |", constant(t, "core/api/api.go", "MaxParams")>>20)
	expect("| a message before initialize | %d MB |", constant(t, "internal/wire/framing.go", "maxBeforeInitialize")>>20)
	expect("| initialize over a socket | within %d minutes |", introduceWithin/time.Minute)
	expect("| pending requests of a client | %d,%03d |", maxInflight/1000, maxInflight%1000)
	expect("| queued messages of a client | %d MB |", constant(t, "internal/wire/backlog.go", "MaxBacklog")>>20)
	expect("| messages that a client has not read | %d MB |", constant(t, "internal/wire/outbox.go", "MaxQueued")>>20)
	expect("| unanswered requests of the daemon to a client | %d |", maxUnanswered)
	expect("| a client's response | %d MB |", constant(t, "internal/wire/stream.go", "MaxAnswer")>>20)
	expect("| a document | %d MB |", constant(t, "core/promptfile/document.go", "MaxText")>>20)
	expect("| an imported file | %d MB,", constant(t, "internal/document/reach.go", "maxImport")>>20)
	expect("| files imported by one client's documents | 1,%03d |", constant(t, "internal/document/imports.go", "maxFiles")-1000)
	expect("One call reads at most %d MB for previews", mostPreviewed>>20)
	word := func(n int) string {
		t.Helper()
		name := map[int]string{2: "Two", 5: "five", 6: "six", 10: "ten"}[n]
		if name == "" {
			t.Errorf("the document does not have the number %d", n)
		}
		return name
	}
	hours := int(watchAge / time.Hour)
	expect("the newest of the last %d hours in each of the client's `folders` and in each folder that `ctx/focus` names (%s, or %d MB), "+
		"and the newest of the last %d hours elsewhere (%s, or %d MB)", hours, word(readHere), mostHere>>20, hours, word(readAtOnce), mostAtOnce>>20)
	expect("The result contains the sessions that could be read within %g s", firstReads.Seconds())
	expect("They take at most %d minutes", longestReading/time.Minute)
	expect("the newest; default %d, at most %d |", earlierAtOnce, mostEarlier)
	expect("the terminals' processes, at most %d |", maxTerminals)
	expect("`resume` waits for it, up to %s seconds", word(int(heldPatience/time.Second)))
	expect("%s seconds after `initialized`", word(int(plainAfter/time.Second)))
	expect("default %d,%03d, at least %d |", conversation.UsualHandover/1000, conversation.UsualHandover%1000, conversation.SmallestHandover)
	if restAfter != time.Minute {
		t.Errorf("memory is given back after %s", restAfter)
	}
	expect("gives memory back a minute after its last client has disconnected")
	if publishEvery != time.Second/10 {
		t.Errorf("Readings are sent each %s", publishEvery)
	}
	expect("`ctx/reading` is sent at once, then at most ten times a second")
}

// constant returns the value of another package's unexported constant: a number, shifted or not.
func constant(t *testing.T, file, name string) int64 {
	t.Helper()
	text, err := os.ReadFile("../" + file)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^\s*(?:const )?` + name + ` += ([0-9_]+)(?: << ([0-9]+))?`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("%s has no constant %s", file, name)
	}
	value, err := strconv.ParseInt(strings.ReplaceAll(string(found[1]), "_", ""), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	shift := 0
	if len(found[2]) > 0 {
		if shift, err = strconv.Atoi(string(found[2])); err != nil {
			t.Fatal(err)
		}
	}
	return value << shift
}
