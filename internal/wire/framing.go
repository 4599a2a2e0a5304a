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
)

// Limits of what one client may send.
const (
	MaxHeader = 8 << 10  // bytes of one message's header
	MaxBody   = 16 << 20 // bytes of one message
	// A longer message is read and thrown away up to this length. Beyond it the length itself is not believed: waiting for
	// four gigabytes that never come would leave the connection deaf.
	maxSkipped = 1 << 30
	readAhead  = MaxHeader // bytes of the buffer for what comes
	idWindow   = 64 << 10  // how far into a message that is thrown away its id is looked for
)

// A FrameError is a message that could not be taken. The connection lives on, unless the error is the last.
type FrameError struct {
	id      []byte // as the client wrote it; null when it could not be found
	code    int64
	message string
	Last    bool // nothing more is read: whoever sends this is no client, or cannot be followed any further
}

func (e *FrameError) Error() string { return e.message }

// A Framing takes the bytes of one client apart into the bodies of its messages: the header of the language server
// protocol, with limits.
type Framing struct {
	in *bufio.Reader
	// forgiving says that whatever is no header is skipped up to the next one. A client has to have introduced itself
	// first: a stranger's bytes, such as a web page's request to a port, must not be searched for something that would do.
	forgiving bool
	complain  func(*FrameError) // is told of what is skipped, once for each stretch
}

// NewFraming reads from in, and tells complain of what it skips.
func NewFraming(in io.Reader, complain func(*FrameError)) *Framing {
	return &Framing{in: bufio.NewReaderSize(in, readAhead), complain: complain}
}

// Next reads one header and its body.
func (f *Framing) Next() ([]byte, error) {
	length, err := f.header()
	if err != nil {
		return nil, err
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
	// The buffer grows with what arrives: a length alone reserves nothing.
	var body bytes.Buffer
	if _, err := io.CopyN(&body, f.in, length); err != nil {
		return nil, unexpected(err)
	}
	return body.Bytes(), nil
}

// Forgive has whatever is no header skipped from now on.
func (f *Framing) Forgive() { f.forgiving = true }

// NextUpTo is Next for who looks at short messages alone: of one that is longer than most bytes it returns nothing.
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
	lost := false // what comes is being skipped
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
			return 0, &FrameError{code: CodeParse, message: "A message header has no Content-Length.", Last: !f.forgiving}
		}
		name, value, found := bytes.Cut(text, []byte{':'})
		if found && ofBrowser(name) {
			return 0, &FrameError{
				code: CodeParse, Last: true,
				message: fmt.Sprintf("A header %q comes from a web page or its like, and nothing here answers those; the connection is closed.", name),
			}
		}
		trouble := ""
		var n int64
		switch {
		case long || total > MaxHeader && !lost:
			trouble = fmt.Sprintf("A message header is longer than %d bytes; what follows is skipped up to the next one.", MaxHeader)
		case lost:
			// A header may follow other bytes on its line.
			if n, found := lengthIn(text); found {
				length = n
			}
			continue
		case !found || !isHeaderName(name):
			trouble = "There are bytes between messages that are no header; what follows is skipped up to the next one."
		case !strings.EqualFold(string(name), "content-length"):
			continue
		default:
			if n, found = decimal(value); !found || n > maxSkipped {
				trouble = fmt.Sprintf("A Content-Length of %.40q cannot be: at most %d bytes are accepted.", bytes.TrimSpace(value), MaxBody)
			} else if length >= 0 && n != length {
				trouble = "A message header has two lengths; what follows is skipped up to the next one."
			}
		}
		if trouble == "" {
			length = n
			continue
		}
		bad := &FrameError{code: CodeParse, message: trouble, Last: !f.forgiving}
		if bad.Last {
			bad.message += " Before initialize nothing is skipped: the connection is closed."
		}
		if bad.Last {
			return 0, bad
		}
		if !lost {
			f.complain(bad)
		}
		lost, length = true, -1
		if n, found := lengthIn(text); found && !long && !isHeaderName(name) {
			length = n
		}
	}
}

// lengthIn finds a Content-Length that follows other bytes on its line. The line is compared byte by byte: letters of
// another script that fold into ASCII have other lengths.
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

// foldsTo compares bytes with a word of small ASCII letters.
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

// decimal is a length as a header writes it.
func decimal(value []byte) (int64, bool) {
	n, err := strconv.ParseUint(string(bytes.Trim(value, " \t")), 10, 63)
	return int64(n), err == nil
}

// ofBrowser says whether a header is one that every HTTP request has, and none of ours.
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

// skip throws a message away that is too long, and answers it by its id if that stands near its start.
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
	return &FrameError{
		id: id, code: CodeLimitExceeded,
		message: fmt.Sprintf("%s of %d bytes was skipped: at most %d are accepted.", what, length, MaxBody),
	}
}

// peek finds id and method in the first bytes of a message that is not read any further.
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
			_ = json.Unmarshal(value, &method) // no method named is as good as none
		}
	}
}

// isID says whether JSON is what a request may be called: a number or a string.
func isID(value []byte) bool {
	return len(value) > 0 && (value[0] == '"' || value[0] == '-' || value[0] >= '0' && value[0] <= '9')
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
