// Copyright The ctx-lsp authors. MIT licence.

// Package main is core/api as a WebAssembly module. It only exports: a host needs to give it nothing, and it can reach
// nothing. It compiles with TinyGo (no imports at all) and with the Go toolchain (WASI imports that may be stubs).
//
// A host calls _initialize once. Then, for every call, it asks alloc for room, writes the arguments there, and calls:
//
//	alloc(n) ptr                                            room for n bytes, 0 if that is too many; good for one call
//	call(method ptr, len, params ptr, len) ptr<<32 | len    the answer as JSON, good until the next call
//	load(name ptr, len, pack ptr, len) ptr<<32 | len        a vocabulary pack; 0, or an error as JSON
//	offer(name ptr, len) ptr<<32 | len                      the host has this vocabulary and loads it when it is asked
//	                                                        for; 0, or an error as JSON
//	withdraw(name ptr, len) ptr<<32 | len                   it has it no longer; 0
//
// A trap leaves the module in an unknown state: the host must throw it away.
package main

import (
	"unsafe"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

func main() {}

const (
	// maxArgument is the longest argument for which alloc reserves memory: the parameters and the method's name. A
	// longer one need not be written anywhere, because call refuses it by its length alone.
	maxArgument = api.MaxParams + 64<<10
	// keptArgument is the size of the largest buffer that is used again.
	keptArgument = 64 << 10
)

var (
	core = api.New()

	given  [][]byte // the buffers that alloc has given out since the last call
	spare  []byte   // the first buffer of the last call, which is given out again
	answer []byte   // kept alive for the host to read
)

//go:wasmexport alloc
func alloc(n uint32) uint32 {
	if n > maxArgument {
		return 0
	}
	var buffer []byte
	if len(given) == 0 && n != 0 && int64(n) <= int64(cap(spare)) {
		buffer = spare[:n]
	} else {
		buffer = make([]byte, n, n+1) // with a capacity above 0, so that it has an address
	}
	given = append(given, buffer)
	return address(buffer)
}

//go:wasmexport call
func call(method, methodLen, params, paramsLen uint32) uint64 {
	name := string(argument(method, methodLen))
	fault(name)
	if paramsLen > api.MaxParams {
		answer = api.Refusal(api.TooLong(int64(paramsLen)))
	} else {
		answer = core.Call(name, argument(params, paramsLen))
	}
	release()
	return pair(answer)
}

//go:wasmexport load
func load(name, nameLen, pack, packLen uint32) uint64 {
	// The vocabulary may keep the pack, so its buffer is not used again.
	err := core.Load(string(argument(name, nameLen)), argument(pack, packLen))
	given, spare = nil, nil
	return refusal(err)
}

//go:wasmexport offer
func offer(name, nameLen uint32) uint64 {
	err := core.Offer(string(argument(name, nameLen)))
	release()
	return refusal(err)
}

//go:wasmexport withdraw
func withdraw(name, nameLen uint32) uint64 {
	core.Withdraw(string(argument(name, nameLen)))
	release()
	return refusal(nil)
}

// refusal is the answer of an export that has no other result.
func refusal(err error) uint64 {
	if err == nil {
		return 0
	}
	answer = api.Refusal(err)
	return pair(answer)
}

// argument finds n bytes at ptr in the buffers of alloc. Any other place is a mistake of the host, and counts as an
// empty argument, so that no other memory is read.
func argument(ptr, n uint32) []byte {
	for _, buffer := range given {
		start := address(buffer)
		if ptr >= start && uint64(ptr)+uint64(n) <= uint64(start)+uint64(len(buffer)) {
			return buffer[ptr-start : ptr-start+n]
		}
	}
	return nil
}

func release() {
	if len(given) > 0 && cap(given[0]) <= keptArgument {
		spare = given[0][:0]
	}
	for i := range given {
		given[i] = nil
	}
	given = given[:0]
}

func address(b []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }

func pair(b []byte) uint64 { return uint64(address(b))<<32 | uint64(len(b)) }
