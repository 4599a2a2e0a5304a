// Copyright The ctx-lsp authors. MIT licence.

package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"
)

// journalName is hidden from Spark, Hive and Trino by its underscore.
const journalName = "_ctx-export.jsonl"

// tableVersion is the version of the journal.
const tableVersion = "ctx.table/1"

// A journal is a file with a header, and for each run its entries and then a line with its file. Entries without that
// line are ignored, because they are from a run that was killed.
type journal struct {
	file *os.File
	size int64            // the size of its complete runs
	done map[string]entry // what is written of each transcript, with the keys of all runs
	last string           // the file of the last run
}

// A header is the first line.
type header struct {
	Table  string `json:"table"`
	Schema string `json:"schema"`
	Format string `json:"format"`
	Named  string `json:"named"` // how sessions are named, without the key
}

// An entry is what a run has written of a transcript.
type entry struct {
	Transcript string `json:"transcript"` // a hash of its path
	Size       int64  `json:"size"`       // unread if it was not read to its end
	Modified   int64  `json:"modified"`
	Reported   int64  `json:"window,omitempty"` // the window that the agent has reported
	Since      int64  `json:"since,omitempty"`
	Until      int64  `json:"until,omitempty"`
	Again      bool   `json:"again,omitempty"` // the keys replace those of earlier runs
	Keys       keys   `json:"keys,omitempty"`  // the keys of the rows of this run
}

// unread is the size in an entry whose transcript has to be read again.
const unread = -1

// same reports whether two entries are of the same state of a transcript.
func (e entry) same(as entry) bool {
	return e.Size == as.Size && e.Modified == as.Modified && e.Reported == as.Reported && e.Since == as.Since && e.Until == as.Until
}

// A run is the line that completes a run.
type run struct {
	Run  time.Time `json:"run"` // when it started
	File string    `json:"file,omitempty"`
	Rows int64     `json:"rows"`
}

// openJournal reads a journal, or creates it. It cuts off what a killed run has left.
func openJournal(path string, want header) (*journal, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	j := &journal{file: file, done: map[string]entry{}}
	if err := j.read(want); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return j, nil
}

func (j *journal) read(want header) error {
	lines := bufio.NewReaderSize(j.file, 256<<10)
	var waiting []entry
	at, first := int64(0), true
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) { // an incomplete line is ignored
			break
		}
		if err != nil {
			return err
		}
		at += int64(len(line))
		var each struct {
			entry
			run
		}
		if first {
			var got header
			if json.Unmarshal(line, &got) != nil || got != want {
				return ErrOther
			}
			first, j.size = false, at
			continue
		}
		if json.Unmarshal(line, &each) != nil {
			break // the rest is damaged
		}
		if each.Transcript != "" {
			waiting = append(waiting, each.entry)
			continue
		}
		j.apply(waiting)
		waiting, j.size, j.last = waiting[:0], at, each.File
	}
	if err := j.file.Truncate(j.size); err != nil {
		return err
	}
	if first {
		return j.append(want)
	}
	return nil
}

// apply adds entries to those of earlier runs.
func (j *journal) apply(entries []entry) {
	for _, e := range entries {
		if !e.Again {
			e.Keys = append(j.done[e.Transcript].Keys, e.Keys...)
		}
		j.done[e.Transcript] = e
	}
}

// add adds a run.
func (j *journal) add(entries []entry, last run) error {
	lines := make([]any, 0, len(entries)+1)
	for _, e := range entries {
		lines = append(lines, e)
	}
	if err := j.append(append(lines, last)...); err != nil {
		return err
	}
	j.apply(entries)
	j.last = last.File
	return nil
}

// append writes lines that survive a power cut. After an error the journal is as before.
func (j *journal) append(lines ...any) error {
	var text bytes.Buffer
	for _, line := range lines {
		if err := json.NewEncoder(&text).Encode(line); err != nil {
			return err
		}
	}
	_, err := j.file.WriteAt(text.Bytes(), j.size)
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		return errors.Join(err, j.file.Truncate(j.size))
	}
	j.size += int64(text.Len())
	return nil
}

func (j *journal) close() error { return j.file.Close() }
