// Copyright The ctx-lsp authors. MIT licence.

//go:build !linux

// Command chaos needs Linux.
package main

import "fmt"

func main() { fmt.Println("chaos: it needs Linux") }
