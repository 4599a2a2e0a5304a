// Copyright The ctx-lsp authors. MIT licence.

//go:build generate

package main

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"

	"github.com/ctx-lsp/ctx-lsp/core/model"
)

// encode writes the blob whose layout core/model/table.go describes.
func encode(models []entry) ([]byte, error) {
	texts := []string{""}
	number := map[string]int{"": 0}
	text := func(s string) int {
		n, ok := number[s]
		if !ok {
			n = len(texts)
			number[s] = n
			texts = append(texts, s)
		}
		return n
	}
	// Providers, families and dates are one byte wide: they come first.
	for _, e := range models {
		text(e.identity.family)
		for _, v := range e.variants {
			text(v.provider)
			text(v.date)
		}
	}
	if len(texts) > 256 {
		return nil, fmt.Errorf("%d providers, families and dates do not fit in a byte", len(texts))
	}
	limitNumber := map[limits]int{}
	var allLimits []limits
	var entries, index, ids bytes.Buffer
	count := 0
	put16 := func(b *bytes.Buffer, n int) { b.Write(binary.LittleEndian.AppendUint16(nil, uint16(n))) }
	put32 := func(b *bytes.Buffer, n int64) { b.Write(binary.LittleEndian.AppendUint32(nil, uint32(n))) }
	for _, e := range models {
		put32(&index, int64(ids.Len()))
		put16(&index, count)
		ids.WriteString(e.id)
		mode, ok := model.ParseReasoning(e.reasoning)
		if !ok {
			return nil, fmt.Errorf("%s: reasoning %q is none of never, turn, always, unknown", e.id, e.reasoning)
		}
		for _, v := range e.variants {
			n, ok := limitNumber[v.limits]
			if !ok {
				n = len(allLimits)
				limitNumber[v.limits] = n
				allLimits = append(allLimits, v.limits)
			}
			entries.WriteByte(byte(text(v.provider)))
			entries.WriteByte(byte(text(e.identity.family)))
			put16(&entries, text(v.source))
			entries.WriteByte(byte(text(v.date)))
			put16(&entries, n)
			entries.WriteByte(byte(mode))
			count++
		}
	}
	put32(&index, int64(ids.Len()))
	put16(&index, count)
	if count > 65535 || len(allLimits) > 65535 || len(models) > 65534 {
		return nil, fmt.Errorf("%d entries do not fit", count)
	}

	var out bytes.Buffer
	out.WriteString("CTXM\x01")
	put16(&out, len(texts))
	for _, t := range texts {
		if len(t) > 255 {
			return nil, fmt.Errorf("text of %d bytes: %q", len(t), t)
		}
		out.WriteByte(byte(len(t)))
		out.WriteString(t)
	}
	put16(&out, len(allLimits))
	for _, l := range allLimits {
		put32(&out, l.window)
		put32(&out, l.input)
		put32(&out, l.output)
		shared := byte(1)
		if l.separate {
			shared = 0
		}
		out.WriteByte(shared)
	}
	put16(&out, len(models))
	out.Write(index.Bytes())
	out.Write(ids.Bytes())
	put16(&out, count)
	out.Write(entries.Bytes())
	return out.Bytes(), nil
}

func deflated(blob []byte) int {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	w.Write(blob)
	w.Close()
	return b.Len()
}
