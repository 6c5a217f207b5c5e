"""The sentences of a new file: two files, or a table."""

import json

import pytest

from ists import FormatError
from ists.annotate.source import is_aligned, one_file, one_table, two_files
from ists.formats import read, write
from tests.conftest import EXAMPLES


def test_the_pairs_of_a_table_keep_their_ids(tmp_path):
    file = tmp_path / "p.tsv"
    file.write_text("pair_ID\tsentence_A\tsentence_B\tlabel\n7\tA cat sits.\tA dog\tx\n")
    (one,) = one_table(file, "tsv")
    assert one.pair.id == "7"
    assert one.draft.words == (("A", "cat", "sits", "."), ("A", "dog"))


def test_columns_are_chosen_as_for_aligning(tmp_path):
    file = tmp_path / "p.csv"
    file.write_text("left,right,remark\nA cat,A dog,a b\n")
    with pytest.raises(FormatError, match=r"p\.csv:1: .* --columns with two of 1 'left'"):
        one_table(file, "csv")
    (one,) = one_table(file, "csv", ("right", "left"))
    assert one.draft.words == (("A", "dog"), ("A", "cat"))


def test_tokens_and_chunks_of_a_table_are_taken_as_given(tmp_path):
    file = tmp_path / "p.jsonl"
    record = {"chunks1": [["A", "cat"], ["sits."]], "chunks2": [["A", "dog"]]}
    other = {"tokens1": ["sits."], "sentence2": "A dog."}
    file.write_text(json.dumps(record) + "\n" + json.dumps(other) + "\n")
    one, two = one_table(file, "jsonl")
    assert one.draft.words == (("A", "cat", "sits."), ("A", "dog"))
    assert two.draft.words == (("sits.",), ("A", "dog", "."))


def test_the_alignments_of_jsonl_are_kept(tmp_path):
    file, table = tmp_path / "g.jsonl", tmp_path / "p.jsonl"
    pairs = list(read(EXAMPLES / "gold.wa"))
    write(pairs, file)
    table.write_text('{"sentence1": "A cat", "sentence2": "A dog"}\n')
    assert is_aligned(file)
    assert not is_aligned(table)
    kept = one_file(file, format="jsonl")
    assert [one.pair for one in kept] == pairs
    assert [one.draft for one in kept] == [one.draft for one in one_file(EXAMPLES / "gold.wa")]


def test_a_table_without_sentences_is_rejected(tmp_path):
    file = tmp_path / "p.csv"
    file.write_text("sentence1,sentence2\n,\n")
    with pytest.raises(FormatError, match=r"p\.csv: no sentence found"):
        one_table(file, "csv")


def test_repaired_brackets_are_warned_of(tmp_path):
    one, two, warnings = tmp_path / "1.txt", tmp_path / "2.txt", []
    one.write_text("[ A cat ] [is ] [ here ]\n[ B ]\n")
    two.write_text("[ A dog ]\n[ B ]\n")
    begun = two_files(one, two, warn=warnings.append)
    assert begun[0].draft.words[0] == ("A", "cat", "is", "here")
    (warning,) = warnings
    assert warning.startswith(f"{one}:1: '[is' is outside any chunk")
