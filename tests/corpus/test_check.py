from dataclasses import replace

import pytest

from ists.corpus.check import check
from ists.formats import jsonl, write
from ists.pairs import Alignment, Chunk, Relation, Sentence, commented
from tests.corpus.conftest import accepted_of, standoff, write_corpus
from tests.samples import CAT_PAIR


def reasons(corpus, data=None) -> list[str]:
    return [str(problem) for problem in check(corpus, data)]


def rewrite(corpus, *pairs, labels=None) -> None:
    write(pairs, corpus.file("talk"))
    lines = [jsonl.line_of(accepted_of(pair).to_json()) for pair in labels or pairs]
    corpus.accept_file("talk").write_bytes(b"".join(lines))


def test_a_well_formed_corpus_has_no_problem(corpus, data):
    assert reasons(corpus, data) == []


def test_violations_of_the_guidelines_are_reported(corpus):
    wrong = replace(CAT_PAIR.alignments[1], score=4.0)
    rewrite(corpus, replace(CAT_PAIR, alignments=(CAT_PAIR.alignments[0], wrong)))
    found = reasons(corpus)
    assert f"{corpus.file('talk')}:20: pair 1: EQUI has score 4, expected 5" in found
    assert any("token 5 ('.') of sentence 1 is not used" in one for one in found)


def test_linked_punctuation_is_reported(corpus):
    linked = Alignment(*(CAT_PAIR.alignments[2].chunk1,) * 2, Relation.EQUI, 5.0)
    alignments = commented(
        (*CAT_PAIR.alignments[:2], linked), CAT_PAIR.sentence1, CAT_PAIR.sentence2
    )
    rewrite(corpus, replace(CAT_PAIR, alignments=alignments))
    assert any(":21: pair 1: punctuation is linked" in one for one in reasons(corpus))


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["3", "2"], "pair 2: follows pair 3, expected ids in ascending order"),
        (["1", "x2"], "pair x2: id 'x2', expected a number from 1"),
    ],
)
def test_ids_are_ascending_numbers(corpus, ids, message):
    rewrite(corpus, *(replace(CAT_PAIR, id=id_) for id_ in ids))
    assert any(message in one for one in reasons(corpus))


def test_a_repeated_id_in_a_file_is_reported(corpus):
    rewrite(corpus, *(replace(CAT_PAIR, id=id_) for id_ in ("1", "7")))
    file = corpus.file("talk")
    file.write_bytes(file.read_bytes().replace(b'id="7"', b'id="1"'))
    assert any("pair 1: this id is already in the file" in one for one in reasons(corpus))


def test_texts_and_comments_are_those_of_the_tokens(corpus):
    comment = replace(CAT_PAIR.alignments[0], comment="A cat <==> A cat")
    sentence = Sentence("A tabby cat sleeps.", CAT_PAIR.sentence1.tokens)
    alignments = (comment, *CAT_PAIR.alignments[1:])
    rewrite(corpus, replace(CAT_PAIR, sentence1=sentence, alignments=alignments))
    found = reasons(corpus)
    assert any("sentence 1 is not its tokens" in one for one in found)
    assert any("comment 'A cat <==> A cat', expected 'A tabby cat <==> A cat'" in o for o in found)


def test_the_first_acceptable_label_is_the_gold(corpus):
    other = replace(CAT_PAIR.alignments[0], relation=Relation.SIMI)
    labelled = replace(CAT_PAIR, alignments=(other, *CAT_PAIR.alignments[1:]))
    rewrite(corpus, CAT_PAIR, labels=[labelled])
    assert reasons(corpus)[0] == (
        f"{corpus.accept_file('talk')}:1: pair 1: link 1 2 3 – 1 2: "
        "the first acceptable label is SIMI 4, expected the gold, SPE1 4"
    )


@pytest.mark.parametrize(
    ("accept", "message"),
    [
        ([], "the first acceptable label is nothing"),
        ([["SPE1", 4], ["SPE1", 4]], "an acceptable label is listed twice"),
        ([["SPE1", 4], ["EQUI", 4]], "EQUI has score 4, expected 5"),
        ([["SPE1", 4], ["NOALI", 4]], "NOALI on two aligned chunks"),
    ],
)
def test_acceptable_labels_must_follow_the_rules(corpus, accept, message):
    record = accepted_of(CAT_PAIR).to_json()
    record["links"][0]["accept"] = accept
    corpus.accept_file("talk").write_bytes(jsonl.line_of(record))
    assert any(message in one for one in reasons(corpus))


def test_every_link_has_acceptable_labels(corpus):
    record = accepted_of(CAT_PAIR).to_json()
    del record["links"][0]
    corpus.accept_file("talk").write_bytes(jsonl.line_of(record))
    assert any("not those of the pair's links" in one for one in reasons(corpus))


def test_every_pair_has_acceptable_labels(corpus):
    rewrite(corpus, CAT_PAIR, replace(CAT_PAIR, id="2"), labels=[CAT_PAIR])
    assert any("the ids are not those of the .wa file" in one for one in reasons(corpus))


def test_real_pairs_must_follow_the_rules(corpus):
    record = standoff().to_json()
    record["alignments"][1]["score"] = 3
    corpus.real_file.write_bytes(jsonl.line_of(record))
    found = reasons(corpus)
    assert f"{corpus.real_file}:1: pair r1: EQUI has score 3, expected 5" in found
    assert any("expected the gold, EQUI 3" in one for one in found)


def test_a_damaged_file_is_a_problem_and_the_rest_is_checked(corpus):
    corpus.real_file.write_text("{}\n")
    corpus.accept_file("talk").write_text("nonsense\n")
    assert any("real.jsonl:1: no 'id'" in one for one in reasons(corpus))
    assert any("talk.accept.jsonl:1: invalid JSON" in one for one in reasons(corpus))


def test_the_second_annotation_is_one_of_the_same_sentences(corpus):
    other = replace(CAT_PAIR, sentence1=Sentence.of(["A", "striped", "cat", "sleeps", "."]))
    alignments = commented(other.alignments, other.sentence1, other.sentence2)
    rewrite(corpus.second, replace(other, alignments=alignments))
    record = standoff().to_json() | {"line": 7}
    corpus.second.real_file.write_bytes(jsonl.line_of(record))
    found = reasons(corpus)
    assert len(found) == 2
    assert "pair 1: these are not the sentences of the first annotation" in found[0]
    assert "pair r1: is not the pair of the first annotation" in found[1]


def test_pairs_for_testing_are_checked_and_share_nothing_with_the_others(corpus):
    write_corpus(corpus.test.path, [CAT_PAIR], [])
    found = reasons(corpus)
    assert any(
        "pair 1: sentence 1 has the sentence 'a tabby cat sleeps' as in written/talk.wa:2" in one
        for one in found
    )
    corpus.test.accept_file("talk").write_bytes(b"")
    assert any("the ids are not those of the .wa file" in one for one in reasons(corpus))


def test_a_written_sentence_of_a_data_set_is_reported(corpus, data):
    file = data / "sick2014" / "SICK_train.txt"
    file.write_bytes(file.read_bytes() + b"2\tA tabby cat sleeps.\tNo\t1.0\tNEUTRAL\n")
    found = [one for one in reasons(corpus, data) if "talk.wa" in one]
    assert found[0].endswith(
        "pair 1: sentence 1 has the sentence 'a tabby cat sleeps' as in sick2014/SICK_train.txt:2"
    )


def test_six_consecutive_words_are_reported_unless_common(corpus, data):
    words = "On Monday we all went home by bus ."
    sentence = Sentence.of(words.split())
    lone = Alignment(Chunk(tuple(range(1, 10))), None, Relation.NOALI)
    alignments = commented((lone, *CAT_PAIR.alignments[3:]), sentence, CAT_PAIR.sentence2)
    rewrite(corpus, replace(CAT_PAIR, sentence1=sentence, alignments=alignments))
    (data / "notes.txt").write_text("Last week\nSo we all went home by train\n")
    assert not [one for one in reasons(corpus, data) if "consecutive words" in one]
    (data / "notes.txt").write_text("Last week\nSo we all went home by bus, he said\n")
    assert any(
        "sentence 1 has 6 consecutive words, 'we all went home by bus' as in notes.txt:2" in one
        for one in reasons(corpus, data)
    )
    (corpus.path / "common-phrases.txt").write_text("# known\nwe all went home by bus\n")
    assert not [one for one in reasons(corpus, data) if "consecutive words" in one]


def test_a_real_pair_that_is_in_the_tasks_own_sets_is_reported(corpus, data):
    file = data / "sts" / "2014" / "headlines.test.tsv"
    file.parent.mkdir()
    file.write_text("1.0\tsomething else\tA cat is sleeping here\n")
    found = [one for one in reasons(corpus, data) if "pair r1" in one]
    assert found[0].endswith("'a cat is sleeping here' as in sts/2014/headlines.test.tsv:1")


def test_a_real_pair_that_cannot_be_joined_is_reported(corpus, data):
    (data / "sick2014" / "SICK_train.txt").write_text("\n")
    assert any("SICK_train.txt:1: pair r2: no two sentences" in o for o in reasons(corpus, data))
