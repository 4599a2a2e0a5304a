// Copyright The ctx-lsp authors. MIT licence.

// Package order sorts numbers. One small function for all of core: a sort of the standard library is 12 KB of module
// for each type that is sorted.
package order

// Ascend sorts numbers, the lowest first, in n·log n steps whatever they are.
func Ascend(numbers []int64) {
	n := len(numbers)
	for i := n / 2; i > 0; i-- {
		sink(numbers, i-1)
	}
	for n > 1 {
		n--
		numbers[0], numbers[n] = numbers[n], numbers[0]
		sink(numbers[:n], 0)
	}
}

// sink brings a number down a heap, of which the highest is on top.
func sink(heap []int64, at int) {
	number := heap[at]
	for {
		below := 2*at + 1
		if below >= len(heap) {
			break
		}
		if below+1 < len(heap) && heap[below+1] > heap[below] {
			below++
		}
		if heap[below] <= number {
			break
		}
		heap[at] = heap[below]
		at = below
	}
	heap[at] = number
}
