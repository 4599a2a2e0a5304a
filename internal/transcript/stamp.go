// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"crypto/sha256"
	"encoding/binary"
	"io"
	"time"
)

// stampedHead and stampedTail are how many bytes at the beginning and at the end of a file its stamp depends on.
const (
	stampedHead = 256
	stampedTail = 4 << 10
)

// A Stamp identifies the content of a file without reading all of it: it depends on the size, the times, and the first
// and last bytes. It is a digest and reveals no text.
type Stamp [16]byte

// StampOf returns the stamp of a file as it is now, and when the file has changed.
func StampOf(path string) (stamp Stamp, changed time.Time, err error) {
	f, info, err := openWithInfo(path)
	if err != nil {
		return stamp, changed, err
	}
	defer f.Close()
	changed = info.ModTime()
	fields := []int64{info.Size(), changed.UnixNano()}
	if at := statusChanged(info); !at.IsZero() {
		fields = append(fields, at.UnixNano())
		if at.After(changed) {
			changed = at
		}
	}
	return stampOf(f, info.Size(), fields...), changed, nil
}

// stampOf returns the stamp of some numbers and of the first and last bytes of a file with this size.
func stampOf(f io.ReaderAt, size int64, fields ...int64) (stamp Stamp) {
	var text []byte
	for _, n := range fields {
		text = binary.LittleEndian.AppendUint64(text, uint64(n))
	}
	text = append(text, ReadSome(f, nil, 0, min(stampedHead, size))...)
	text = append(text, ReadSome(f, nil, max(size-stampedTail, 0), size)...)
	sum := sha256.Sum256(text)
	copy(stamp[:], sum[:])
	return stamp
}
