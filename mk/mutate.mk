# Copyright The ctx-lsp authors. MIT licence.

# Whether tests notice changes of the code; tools/mutate has the suites that concern each package.

PKG ?= core
N   ?= 150
.PHONY: mutate
mutate: ## changes N=150 places of PKG=core, one at a time, and lists those that no test notices; SEED=… repeats a sample
	@$(TOOL) mutate -n $(N) $(if $(SEED),-seed $(SEED)) $(PKG)
