// Copyright The ctx-lsp authors. MIT licence.

// Package acp stands between a client and an agent of the Agent Client Protocol (https://agentclientprotocol.com): one
// JSON-RPC message a line, in both directions. Every byte passes as it came, except that the numbers of the agent's
// usage_update are replaced if better ones are known. If the agent sends none, one is added. If the agent does not
// report its compactions and the client knows them, a compaction_update is added.
//
// A Connection knows only the protocol. Its Watcher sees what passes and returns the size of a session; a Meter is one.
package acp

import (
	"bytes"
	"encoding/json"
	"io"
)

// A Usage is how full the context of a session is.
type Usage struct {
	Used, Size int64
	// About is put beside the numbers, in the part of the message that the protocol leaves to extensions.
	About json.RawMessage
}

// A Watcher is told what passes, in the order of the connection. It must not wait for anything.
type Watcher interface {
	// Agent tells the name and the version that the agent gives itself.
	Agent(name, version string)
	// Began tells of a session that the agent has begun, loaded or resumed; cwd is the folder, model may be empty.
	Began(session, cwd, model string)
	// Said tells what a conversation was made longer by.
	Said(session string, piece Piece)
	// Told tells what the agent says itself of the size of a session's context.
	Told(session string, used, size int64)
	// Compacting tells that the agent reports the compactions of a session itself.
	Compacting(session string)
	// Compacted tells that a conversation was compacted; the summary may be unknown.
	Compacted(session, summary string)
	// Rested tells that the agent hands back to the person.
	Rested(session string)
	// Ended tells that a session was closed.
	Ended(session string)
	// Usage is what is known of a session already; false where the agent's own numbers stand.
	Usage(session string) (Usage, bool)
}

// A Piece is a part of what a conversation was made longer by.
type Piece struct {
	Kind string // user, assistant, reasoning, toolCalls or toolResults
	Text string
	Name string // of the tool
	// More says that the text continues the piece before it, where that is of the same kind.
	More bool
}

const (
	// maxHeld is the longest message that is looked at. A longer one passes while it arrives.
	maxHeld = 8 << 20
	// readSize is how much is read at once.
	readSize = 64 << 10
)

// A Connection is one client and one agent.
type Connection struct {
	watch Watcher
	out   outlet
	talk  talk
}

// New makes a connection whose client reads from toClient.
func New(toClient io.Writer, watch Watcher) *Connection {
	c := &Connection{watch: watch, out: outlet{to: toClient, cost: map[string]json.RawMessage{}}}
	c.talk.asked = map[string]request{}
	return c
}

// FromClient passes on what the client writes, until one of the two ends.
func (c *Connection) FromClient(client io.Reader, agent io.Writer) error {
	lines := lineWatch{see: c.talk.client(c.watch)}
	buffer := make([]byte, readSize)
	for {
		n, err := client.Read(buffer)
		if n > 0 {
			lines.add(buffer[:n]) // before the agent can answer
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

// FromAgent passes on what the agent writes, until one of the two ends.
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
			if fault := c.out.write(c.corrected(held), true); fault != nil {
				return fault
			}
			see(held)
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

// corrected is a message of the agent with the numbers that are known better.
func (c *Connection) corrected(line []byte) []byte {
	if !bytes.Contains(line, []byte(`usage_update`)) {
		return line
	}
	told, ok := usageIn(line)
	if !ok {
		return line
	}
	c.out.keepCost(told.session, told.cost)
	known, ok := c.watch.Usage(told.session)
	if !ok || known.Size <= 0 {
		return line
	}
	return withNumbers(line, known.Used, known.Size)
}

// Tell sends the client how full a session's context is, between two messages of the agent.
func (c *Connection) Tell(session string, usage Usage) error {
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
