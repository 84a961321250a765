# What a contributor runs; `make` alone lists it. test and race need Go and make (race a C compiler too), the other
# targets install what they need, at the versions of tools/go.mod, into bin/.

GO       ?= go
COUNT    ?= 6
BENCH    ?= .
FUZZTIME ?= 30s
FUZZ     ?= ^Fuzz

module  = $(shell $(GO) list -m)

# Modules of their own have their own go.mod; tools/ holds no code of ours.
nested  := $(patsubst %/go.mod,%,$(wildcard */go.mod))
modules := . $(nested)
code    := . $(filter-out tools,$(nested))

# $(call each,MODULES,COMMAND) runs a command in each of the modules.
each = @for m in $(1); do echo "-- $$m: $(2)"; (cd $$m && $(2)) || exit 1; done

.PHONY: help
help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "%-12s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

.PHONY: test
test: ## Run all tests.
	$(call each,$(code),$(GO) test -shuffle=on ./...)

.PHONY: race
race: ## Run all tests under the race detector.
	$(call each,$(code),$(GO) test -race -shuffle=on ./...)

.PHONY: lint
lint: bin/.stamp ## Check format, go vet, linters, go fix, go.mod and dead code.
	$(call each,$(modules),$(GO) mod tidy -diff)
	$(call each,$(code),$(GO) vet -tags soak ./...)
	$(call each,$(code),$(GO) fix -tags soak -diff ./...)
	$(call each,$(code),$(CURDIR)/bin/golangci-lint run --config $(CURDIR)/.golangci.yml ./...)
	@echo "-- code that no test and no command reaches, outside the API"
	@out=$$(bin/deadcode -test -tags soak -filter '^$(module)/(.*/)?(internal|cmd|conformance|examples)/' ./...) || exit 1; \
		if [ -n "$$out" ]; then echo "$$out"; exit 1; fi

.PHONY: fmt
fmt: bin/.stamp ## Format the code and apply the modernisers of go fix.
	$(call each,$(code),$(GO) fix -tags soak ./...)
	bin/gofumpt -w .

.PHONY: bench
bench: ## Run the benchmarks COUNT times (6); BENCH selects; compare with bin/benchstat.
	$(call each,$(code),$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) ./...)

.PHONY: fuzz
fuzz: ## Run each fuzz target for FUZZTIME (30s); FUZZ selects.
	@list=$$($(GO) test -list '$(FUZZ)' ./...) || { echo "$$list"; exit 1; }; \
	echo "$$list" | awk '/^Fuzz/ {names[n++] = $$1} /^ok/ {for (i = 0; i < n; i++) print $$2, names[i]; n = 0}' | \
	while read -r pkg name; do \
		echo "-- $$pkg $$name"; \
		$(GO) test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) "$$pkg" </dev/null || exit 1; \
	done

.PHONY: soak
soak: ## Run the long tests: named TestSoak..., in files with the build tag soak.
	$(call each,$(code),$(GO) test -race -tags soak -run Soak -count 1 -timeout 20m ./...)

.PHONY: demo
demo: ## Show what the library does, on the example server.
	$(GO) run ./examples/quickstart

.PHONY: conformance
conformance: ## Put our servers before the official conformance suite (installed with npm).
	$(GO) run ./conformance/run

.PHONY: apidiff
apidiff: bin/.stamp ## Show how the API changed since the last tag; fail where it broke.
	@tag=$$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null) || { echo "no release is tagged yet"; exit 0; }; \
	dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && mkdir "$$dir/old" && \
	git archive "$$tag" | tar -x -C "$$dir/old" && \
	(cd "$$dir/old" && $(CURDIR)/bin/apidiff -m -w "$$dir/old.api" $(module)) && \
	bin/apidiff -m "$$dir/old.api" $(module) && \
	broken=$$(bin/apidiff -m -incompatible "$$dir/old.api" $(module) 2>/dev/null) && \
	if [ -n "$$broken" ]; then echo "the API broke since $$tag"; exit 1; fi

.PHONY: vuln
vuln: bin/.stamp ## Look for known vulnerabilities (needs the Go vulnerability database).
	$(call each,$(code),$(CURDIR)/bin/govulncheck ./...)

.PHONY: untested
untested: bin/.stamp ## List the functions that no test reaches, the API included.
	@bin/deadcode -test ./...

.PHONY: tidy
tidy: ## Tidy every go.mod.
	$(call each,$(modules),$(GO) mod tidy)

.PHONY: clean
clean: ## Remove what the targets leave behind.
	rm -rf bin
	find . -name node_modules -prune -o \( -name '*.test' -o -name '*.prof' -o -name '*.out' \) -type f -exec rm -f {} +

bin/.stamp: tools/go.mod tools/go.sum
	cd tools && GOBIN='$(CURDIR)/bin' $(GO) install tool
	@touch $@
