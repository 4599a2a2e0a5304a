# Copyright The ctx-lsp authors. MIT licence.

# The recipes of docs/hosts.md, in programs with the AI SDK, LangChain and OpenAI's library for Go. Not part of `make
# test`, because it installs 25 packages from npm and one from Go's proxy.

.PHONY: test-hosts
test-hosts: wasm ## programs with the AI SDK, LangChain and openai-go (from npm and Go's proxy) against local servers
	@bash mk/hosts.sh
