"""Write spaCy's tokeniser rules to ``data/lexicon/spacy_rules.json`` again, for another version.

Run with: ``python tests/chunker/spacy_rules.py``
"""

import json
from pathlib import Path
from typing import Any

import spacy
from spacy.symbols import ORTH

FILE = Path(__file__).parents[2] / "data/lexicon/spacy_rules.json"


def rules() -> dict[str, Any]:
    tokenizer = spacy.blank("en").tokenizer
    patterns = {
        "prefix": tokenizer.prefix_search,
        "suffix": tokenizer.suffix_search,
        "infix": tokenizer.infix_finditer,
        "url": tokenizer.url_match,
    }
    return {
        "source": f"spaCy {spacy.__version__} (MIT), English tokenizer",
        **{name: method.__self__.pattern for name, method in patterns.items()},
        "words": sorted([part[ORTH] for part in parts] for parts in tokenizer.rules.values()),
    }


if __name__ == "__main__":
    text = json.dumps(rules(), ensure_ascii=False, indent=0)
    FILE.write_text(text + "\n", encoding="utf-8")
