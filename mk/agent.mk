# Copyright The ctx-lsp authors. MIT licence.

# Coding agents: their transcripts, their rules, and how well their next request is predicted.

.PHONY: test-agent accuracy

test-agent: ## agents' transcripts and rules; with CTX_TRANSCRIPTS, the promises of docs/accuracy.md on real sessions
	@go test -json ./core/agent/... ./core/internal/count/... | go run ./tools/gotally

accuracy: bin ## how far predictions miss on the sessions in CTX_TRANSCRIPTS, and whether the promises hold
	@test -n "$(CTX_TRANSCRIPTS)" || { echo "CTX_TRANSCRIPTS must name a folder of transcripts"; exit 2; }
	@$(BIN)$(EXE) replay $(CTX_TRANSCRIPTS)
	@go test -count=1 ./core/agent ./cmd/ctx-lsp -run 'TestRealSessions|TestReplayReadsEveryTranscript'
