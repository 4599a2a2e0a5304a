// Copyright The ctx-lsp authors. MIT licence.

package packed

import (
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// Checksum returns the CRC-32 that zip and PNG use, like hash/crc32 but without its table of CPU features.
//
// With eight tables it processes eight bytes in a step. Building them takes a tenth of a millisecond, and a pack takes
// one millisecond (BenchmarkChecksum).
func Checksum(body []byte) uint32 {
	tables := new([8][256]uint32)
	for i := range tables[0] {
		sum := uint32(i)
		for range 8 {
			sum = sum>>1 ^ 0xEDB88320&-(sum&1)
		}
		tables[0][i] = sum
	}
	for i := range tables[0] {
		for k := 1; k < len(tables); k++ {
			last := tables[k-1][i]
			tables[k][i] = last>>8 ^ tables[0][last&0xFF]
		}
	}
	sum := ^uint32(0)
	for ; len(body) >= 8; body = body[8:] {
		sum ^= word.Four(body, 0)
		sum = tables[7][sum&0xFF] ^ tables[6][sum>>8&0xFF] ^ tables[5][sum>>16&0xFF] ^ tables[4][sum>>24] ^
			tables[3][body[4]] ^ tables[2][body[5]] ^ tables[1][body[6]] ^ tables[0][body[7]]
	}
	for _, b := range body {
		sum = sum>>8 ^ tables[0][byte(sum)^b]
	}
	return ^sum
}
