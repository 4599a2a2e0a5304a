# Copyright The ctx-lsp authors. MIT licence.

# The documents as a site, with a page on which the module reads a transcript in the browser. The site is files: any
# host of files can serve bin/site, below any path.

SITE := site

.PHONY: site
site: wasm $(SITE)/node_modules ## bin/site: the documents and the page that reads a transcript, with every link on the site followed
	@mkdir -p bin/site/try
	@$(TOOL) pictures -sample bin/site/try/sample.jsonl
	@cd $(SITE) && node_modules/.bin/eleventy --quiet

$(SITE)/node_modules: $(SITE)/package-lock.json
	@cd $(SITE) && npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

LINT_TARGETS += lint-documents
.PHONY: lint-documents
lint-documents: ## whether the list of documents is up to date
	@node $(SITE)/list.mjs --check

TEST_TARGETS += test-site
TOOLS_TARGETS += tools-site
.PHONY: test-site
test-site: site bin tools-site ## the site in real Chromium: transcripts dropped, hostile ones too; screenshots in bin/site-shots; ONLY=… for tests with that in their names
	@node $(SITE)/test/run.mjs $(if $(ONLY),"$(ONLY)")

# The browser and its driver are those of the extension's tests.
.PHONY: tools-site
tools-site: tools-browser $(SITE)/node_modules
