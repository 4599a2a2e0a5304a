module github.com/ctx-lsp/ctx-lsp/examples/hosts/go

go 1.25.0

require (
	github.com/ctx-lsp/ctx-lsp v0.0.0
	github.com/openai/openai-go/v3 v3.8.1
)

require (
	github.com/tidwall/gjson v1.14.4 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
)

replace github.com/ctx-lsp/ctx-lsp => ../../..
