// Copyright The ctx-lsp authors. MIT licence.

package vocabulary

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Ranks is a vocabulary in the form of rank files: the bytes of each token, and its rank in the order of merging.
type Ranks map[string]uint32

// ParseRanks reads a .tiktoken file. Each line contains a token's bytes in base 64, a space, and the token's rank.
func ParseRanks(file []byte) (Ranks, error) {
	ranks := make(Ranks, bytes.Count(file, []byte{'\n'}))
	lines := bufio.NewScanner(bytes.NewReader(file))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := lines.Bytes()
		if len(line) == 0 {
			continue
		}
		text, number, found := bytes.Cut(line, []byte{' '})
		if !found {
			return nil, fmt.Errorf("line %d is not a token and its rank with a space between them", n)
		}
		token, err := base64.StdEncoding.AppendDecode(nil, text)
		if err != nil || len(token) == 0 {
			return nil, fmt.Errorf("line %d: the token is not base 64", n)
		}
		rank, err := strconv.ParseUint(string(number), 10, 32)
		if err != nil {
			return nil, fmt.Errorf("line %d: the rank is not a number", n)
		}
		if _, again := ranks[string(token)]; again {
			return nil, fmt.Errorf("line %d: the token occurs twice in the file", n)
		}
		ranks[string(token)] = uint32(rank)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("the file has an overlong line: %w", err)
	}
	if len(ranks) > 2_000_000 {
		return nil, errTooLarge
	}
	return ranks, nil
}

// Source derives the merges from the ranks: each token is split into the two parts that its last merge joins.
func (r Ranks) Source(name, scanner string) (*Source, error) {
	order := make([]string, 0, len(r))
	for token := range r {
		order = append(order, token)
	}
	slices.SortFunc(order, func(a, b string) int { return int(r[a]) - int(r[b]) })
	s := &Source{Name: name, Scanner: scanner}
	id := make(map[string]uint32, len(order))
	for b := range 256 {
		one := string([]byte{byte(b)})
		if _, present := r[one]; !present {
			return nil, fmt.Errorf("byte 0x%02x is not a token: some text could not be counted", b)
		}
		id[one] = uint32(b)
	}
	for i, token := range order {
		if i > 0 && r[order[i-1]] == r[token] {
			return nil, fmt.Errorf("two tokens have the rank %d", r[token])
		}
		if len(token) == 1 {
			continue
		}
		parts := r.merge(token, r[token])
		if len(parts) != 2 {
			if len(r.merge(token, math.MaxUint32)) == 1 {
				return nil, fmt.Errorf("token %d comes before its parts; this order is not supported", r[token])
			}
			s.Whole = append(s.Whole, []byte(token))
			continue
		}
		left, knownLeft := id[parts[0]]
		right, knownRight := id[parts[1]]
		if !knownLeft || !knownRight {
			return nil, fmt.Errorf("token %d contains a token that can only be a whole piece", r[token])
		}
		id[token] = 256 + uint32(len(s.Merges))
		s.Merges = append(s.Merges, Merge{left, right})
	}
	return s, nil
}

// merge splits the bytes of a token by all merges below a rank.
func (r Ranks) merge(token string, below uint32) []string {
	parts := make([]string, len(token))
	for i := range parts {
		parts[i] = token[i : i+1]
	}
	for len(parts) > 1 {
		best, at := below, -1
		offset := 0
		for i := range len(parts) - 1 {
			joined := token[offset : offset+len(parts[i])+len(parts[i+1])]
			if rank, ok := r[joined]; ok && rank < best {
				best, at = rank, i
			}
			offset += len(parts[i])
		}
		if at < 0 {
			break
		}
		parts[at] += parts[at+1]
		parts = slices.Delete(parts, at+1, at+2)
	}
	return parts
}
