// Copyright The ctx-lsp authors. MIT licence.

//go:build ctxfault

package main

var hoard [][]byte

// fault fails in the way that a method of the hosts' fault tests names.
func fault(method string) {
	switch method {
	case "fault/trap":
		panic("fault/trap was called")
	case "fault/hang":
		for {
			spin++
		}
	case "fault/grow":
		for {
			block := make([]byte, 8<<20)
			for i := 0; i < len(block); i += 4096 {
				block[i] = 1
			}
			hoard = append(hoard, block)
		}
	}
}

var spin uint64
