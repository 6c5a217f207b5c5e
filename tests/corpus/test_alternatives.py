import pytest

from ists import FormatError, read, write
from ists.corpus.alternatives import pairs_of, read_alternatives
from ists.corpus.build import extra
from ists.pairs import Relation
from tests.samples import CAT_PAIR

PLAN = """# a comment

[The board = The directors] [turned down = rejected / approved = accepted ~ postponed] [, for now ,]
"""
SEVERAL = (
    "[The dog > The old dog < The animal] [barked = was barking / kept quiet] "
    "[and] [the ball & the game] [rolled / lay still] [.]\n"
)


def lines(tmp_path, text):
    file = tmp_path / "alternatives.txt"
    file.write_text(text)
    return read_alternatives(file)


def links(pair):
    return {(link.text1, link.text2): (link.relation, link.score) for link in pair.links}


def test_lines_are_read_with_their_numbers_and_comments_are_not(tmp_path):
    (line,) = lines(tmp_path, PLAN)
    assert line.number == 3
    assert [len(chunk.groups) for chunk in line.chunks] == [1, 3, 1]
    assert line.chunks[1].groups[1].expressions == ("approved", "accepted")


def test_relations_are_those_of_the_signs_in_both_directions(tmp_path):
    found = {}
    for pair in pairs_of(lines(tmp_path, SEVERAL), 200, 1):
        found |= links(pair)
    assert found["The dog", "The old dog"] == (Relation.SPE2, 4)
    assert found["The old dog", "The dog"] == (Relation.SPE1, 4)
    assert found["The dog", "The animal"] == (Relation.SPE1, 4)
    assert found["barked", "was barking"] == (Relation.EQUI, 5)
    assert found["barked", "kept quiet"] == (Relation.OPPO, 4)
    assert found["the game", "the ball"] == (Relation.REL, 3)
    # Of two groups beside the reference nothing is known.
    assert ("The old dog", "The animal") not in found


def test_members_of_another_group_are_equal(tmp_path):
    found = {}
    for pair in pairs_of(lines(tmp_path, PLAN), 200, 1):
        found |= links(pair)
    assert found["approved", "accepted"] == (Relation.EQUI, 5)
    assert found["postponed", "rejected"] == (Relation.SIMI, 3)


def test_pairs_follow_the_guidelines_and_oppose_one_chunk_at_most(tmp_path):
    pairs = list(pairs_of(lines(tmp_path, PLAN + SEVERAL), 100, 1))
    for pair in pairs:
        assert not list(pair.problems())
        assert not list(pair.violations())
        assert [link.relation for link in pair.links].count(Relation.OPPO) <= 1
    assert any(link.relation is Relation.OPPO for pair in pairs for link in pair.links)


def test_punctuation_and_conjunctions_stay_alone(tmp_path):
    for pair in pairs_of(lines(tmp_path, SEVERAL), 20, 1):
        assert not {"and", "."} & {link.text1 for link in pair.links}


def test_pairs_differ_and_depend_on_the_seed_alone(tmp_path):
    read_in = lines(tmp_path, SEVERAL)
    pairs = list(pairs_of(read_in, 30, 1))
    assert pairs == list(pairs_of(read_in, 30, 1))
    assert pairs != list(pairs_of(read_in, 30, 2))
    texts = [(str(pair.sentence1), str(pair.sentence2)) for pair in pairs]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[A dog] barks [.]", "'barks' is outside of brackets"),
        ("[A dog = ] [barks]", "an expression without words"),
        ("[/ A dog] [barks]", "an expression without words"),
        ("[A dog = a cat / A dog] [barks]", "an expression is listed twice"),
    ],
)
def test_faults_are_reported_with_file_and_line(tmp_path, line, reason):
    with pytest.raises(FormatError, match=rf"alternatives\.txt:2: .*{reason}"):
        lines(tmp_path, f"# comment\n{line}\n")


def test_a_fault_is_found_by_the_check_of_the_corpus(ists, corpus):
    corpus.alternatives_file.write_text("[A dog] barks [.]\n")
    outcome = ists("corpus", "check", "--corpus", corpus.path)
    assert outcome.code == 1
    assert "alternatives.txt:1: 'barks' is outside of brackets" in outcome.out


def test_the_pairs_are_built_into_a_folder_of_their_own(ists, corpus, tmp_path):
    corpus.alternatives_file.write_text(SEVERAL)
    outcome = ists(
        "corpus", "build", "-o", tmp_path / "out", "--only", "everyday", "--corpus", corpus.path
    )
    assert outcome.code == 0
    assert "extra/alternatives.wa: 7 pairs" in outcome.err
    built = list(read(tmp_path / "out" / "extra" / "alternatives.wa"))
    assert [pair.id for pair in built] == [f"1.{number}" for number in range(1, 8)]
    assert [file.name for file in (tmp_path / "out" / "extra").iterdir()] == ["alternatives.wa"]


def test_pairs_with_words_of_a_pair_for_testing_are_left_out(corpus):
    corpus.alternatives_file.write_text("[A tabby cat = A tabby] [sleeps = is asleep] [.]")
    (everything,) = extra(corpus)
    assert b"// A tabby cat sleeps ." in everything.content
    corpus.test.file("talk").parent.mkdir(parents=True)
    write([CAT_PAIR], corpus.test.file("talk"))
    (kept,) = extra(corpus)
    assert 0 < kept.pairs < everything.pairs
    assert b"// A tabby cat sleeps ." not in kept.content
