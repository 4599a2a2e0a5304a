// Copyright The ctx-lsp authors. MIT licence.

package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// Limits on the messages of one client.
const (
	MaxHeader = 8 << 10  // bytes of one message's header
	MaxBody   = 16 << 20 // bytes of one message
	// A longer message is read and discarded if it has up to this many bytes. A larger length is treated as invalid:
	// waiting for four gigabytes that never come would block the connection.
	maxSkipped = 1 << 30
	readAhead  = MaxHeader // bytes of the read buffer
	idWindow   = 64 << 10  // how many bytes of a skipped message are searched for its id
)

// maxBeforeInitialize is the longest message accepted before initialize: a thousand unauthenticated clients must not be
// able to fill the memory.
const maxBeforeInitialize = 1 << 20

// A Framing splits the bytes of one client into the bodies of its messages. It reads the header of the language server
// protocol, within limits.
type Framing struct {
	in *bufio.Reader
	// skipsUnexpected means that unexpected bytes are skipped up to the next header. It is set only after initialize:
	// bytes of an unauthenticated client, such as a web page's request to a port, must not be searched for something
	// that looks like a message.
	skipsUnexpected bool
	complain        func(*FrameError) // called once for each stretch that is skipped
}

// NewFraming returns a Framing that reads from in and calls complain for each stretch of bytes that it skips.
func NewFraming(in io.Reader, complain func(*FrameError)) *Framing {
	return &Framing{in: bufio.NewReaderSize(in, readAhead), complain: complain}
}

// Next reads one header and its body, and returns the body.
func (f *Framing) Next() ([]byte, error) {
	length, err := f.header()
	if err != nil {
		return nil, err
	}
	if length > maxBeforeInitialize && !f.skipsUnexpected {
		return nil, last(api.LimitExceeded,
			fmt.Sprintf("A message of %d bytes arrived before initialize; at most %d are allowed, so the connection is closed.", length, maxBeforeInitialize))
	}
	if length > MaxBody {
		return nil, f.skip(length)
	}
	if length <= 64<<10 {
		body := make([]byte, length)
		if _, err := io.ReadFull(f.in, body); err != nil {
			return nil, unexpected(err)
		}
		return body, nil
	}
	// The buffer grows as bytes arrive, so that a large length alone reserves no memory.
	var body bytes.Buffer
	if _, err := io.CopyN(&body, f.in, length); err != nil {
		return nil, unexpected(err)
	}
	return body.Bytes(), nil
}

// SkipUnexpected skips unexpected bytes between messages from now on.
func (f *Framing) SkipUnexpected() { f.skipsUnexpected = true }

// NextUpTo is Next for callers that need short messages only: it skips a body longer than most bytes and returns nil.
func (f *Framing) NextUpTo(most int64) ([]byte, error) {
	length, err := f.header()
	if err != nil {
		return nil, err
	}
	if length > most {
		_, err := io.CopyN(io.Discard, f.in, length)
		return nil, unexpected(err)
	}
	body := make([]byte, length)
	_, err = io.ReadFull(f.in, body)
	return body, unexpected(err)
}

// header reads up to the blank line and returns the content length.
func (f *Framing) header() (int64, error) {
	length := int64(-1)
	lost := false // whether the current bytes are being skipped
	total := 0
	for {
		line, err := f.in.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !long {
			if len(line) == 0 && total == 0 {
				return 0, err
			}
			return 0, unexpected(err)
		}
		total += len(line)
		text := bytes.TrimRight(line, "\r\n")
		if len(text) == 0 && !long {
			switch {
			case length >= 0:
				return length, nil
			case lost:
				continue
			case total == len(line):
				total = 0 // a stray blank line between messages
				continue
			}
			missing := unreadable(api.ParseError, "A message header has no Content-Length.")
			missing.Last = !f.skipsUnexpected
			return 0, missing
		}
		name, value, found := bytes.Cut(text, []byte{':'})
		if found && ofBrowser(name) {
			return 0, last(api.ParseError, fmt.Sprintf("The header %q shows that a web page sent this message; such connections are closed.", name))
		}
		trouble := ""
		var n int64
		switch {
		case long || total > MaxHeader && !lost:
			trouble = fmt.Sprintf("A message header is longer than %d bytes; skipping to the next header.", MaxHeader)
		case lost:
			// A header may follow other bytes on its line.
			if n, found := lengthIn(text); found {
				length = n
			}
			continue
		case !found || !isHeaderName(name):
			trouble = "Unexpected bytes between messages; skipping to the next header."
		case !strings.EqualFold(string(name), "content-length"):
			continue
		default:
			if n, found = decimal(value); !found || n > maxSkipped {
				trouble = fmt.Sprintf("The Content-Length %.40q is invalid: at most %d bytes are accepted.", bytes.TrimSpace(value), MaxBody)
			} else if length >= 0 && n != length {
				trouble = "A message header has two lengths; skipping to the next header."
			}
		}
		if trouble == "" {
			length = n
			continue
		}
		if !f.skipsUnexpected {
			return 0, last(api.ParseError, trouble+" Before initialize, the connection is closed instead.")
		}
		if !lost {
			f.complain(unreadable(api.ParseError, trouble))
		}
		lost, length = true, -1
		if isHeaderName(name) {
			text = value // a line that starts with an invalid length may end with a valid one
		}
		if n, found := lengthIn(text); found && !long {
			length = n
		}
	}
}

// lengthIn finds a Content-Length that follows other bytes on its line. It compares bytes, because some letters outside
// ASCII fold into ASCII letters but have another length.
func lengthIn(line []byte) (int64, bool) {
	const name = "content-length:"
	for at := len(line) - len(name); at >= 0; at-- {
		if foldsTo(line[at:at+len(name)], name) {
			n, ok := decimal(line[at+len(name):])
			return n, ok && n <= MaxBody
		}
	}
	return 0, false
}

// foldsTo reports whether b equals word, which must be lower-case ASCII, ignoring case.
func foldsTo(b []byte, word string) bool {
	if len(b) != len(word) {
		return false
	}
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// decimal parses the value of a Content-Length header.
func decimal(value []byte) (int64, bool) {
	n, err := strconv.ParseUint(string(bytes.Trim(value, " \t")), 10, 63)
	return int64(n), err == nil
}

// ofBrowser reports whether a header occurs in every HTTP request but never in a message of the protocol.
func ofBrowser(name []byte) bool {
	for _, each := range []string{"host", "origin", "referer", "user-agent"} {
		if foldsTo(name, each) {
			return true
		}
	}
	return false
}

func isHeaderName(b []byte) bool {
	for _, c := range b {
		if !(c == '-' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9') {
			return false
		}
	}
	return len(b) > 0
}

// skip discards a message that is too long. The error it returns has the message's id if that is near the start.
func (f *Framing) skip(length int64) error {
	head := make([]byte, min(length, idWindow))
	if _, err := io.ReadFull(f.in, head); err != nil {
		return unexpected(err)
	}
	if _, err := io.CopyN(io.Discard, f.in, length-int64(len(head))); err != nil {
		return unexpected(err)
	}
	id, method := peek(head)
	what := "A message"
	if method != "" {
		what = "A message " + strconv.Quote(method)
	}
	skipped := unreadable(api.LimitExceeded, fmt.Sprintf("%s of %d bytes was skipped: at most %d are accepted.", what, length, MaxBody))
	skipped.id = id
	return skipped
}

// peek returns the id and the method found in the first bytes of a message.
func peek(head []byte) (id []byte, method string) {
	decoder := json.NewDecoder(bytes.NewReader(head))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return nil, ""
	}
	for {
		name, err := decoder.Token()
		if err != nil {
			return id, method
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return id, method
		}
		switch name {
		case "id":
			if isID(value) {
				id = value
			}
		case "method":
			_ = json.Unmarshal(value, &method) // a method that is not a string is treated as missing
		}
	}
}

// isID reports whether a JSON value may be the id of a request: a number or a string, in valid UTF-8, so that a
// response may repeat it.
func isID(value []byte) bool {
	return len(value) > 0 && utf8.Valid(value) && (value[0] == '"' || value[0] == '-' || value[0] >= '0' && value[0] <= '9')
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
