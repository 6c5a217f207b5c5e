"""Nearly valid files: valid files of every kind, and ways to corrupt them."""

import json
import random
from functools import cache
from io import BytesIO

from ists.formats import jsonl, xml
from tests.samples import CAT_PAIR, CAT_WA

_PAIR_LINE = json.dumps({"id": "a", "sentence1": "A cat sits.", "sentence2": "A dog sat ."})

VALID: dict[str, tuple[bytes, ...]] = {
    "wa": (CAT_WA.encode(), CAT_WA.encode() + CAT_WA.replace('id="1"', 'id="2"').encode()),
    "jsonl": (jsonl.render(CAT_PAIR),),
    "xml": (xml.HEAD + xml.render(CAT_PAIR) + xml.FOOT,),
    "brackets": (b"[ A cat ] [ sits ]\n[ A dog ]/NP [ \\[ ]\n\n",),
    "conll": (b"A DT B-NP\ncat NN I-NP\n\nsits VBZ B-VP\n",),
    "text": (b"A cat sits on the mat.\nThe dog doesn't bark .\n\n",),
    "tsv": (
        b"A cat sits\tA dog sat\nx y\tz .\n",
        b"4.5\tA cat sits\tA dog sat\n4.5\tx y\tz .\n",
        b"[ A cat ]\t[ A dog ] [ sits ]\n",
    ),
    "pair records": (
        b'id,sentence1,sentence2\n1,"A cat, ""Tom"", sits",A dog sat\n2,"x\ny",z .\n',
    ),
    "pair lines": (
        f"{_PAIR_LINE}\n".encode(),
        b'{"tokens1": ["A", "cat"], "chunks2": [["A"], ["dog"]]}\n',
    ),
    "scores": (b"4.5\n3\t100\n\n", b'{"score": 2.5}\n'),
    "csv": (
        b"Item1,Item2,Item3,Item4,BestItem,WorstItem\na,b,c,d,a,d\n",
        b"Item1,Item%s,BestItem,WorstItem\na,b,a,b\n" % (b"2" * 5000),
    ),
    "journal": (b'{"format": 1, "run": {"a": 1}, "done": {"items": 3, "bytes": 7}}\n',),
}

NASTY = (
    b"\0",
    b"\r",
    b"\t",
    b"\n",
    b"\n\n",
    b"\xff\xfe",
    b"\xef\xbb\xbf",  # byte order mark
    b"\xed\xa0\x80",  # a surrogate in UTF-8
    b"\xf4\x90\x80\x80",  # past the last character
    "\u2028\x85\x1c".encode(),  # white space that ends no line
    "\u202e\u0634\u0645\u0633".encode(),  # right to left
    ("e" + "\u0301" * 40).encode(),  # combining
    "\U0001f980\u200d\ufe0f".encode(),
    b"[ ",
    b" ]",
    b"[" * 3000,
    b'{"a":' * 1500,
    b"{}",
    b"null",
    b"NaN",
    b"1e999",
    b"-1",
    b"9" * 5000,
    b"\\ud800",
    b"\\u0000",
    b'"',
    b",",
    b"<==>",
    b" // ",
    b"<sentence id=",
    b"</alignment>",
    b"<!DOCTYPE ists [<!ENTITY a 'b'>]>",
    b"&a;",
    b"<pair>" * 300,
    b"]]>",
    b"<!--",
)


@cache
def valid_table() -> bytes:
    """A small Parquet file."""
    import pyarrow as pa
    from pyarrow import parquet

    columns = {"id": ["a", "b"], "sentence1": ["A cat", "x"], "sentence2": ["A dog", "y"]}
    stream = BytesIO()
    parquet.write_table(pa.table({**columns, "sentence": ["A cat", None]}), stream)
    return stream.getvalue()


def corrupt(valid: bytes, chance: random.Random) -> bytes:
    """Return a file with a few errors, sometimes random bytes only."""
    if chance.random() < 0.05:
        return chance.randbytes(chance.randrange(200))
    data = valid
    for _ in range(chance.randint(1, 4)):
        begin = chance.randrange(len(data) + 1)
        end = min(len(data), begin + int(chance.expovariate(0.15)))
        way = chance.randrange(5)
        if way == 0:
            data = data[:begin] + data[end:]
        elif way == 1:
            data = data[:begin] + chance.choice(NASTY) + data[end:]
        elif way == 2:
            data = data[:end] + data[begin:]
        elif way == 3:
            data = data[:begin] + chance.randbytes(chance.randint(1, 4)) + data[begin:]
        else:
            data = data[:begin]
    return data
