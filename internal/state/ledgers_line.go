// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strconv"
)

// SavedSchema is the format of a saved line.
const SavedSchema = "ctx.saved/2"

// unnamedSchema is a format whose checksum does not cover the conversation's name. Such a ledger may be another
// conversation's, so it is read like one that is older than the one saved last.
const unnamedSchema = "ctx.saved/1"

// Saved is one line of a file: the ledger of a session, and the time at which it was saved.
type Saved struct {
	Schema  string          `json:"schema"`
	Session string          `json:"session"`
	SavedAt int64           `json:"savedAt"`
	Ledger  json.RawMessage `json:"ledger"`
}

// A line starts with a checksum of the conversation's name, of the line's offset in the file and of the rest of the
// line. A power cut may leave the blocks of a file in any state, so a line that is valid JSON need not be the line that
// was written there, and a copied or renamed file need not belong to the conversation that its name says.
const (
	checkHead = `{"check":"`
	checkTail = `",`
	checkSize = 8 // hexadecimal digits
	checked   = len(checkHead) + checkSize + len(checkTail)
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli) // CPUs have an instruction for it

// encode returns the line with a placeholder for its checksum. The ledger is JSON already and is not parsed again.
func (l Saved) encode() []byte {
	session, _ := json.Marshal(l.Session) // a string always encodes
	out := append(make([]byte, 0, len(l.Ledger)+len(session)+128), checkHead+"00000000"+checkTail+`"schema":"`+l.Schema+`","session":`...)
	out = append(append(out, session...), `,"savedAt":`...)
	out = append(strconv.AppendInt(out, l.SavedAt, 10), `,"ledger":`...)
	return append(append(out, l.Ledger...), '}')
}

// seal writes the checksum into a line that will be stored at offset at, in a file of a conversation's name.
func seal(line []byte, at int64, name string) []byte {
	copy(line[len(checkHead):], checksum(line[checked:], at, name))
	return line
}

func checksum(text []byte, at int64, name string) []byte {
	before := binary.BigEndian.AppendUint64(make([]byte, 0, 64), uint64(at))
	sum := crc32.Update(crc32.Checksum(append(before, name...), castagnoli), castagnoli, text)
	return hex.AppendEncode(nil, binary.BigEndian.AppendUint32(nil, sum))
}

// intact reports whether a line at offset at has the right checksum.
func intact(line []byte, at int64, name string) bool {
	return len(line) > checked && bytes.HasPrefix(line, []byte(checkHead)) &&
		bytes.Equal(line[len(checkHead):len(checkHead)+checkSize], checksum(line[checked:], at, name))
}

// decode parses the line at offset at, in a file of a conversation's name. A line whose checksum does not cover the
// name has the schema unnamedSchema in the result.
func decode(line []byte, at int64, name string) (Saved, error) {
	var saved Saved
	if err := json.Unmarshal(line, &saved); err != nil {
		return saved, fmt.Errorf("it is damaged: %w", err)
	}
	unnamed := saved.Schema == unnamedSchema
	if unnamed {
		name = ""
	}
	if !intact(line, at, name) {
		return saved, errors.New("it is damaged: the checksum does not match")
	}
	if saved.Schema != SavedSchema && !unnamed {
		return saved, fmt.Errorf("it has the schema %q, but this version reads %q", saved.Schema, SavedSchema)
	}
	if len(saved.Ledger) == 0 || saved.Ledger[0] != '{' {
		return saved, errors.New("it is damaged: it contains no ledger")
	}
	return saved, nil
}

// lines are the last ledgers of a file.
type lines struct {
	ledgers []json.RawMessage // the latest first
	end     int64             // the offset after the line break of the latest, or where one is missing
	torn    bool              // something damaged follows the latest
	unnamed bool              // the latest may be another conversation's
}

// lastIn returns at most that many ledgers of body, a file of a conversation's name. The error describes the latest
// line that is damaged.
func lastIn(body []byte, most int, name string) (found lines, damage error) {
	for len(found.ledgers) < most {
		start := bytes.LastIndexByte(body, '\n') + 1
		if len(body) > start || len(body) == 0 {
			saved, err := decode(body[start:], int64(start), name)
			if err == nil {
				if len(found.ledgers) == 0 {
					found.end, found.torn, found.unnamed = int64(len(body))+1, damage != nil, saved.Schema == unnamedSchema
				}
				found.ledgers = append(found.ledgers, saved.Ledger)
			} else if damage == nil {
				damage = err
			}
		}
		if start == 0 {
			break
		}
		body = body[:start-1]
	}
	return found, damage
}

// read returns the content of a file. If it is longer than MaxLedgerBytes, read returns its start and an error.
func (s *Ledgers) read(path string) ([]byte, error) {
	f, err := s.disk.Open(path, os.O_RDONLY)
	if err != nil {
		return nil, unreadable(err)
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, MaxLedgerBytes+1))
	if err == nil && len(body) > MaxLedgerBytes {
		return body, fmt.Errorf("it is longer than %d bytes", MaxLedgerBytes)
	}
	return body, unreadable(err)
}
