// Copyright The ctx-lsp authors. MIT licence.

// Package acp is a proxy between a client and an agent of the Agent Client Protocol (https://agentclientprotocol.com):
// one JSON-RPC message a line, in both directions. Every byte passes unchanged, except that the numbers of the agent's
// usage_update are replaced if better ones are known. If the agent sends none, one is added. If the agent does not
// report its compactions and the client supports them, a compaction_update is added.
//
// A Connection implements only the protocol. Its Watcher receives what passes and returns the size of a session; a
// Meter is one.
package acp

import (
	"bytes"
	"encoding/json"
	"io"
)

// A Usage is how full the context of a session is.
type Usage struct {
	Used, Size int64
	// About is sent with the numbers, in the part of the message that the protocol reserves for extensions.
	About json.RawMessage
}

// A Watcher is called for the messages that pass, in the order of the connection. It must not block.
type Watcher interface {
	// Agent is called with the agent's own name and version.
	Agent(name, version string)
	// Began is called if a session was started, loaded or resumed; cwd is its directory, model may be "".
	Began(session, cwd, model string)
	// Added is called for each addition to a conversation.
	Added(session string, piece Piece)
	// Reported is called with the agent's own size of a session's context.
	Reported(session string, used, size int64)
	// Compacting is called if the agent reports the compactions of a session itself.
	Compacting(session string)
	// Compacted is called if a conversation was compacted; the summary may be "".
	Compacted(session, summary string)
	// TurnEnded is called if the agent hands control back to the user.
	TurnEnded(session string)
	// Ended is called if a session was closed.
	Ended(session string)
	// Usage returns the known size of a session; false if the agent's own numbers apply.
	Usage(session string) (Usage, bool)
}

// A Piece is a part of an addition to a conversation.
type Piece struct {
	Kind string // user, assistant, reasoning, toolCalls or toolResults
	Text string
	Name string // the tool's name
	// More is set if the text continues the previous piece, provided that it has the same kind.
	More bool
}

const (
	// maxHeld is the maximum size of a message that is inspected. A longer one is passed on as it arrives.
	maxHeld = 8 << 20
	// readSize is the size of one read.
	readSize = 64 << 10
)

// A Connection is one client and one agent.
type Connection struct {
	watch Watcher
	out   outlet
	talk  talk
}

// New returns a connection to a client that reads from toClient.
func New(toClient io.Writer, watch Watcher) *Connection {
	c := &Connection{watch: watch, out: outlet{to: toClient, cost: map[string]json.RawMessage{}}}
	c.talk.pending = map[string]request{}
	return c
}

// FromClient forwards the client's messages to the agent until one of the two ends.
func (c *Connection) FromClient(client io.Reader, agent io.Writer) error {
	lines := lineWatch{handle: c.talk.client(c.watch)}
	buffer := make([]byte, readSize)
	for {
		n, err := client.Read(buffer)
		if n > 0 {
			lines.add(buffer[:n]) // before the agent can respond
			if _, err := agent.Write(buffer[:n]); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// FromAgent forwards the agent's messages to the client until one of the two ends.
func (c *Connection) FromAgent(agent io.Reader) error {
	see := c.talk.agent(c.watch)
	buffer, held, passing := make([]byte, readSize), []byte(nil), false
	for {
		n, err := agent.Read(buffer)
		for rest := buffer[:n]; len(rest) > 0; {
			end := bytes.IndexByte(rest, '\n')
			part := rest[:end+1]
			if end < 0 {
				part = rest
			}
			rest = rest[len(part):]
			switch {
			case passing:
				if fault := c.out.write(part, end >= 0); fault != nil {
					return fault
				}
				passing = end < 0
				continue
			case end < 0 && len(held)+len(part) > maxHeld:
				if fault := c.out.write(append(held, part...), false); fault != nil {
					return fault
				}
				held, passing = nil, true
				continue
			}
			held = append(held, part...)
			if end < 0 {
				continue
			}
			if fault := c.out.writeLine(c.corrected(held), func() { see(held) }); fault != nil {
				return fault
			}
			held = held[:0]
			if cap(held) > 1<<20 {
				held = nil
			}
		}
		if err != nil {
			if len(held) > 0 {
				if fault := c.out.write(held, false); fault != nil {
					return fault
				}
			}
			if err == io.EOF {
				return nil
			}
			return err
		}
	}
}

// corrected returns a message of the agent with better numbers if these are known.
func (c *Connection) corrected(line []byte) []byte {
	if !bytes.Contains(line, []byte(`usage_update`)) {
		return line
	}
	usage, ok := usageIn(line)
	if !ok {
		return line
	}
	c.out.keepCost(usage.session, usage.cost)
	known, ok := c.watch.Usage(usage.session)
	if !ok || known.Size <= 0 {
		return line
	}
	return withNumbers(line, known.Used, known.Size)
}

// SendUsage sends the client the size of a session's context, between two messages of the agent.
func (c *Connection) SendUsage(session string, usage Usage) error {
	update := struct {
		Kind string          `json:"sessionUpdate"`
		Used int64           `json:"used"`
		Size int64           `json:"size"`
		Cost json.RawMessage `json:"cost,omitempty"`
		Meta json.RawMessage `json:"_meta,omitempty"`
	}{"usage_update", usage.Used, usage.Size, c.out.costOf(session), usage.About}
	return c.send(session, update)
}

// send sends the client an update of a session, between two messages of the agent.
func (c *Connection) send(session string, update any) error {
	type params struct {
		Session string `json:"sessionId"`
		Update  any    `json:"update"`
	}
	line, err := json.Marshal(struct {
		Version string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  params `json:"params"`
	}{"2.0", "session/update", params{session, update}})
	if err != nil {
		return err
	}
	return c.out.insert(append(line, '\n'))
}
