# Copyright The ctx-lsp authors. MIT licence.

# Coding agents: their transcripts, their rules, and how well their next request is predicted.

.PHONY: test-agent test-prefix accuracy ablate

test-agent: $(GOTALLY) ## agents' transcripts and rules; with CTX_TRANSCRIPTS, the promises of docs/accuracy.md on real sessions
	@go test -json ./core/agent/... ./core/internal/count/... | $(GOTALLY) test-agent

test-prefix: $(GOTALLY) ## the table of built-in prompts and tools against its data, and against sessions in CTX_TRANSCRIPTS and CTX_SAMPLES
	@[ -n "$(CTX_TRANSCRIPTS)$(CTX_SAMPLES)" ] || echo "CTX_TRANSCRIPTS and CTX_SAMPLES name no folder: the table is only held against its data"
	@go test -count=1 -v ./core/agent -run 'TestTablesFitRealSessions|TestRowsAreWhatIsKnown|TestTheTableAgainstPublishedOutputs' | grep -v '^=== ' || true
	@{ go test -C tools -count=1 -json ./gen/prefix; go test -count=1 -json ./core/agent -run 'Table|Pin|Request|Prefix|Rows'; } | $(GOTALLY) test-prefix

ifeq ($(CTX_TRANSCRIPTS),)
accuracy: bin ## how far predictions miss, on the corpus in testdata/accuracy; CTX_TRANSCRIPTS names a folder of your own sessions
	@$(BIN)$(EXE) replay testdata/accuracy/*/*.zst
	@echo
	@echo "These are $$(ls testdata/accuracy/*/*.zst | wc -l) recorded sessions whose texts are replaced by others with as many tokens."
	@echo "testdata/accuracy/MANIFEST.json names their repositories and hashes; make accuracy CTX_TRANSCRIPTS=FOLDER measures the originals, or your own."
else
accuracy: bin # with CTX_TRANSCRIPTS (and CTX_SAMPLES, CTX_FRESH, CTX_VOCABULARIES), also whether the promises hold, and whether all front ends agree (at every request; EVERY=8 for every eighth)
	@[ -z "$(CTX_FRESH)" ] || { echo "Newer sessions, not used to fit predicted sizes:"; $(BIN)$(EXE) replay $(CTX_FRESH); echo; }
	@echo "Sessions that constants were fitted to:"
	@$(BIN)$(EXE) replay $(CTX_TRANSCRIPTS) $(CTX_SAMPLES)
	@[ -z "$(CTX_VOCABULARIES)" ] || { echo; echo "The same, counted with Claude's vocabularies:"; \
		export XDG_DATA_HOME=$$(mktemp -d); $(BIN)$(EXE) vocab add claude $(CTX_VOCABULARIES)/claude/pieces_v3.json $(CTX_VOCABULARIES)/claude/pieces_v4_7.json; \
		for set in $(CTX_FRESH) "$(CTX_TRANSCRIPTS) $(CTX_SAMPLES)"; do $(BIN)$(EXE) replay $$set; echo; done; rm -r "$$XDG_DATA_HOME"; }
	@go test -count=1 -v ./core/agent -run TestCompactionsAreAnnounced | sed -n 's/^ *announced_test.go:[0-9]*: //p'
	@go test -count=1 -v ./core/agent -run 'TestRowsAreWhatIsKnown|TestTheTableAgainstPublishedOutputs|TestNamesChangeNoTotal|TestSnapshotRowsAreWhatClaudeCounts' | sed -n 's/^ *prefix_[a-z]*_test.go:[0-9]*: //p'
	@go test -count=1 -v ./core/api -run 'TestASimulatedHost' | sed -n 's/^ *simulated_test.go:[0-9]*: \(a host\)/\1/p'
	@go test -count=1 -v ./internal/cli -run TestInferredBreaksAreTheRecordedOnes | sed -n 's/^ *breaks_real_test.go:[0-9]*: //p'
	@go test -count=1 ./core/agent ./internal/cli -run 'TestRealSessions|TestReplayReadsEveryTranscript|TestReplayWithTheVocabulariesOfClaude|TestForecastsOfSessionsThatTheyWereNotFittedTo'
	@CTX_EVERY_CUT=$(or $(EVERY),1) go test -count=1 -timeout 6h -v ./internal/cli -run TestFrontEndsAgreeAtEveryCut # all front ends at every request
endif

.PHONY: corpus
corpus: ## testdata/accuracy anew, from the sessions in CTX_TRANSCRIPTS; takes minutes
	@$(TOOL) accuracy -from "$(CTX_TRANSCRIPTS)"

# Each variant is a build and a process for each folder; see tools/ablate.
ablate: ## what each correction of the core changes in predictions: FOLDERS="…" of sessions, ONLY="mode check,steering"; CTX_VOCABULARIES counts with them
	@$(TOOL) ablate $(if $(ONLY),-only "$(ONLY)") $(if $(CTX_VOCABULARIES),-vocabularies "$(CTX_VOCABULARIES)") -vectors $(or $(FOLDERS),testdata/accuracy)
