// Copyright The ctx-lsp authors. MIT licence.

package core

// The lists below are put in order by sort.Stable, the largest first. The generic functions of package slices are
// compiled once more for each type of element, which would be 7 KB of the module for each of these.

type largestAdvice []Advice

func (l largestAdvice) Len() int           { return len(l) }
func (l largestAdvice) Less(i, j int) bool { return l[i].Tokens > l[j].Tokens }
func (l largestAdvice) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }

type largestServers []Server

func (l largestServers) Len() int           { return len(l) }
func (l largestServers) Less(i, j int) bool { return l[i].Tokens > l[j].Tokens }
func (l largestServers) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }

type largestParts []FitPart

func (l largestParts) Len() int           { return len(l) }
func (l largestParts) Less(i, j int) bool { return l[i].Tokens > l[j].Tokens }
func (l largestParts) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
