// Copyright The ctx-lsp authors. MIT licence.

// Code generated from core/api/schema*.go and methods.go by `make generated`. DO NOT EDIT.

package api

// These are the kinds of errors.
const (
	ParseError      = "parse_error"
	InvalidRequest  = "invalid_request"
	UnknownMethod   = "unknown_method"
	InvalidParams   = "invalid_params"
	Internal        = "internal"
	NotInitialized  = "not_initialized"
	Cancelled       = "cancelled"
	RequestFailed   = "request_failed"
	UnknownSession  = "unknown_session"
	NeedsVocabulary = "needs_vocabulary"
	LimitExceeded   = "limit_exceeded"
	SessionExists   = "session_exists"
	BadLedger       = "bad_ledger"
	Unreadable      = "unreadable"
)
