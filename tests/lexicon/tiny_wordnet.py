"""A WordNet of a dozen words, written by hand in the format of wndb(5WN)."""

from pathlib import Path

_LICENCE = """\
  1 This software and database is a tiny stand-in written for tests.
  2 WordNet 9.9 Copyright 2000 by Nobody.
"""
_FILES = {
    "data.noun": _LICENCE
    + """\
00000010 03 n 01 thing 0 000 | root
00000020 05 n 02 animal 0 living_thing 0 001 @ 00000010 n 0000 | breathes
00000030 05 n 02 dog 0 domestic_dog 0 002 @ 00000020 n 0000 #m 00000060 n 0000 | barks
00000040 05 n 01 cat 0 001 @ 00000020 n 0000 | purrs
00000050 15 n 01 Rexville 0 001 @i 00000010 n 0000 | a town
00000060 14 n 01 pack 0 001 @ 00000010 n 0000 | dogs together
00000070 06 n 01 dog 1 001 @ 00000010 n 0000 | an iron bar
00000080 04 n 01 rise 0 002 ! 00000090 n 0101 + 00000010 v 0101 | going up
00000090 04 n 01 fall 0 001 ! 00000080 n 0101 | going down
""",
    "index.noun": _LICENCE
    + """\
animal n 1 1 @ 1 1 00000020
cat n 1 1 @ 1 0 00000040
dog n 2 2 @ #m 2 1 00000030 00000070
domestic_dog n 1 1 @ 1 0 00000030
fall n 1 1 ! 1 0 00000090
living_thing n 1 1 @ 1 0 00000020
pack n 1 1 @ 1 0 00000060
rexville n 1 1 @i 1 0 00000050
rise n 1 2 ! + 1 0 00000080
thing n 1 0 1 0 00000010
""",
    "data.verb": _LICENCE
    + """\
00000010 38 v 02 rise 0 go_up 0 001 + 00000080 n 0101 01 + 02 00 | up
00000020 30 v 01 kill 0 001 > 00000030 v 0000 01 + 08 00 | end a life
00000030 30 v 01 die 0 000 01 + 02 00 | end
""",
    "index.verb": _LICENCE
    + """\
die v 1 0 1 0 00000030
go_up v 1 1 + 1 0 00000010
kill v 1 1 > 1 0 00000020
rise v 1 1 + 1 0 00000010
""",
    "data.adj": _LICENCE
    + """\
00000010 00 a 01 hot 0 002 ! 00000020 a 0101 & 00000030 s 0000 | of high degree
00000020 00 a 01 cold 0 001 ! 00000010 a 0101 | of low degree
00000030 00 s 02 fiery 0 aglow(p) 0 001 & 00000010 a 0000 | like fire
""",
    "index.adj": _LICENCE
    + """\
aglow a 1 1 & 1 0 00000030
cold a 1 1 ! 1 0 00000020
fiery a 1 1 & 1 0 00000030
hot a 1 2 ! & 1 0 00000010
""",
    "data.adv": _LICENCE
    + """\
00000010 02 r 01 hotly 0 001 \\ 00000010 a 0101 | in a hot way
""",
    "index.adv": _LICENCE + "hotly r 1 1 \\ 1 0 00000010\n",
    "noun.exc": "",
    "verb.exc": "risen rise\nrose rise\n",
    "adj.exc": "",
    "adv.exc": "",
    "cntlist.rev": (
        "dog%1:05:00:: 1 9\ndog%1:06:01:: 2 1\nfiery%5:00:00:hot:00 1 4\nrise%2:38:00:: 1 7\n"
    ),
}


def write_tiny_wordnet(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in _FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
