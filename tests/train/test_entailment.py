import json

import pytest

from ists.errors import FormatError
from ists.seen import fingerprint
from ists.train.entailment.pairs import read_judged
from ists.train.ratings import Entailment

torch = pytest.importorskip("torch", reason="the extra 'train' is not installed")
pytest.importorskip("safetensors", reason="the extra 'train' is not installed")

from ists.chunker.tagger import Chunker  # noqa: E402
from ists.cli.train import aligner_setup  # noqa: E402
from ists.errors import ModelError  # noqa: E402
from ists.train.aligner.fit import Hyperparameters as AlignerHyperparameters  # noqa: E402
from ists.train.aligner.fit import Trainer as AlignerTrainer  # noqa: E402
from ists.train.aligner.pretraining import Pretraining  # noqa: E402
from ists.train.entailment.fit import Hyperparameters  # noqa: E402
from ists.train.entailment.train import train_entailment  # noqa: E402

SNLI = (
    "entailment\tA potter shapes a bowl .\tSomeone makes a bowl .\n"
    "contradiction\tThe kiln is cold .\tThe kiln is hot .\n"
    "neutral\tA potter smiles .\tA potter sells a vase .\n"
)
SICK = (
    "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
    "1\tA baker sings\tA baker is singing\t5\tENTAILMENT\n"
    "2\tA baker sings\tNobody is rowing\t1\tNEUTRAL\n"
)
STS = "4.5\tThe tram stops.\tThe tram is stopping.\n0\tA goat bleats.\tRain fell.\n"
GOLD = """<sentence id="1" status="">
// The kiln is cold .
// The kiln is hot .
<source>
1 The :
2 kiln :
3 is :
4 cold :
5 . :
</source>
<translation>
1 The :
2 kiln :
3 is :
4 hot :
5 . :
</translation>
<alignment>
1 2 <==> 1 2 // EQUI // 5 // The kiln <==> The kiln
3 <==> 3 // EQUI // 5 // is <==> is
4 <==> 4 // OPPO // 4 // cold <==> hot
5 <==> 0 // NOALI // NIL // . <==> -not aligned-
0 <==> 5 // NOALI // NIL // -not aligned- <==> .
</alignment>
</sentence>
"""


@pytest.fixture
def files(tmp_path):
    found = []
    for name, text in (("snli.tsv", SNLI), ("SICK.txt", SICK), ("images.test.tsv", STS)):
        found.append(tmp_path / name)
        found[-1].write_text(text)
    return found


def test_judgements_of_three_kinds_of_files_are_read(files):
    snli, sick, sts = map(read_judged, files)
    assert [pair.entailment for pair in snli] == [
        Entailment.ENTAILMENT,
        Entailment.CONTRADICTION,
        Entailment.NEUTRAL,
    ]
    assert [pair.rating for pair in snli] == [None] * 3
    assert [(pair.entailment, pair.rating) for pair in sick] == [
        (Entailment.ENTAILMENT, 5),
        (Entailment.NEUTRAL, 0),
    ]
    assert [(pair.entailment, pair.rating) for pair in sts] == [(None, 4.5), (None, 0)]


def test_pairs_are_left_out_by_their_text_in_either_order(files):
    cold = fingerprint("the kiln is hot", "the kiln is COLD")
    assert len(read_judged(files[0], {cold})) == 2


@pytest.mark.parametrize("line", ["maybe\tOne .\tTwo .", "neutral\tOne .", "neutral\t \tTwo ."])
def test_a_broken_line_is_an_error_with_its_place(tmp_path, line):
    file = tmp_path / "snli.tsv"
    file.write_text(f"neutral\tA bell rings .\tA door opens .\n{line}\n")
    with pytest.raises(FormatError, match=f"{file}:2: .*expected"):
        read_judged(file)


def test_an_aligner_starts_from_the_network_and_lists_its_pairs(base_model, files, tmp_path):
    gold, output = tmp_path / "gold.wa", tmp_path / "pairs.safetensors"
    gold.write_text(GOLD)
    parameters = Hyperparameters(epochs=1, batch=2)
    train_entailment(files, [gold], Chunker.load(threads=1), output, parameters)

    pretraining = Pretraining(entailment=output)
    record = json.loads(json.dumps(pretraining.to_record()))["entailment"]
    assert record["pairs"] == 6  # one of the seven is in the gold
    assert sorted(record["without"]) == ["gold.wa"]
    assert fingerprint("A goat bleats.", "Rain fell.") in pretraining.pairs()
    assert fingerprint("The kiln is cold .", "The kiln is hot .") not in pretraining.pairs()

    trained = pretraining.network(print)
    start = AlignerTrainer(AlignerHyperparameters(chunker_share=1.0), trained).start().state_dict()
    assert torch.equal(start["encoder.layers.5.up.weight"], trained["encoder.layers.5.up.weight"])
    assert torch.equal(start["boundary.start.weight"], trained["boundary.start.weight"])


def test_another_file_is_not_taken_for_the_network(tmp_path):
    broken = tmp_path / "broken.safetensors"
    broken.write_bytes(b"nonsense")
    with pytest.raises(ModelError, match=f"^{broken}: not a network of 'ists train entailment'"):
        Pretraining(entailment=broken).network(print)


def test_the_network_is_the_start_as_a_whole():
    parameters, _, pretraining = aligner_setup("default", (1,), None, None, None, "pairs")
    assert parameters.chunker_share == 1
    assert str(pretraining.entailment) == "pairs"
    assert aligner_setup("default", (1,), None, None, "chunker", None)[0].chunker_share < 1


def test_one_network_is_the_start(base_model, ists, tmp_path):
    outcome = ists(
        *("train", "aligner", tmp_path / "gold.wa", "-o", tmp_path / "model"),
        *("--entailment", tmp_path / "pairs", "--chunker", "chunker"),
    )
    assert outcome.code == 2
    assert "--entailment cannot be combined with --chunker" in outcome.err
