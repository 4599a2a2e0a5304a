// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// These are the kinds of window/showMessage and window/logMessage.
const (
	messageError   = 1
	messageWarning = 2
	messageInfo    = 3
)

// logMessage writes a message to the client's log, and to the daemon's if it is a warning or an error.
func (c *connection) logMessage(kind int, message string) {
	if kind <= messageWarning {
		c.log.Warn(message)
	}
	c.notify("window/logMessage", map[string]any{"type": kind, "message": message})
}

// logUnreadable writes to the daemon's log why a message of the client cannot be read. A client that sends many of them
// gets a response to each, but the log has only the first ones.
func (c *connection) logUnreadable(bad *wire.FrameError) {
	switch c.unreadable++; {
	case c.unreadable <= loggedUnreadable:
		c.log.Warn("a message of the client cannot be read", "error", bad)
	case c.unreadable == loggedUnreadable+1:
		c.log.Warn("further messages of the client cannot be read; they are not logged")
	}
}

// loggedUnreadable is the number of unreadable messages of a connection that the log has.
const loggedUnreadable = 10

// showMessage shows a message to the user.
func (c *connection) showMessage(kind int, message phrase.Text) {
	c.notify("window/showMessage", withPhrase(map[string]any{"type": kind}, "message", "phrase", message))
}

// withPhrase adds a text to params, and its phrase under another name for clients that translate.
func withPhrase(params map[string]any, name, phraseName string, text phrase.Text) map[string]any {
	params[name] = text.String()
	if of := api.PhraseOf(text); of != nil {
		params[phraseName] = of
	}
	return params
}

// traceMessage reports a received message to a client that enabled tracing. It leaves out params, because they contain
// conversations.
func (c *connection) traceMessage(r *request) {
	c.mu.Lock()
	trace, running := c.trace, c.phase == phaseRunning
	c.mu.Unlock()
	if trace == "off" || !running {
		return
	}
	params := map[string]any{"message": "received " + r.method}
	if trace == "verbose" {
		verbose := strconv.Itoa(len(r.params)) + " bytes of params"
		if !r.notification() {
			verbose += ", id " + string(r.id)
		}
		params["verbose"] = verbose
	}
	c.notify("$/logTrace", params)
}

// health sends the state of the server to a client that can show it.
func (c *connection) health(health, message string) {
	if !c.about().serverStatus {
		return
	}
	status := map[string]any{"health": health, "quiescent": true}
	if message != "" {
		status["message"] = message
	}
	c.notify("experimental/serverStatus", status)
}

// health sends the state of the server to every client, and logs errors there.
func (s *Server) health(health, message string) {
	s.eachConnection(func(c *connection) {
		c.health(health, message)
		if health == "error" {
			c.logMessage(messageError, message)
		}
	})
}

// saveFailed warns the client, once, that a ledger exists in memory only.
func (c *connection) saveFailed(s *session, failed error) {
	if s.saver.reported.Swap(true) {
		return
	}
	message := "The ledger of session " + strconv.Quote(s.id) + " cannot be saved and would be lost if the daemon restarts: " + strings.TrimSuffix(failed.Error(), ".") + "."
	c.logMessage(messageWarning, message)
	c.health("warning", message)
}
