import json
import random
from dataclasses import replace
from math import isfinite

import numpy as np
import pytest

from ists.errors import FormatError, ModelError
from ists.formats import write
from ists.pairs import LINKING, Alignment, Chunk, Relation, Sentence, SentencePair
from tests.conftest import EXAMPLES

torch = pytest.importorskip("torch", reason="the extra 'train' is not installed")
pytest.importorskip("sklearn", reason="the extra 'train' is not installed")

from safetensors.torch import load_file  # noqa: E402

from ists.aligner.pair_head import PairHead as NumpyHead  # noqa: E402
from ists.aligner.pair_head import ReadPair  # noqa: E402
from ists.encoder import WordPieces  # noqa: E402
from ists.labeler.features import FEATURE_GROUPS, FEATURES  # noqa: E402
from ists.pipeline import Aligner  # noqa: E402
from ists.scored_pair import PairScores, ScoredPair  # noqa: E402
from ists.seen import Seen  # noqa: E402
from ists.train.aligner import train as aligner_training  # noqa: E402
from ists.train.aligner.crossval import CrossValidation, Decisions  # noqa: E402
from ists.train.aligner.decisions import _with_every_label  # noqa: E402
from ists.train.aligner.export import export_network  # noqa: E402
from ists.train.aligner.extra import ExtraPairs  # noqa: E402
from ists.train.aligner.fit import (  # noqa: E402
    HYPERPARAMETERS,
    Hyperparameters,
    Trainer,
    loss_of,
)
from ists.train.aligner.inputs import PreparedPair, inputs_of, targets_of  # noqa: E402
from ists.train.aligner.jobs import SCENARIOS, NetworkJob  # noqa: E402
from ists.train.aligner.labeler import (  # noqa: E402
    LABELER_HYPERPARAMETERS,
    LabelerHyperparameters,
    LinkRows,
)
from ists.train.aligner.network import AlignerNetwork, PairHead  # noqa: E402
from ists.train.aligner.out_of_fold import OutOfFold  # noqa: E402
from ists.train.aligner.pretraining import Pretraining  # noqa: E402
from ists.train.base import base_word_pieces  # noqa: E402
from ists.train.chunker.network import ChunkerNetwork  # noqa: E402
from ists.train.corpora import fold_of  # noqa: E402
from ists.train.gold import Example, GoldPairs, Link, corpus_of, read_pairs  # noqa: E402

GOLD = EXAMPLES / "gold.wa"
QUICK = Hyperparameters(epochs=1)
FEW_TREES = LabelerHyperparameters(
    link_trees=4, forest_trees=4, boosting_rounds=2, score_trees=4, lone_trees=4
)


@pytest.fixture(scope="module")
def word_pieces() -> WordPieces:
    try:
        return base_word_pieces()
    except ModelError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return [Example.of("gold", pair) for pair in read_pairs(GOLD)]


def pair_of(*alignments: Alignment, words1: str = "a b c", words2: str = "d e") -> SentencePair:
    sentences = Sentence.of(words1.split()), Sentence.of(words2.split())
    return SentencePair("7", *sentences, alignments)


def chunk(*tokens: int) -> Chunk:
    return Chunk(tokens)


def test_a_pair_becomes_links_and_lone_chunks_counted_from_0():
    example = Example.of(
        "cats",
        pair_of(
            Alignment(chunk(2, 3), chunk(1), Relation.SPE1, 4.0),
            Alignment(chunk(1), None, Relation.ALIC),
            Alignment(None, chunk(2), Relation.NOALI),
        ),
    )
    assert example.chunks1 == ((0,), (1, 2))
    assert example.links == (Link(1, 0, LINKING.index(Relation.SPE1), 3),)
    assert (example.alone1, example.alone2) == ((1, -1), (-1, 0))
    assert example.teaches_chunks


def test_chunks_with_gaps_or_tokens_in_no_chunk_teach_no_boundaries():
    gap = pair_of(Alignment(chunk(1, 3), chunk(1, 2), Relation.EQUI, 5.0))
    missing = pair_of(Alignment(chunk(1, 2), chunk(1, 2), Relation.EQUI, 5.0))
    assert not Example.of("cats", gap).teaches_chunks
    assert not Example.of("cats", missing).teaches_chunks


def test_swapping_exchanges_sides_and_spe1_with_spe2(examples):
    relations = [[LINKING[link.relation] for link in e.links] for e in examples]
    swapped = [[LINKING[link.relation] for link in e.swapped.links] for e in examples]
    mirror = {Relation.SPE1: Relation.SPE2, Relation.SPE2: Relation.SPE1}
    assert swapped == [[mirror.get(r, r) for r in some] for some in relations]
    assert examples[0].swapped.tokens1 == examples[0].tokens2
    assert [e.swapped.swapped for e in examples] == examples


def test_folds_are_those_of_every_other_stage(examples):
    assert [e.fold() for e in examples] == [fold_of("gold", e.id) for e in examples]
    assert {e.fold(3) for e in examples} <= {0, 1, 2}
    assert [e.fold(3) for e in examples] == [e.fold(3) for e in examples]


def test_a_gold_file_is_the_corpus_its_chunk_files_are(tmp_path):
    assert corpus_of(tmp_path / "STSint.gs.headlines.wa") == "headlines"
    assert corpus_of(GOLD) == "gold"


def test_two_files_of_one_corpus_are_rejected(tmp_path):
    copy = tmp_path / "gold.wa"
    copy.write_bytes(GOLD.read_bytes())
    with pytest.raises(FormatError, match="is the corpus 'gold', and so is"):
        GoldPairs.read([GOLD, copy])


def test_a_pair_too_long_for_the_network_is_named(word_pieces):
    long = pair_of(
        Alignment(chunk(1), chunk(1), Relation.EQUI, 5.0), words1="cat " * 600, words2="cat"
    )
    with pytest.raises(FormatError, match="pair 7 of cats has 604 word pieces"):
        PreparedPair.of(Example.of("cats", long), word_pieces)


def test_the_numpy_head_gives_what_the_torch_head_gives(examples, word_pieces):
    torch.manual_seed(1)
    head = PairHead(dropout=0.3).eval()
    prepared = [PreparedPair.of(example, word_pieces) for example in examples]
    inputs = inputs_of(prepared)
    hidden = torch.randn(*inputs.pieces.shape, 384)
    with torch.no_grad():
        wanted = head(hidden, inputs)
    numpy_head = NumpyHead.of({name: value.numpy() for name, value in head.state_dict().items()})
    read = [
        ReadPair(
            hidden[row, : len(pair.encoded.pieces)].numpy(),
            pair.spans1,
            pair.spans2,
            pair.example.chunks1,
            pair.example.chunks2,
            pair.surface,
        )
        for row, pair in enumerate(prepared)
    ]
    for row, (example, found) in enumerate(zip(examples, numpy_head.logits(read), strict=True)):
        size = len(example.chunks1), len(example.chunks2)
        for ours, theirs, rows, columns in (
            (found.link, wanted.link, size[0], size[1]),
            (found.relation, wanted.relation, size[0], size[1]),
            (found.score, wanted.score, size[0], size[1]),
            (found.alic1, wanted.alone1, size[0], None),
            (found.alic2, wanted.alone2, size[1], None),
        ):
            part = theirs[row, :rows]
            part = part if columns is None else part[:, :columns]
            np.testing.assert_allclose(ours, part.numpy(), atol=1e-4)
        assert found.sentence == pytest.approx(float(wanted.sentence[row]), abs=1e-5)


def test_an_empty_sentence_in_a_batch_gives_a_finite_loss(examples, word_pieces):
    empty = replace(examples[0], tokens2=(), chunks2=(), links=(), alone2=())
    batch = [PreparedPair.of(example, word_pieces) for example in (empty, examples[1])]
    for some in (batch, batch[:1]):
        inputs = inputs_of(some)
        loss = loss_of(AlignerNetwork()(inputs), inputs, targets_of(some, inputs), QUICK)
        assert isfinite(loss.item())


def test_masking_leaves_special_pieces_and_surface_features_alone(examples, word_pieces):
    pair = PreparedPair.of(examples[0], word_pieces)
    masked = pair.with_masked_pieces(1.0, random.Random(1))
    kept = [p for p in masked.encoded.pieces if p != 103]
    assert kept == [101, 102, 102]
    assert masked.surface is pair.surface


def test_initial_weights_lie_between_minilm_and_the_chunker(word_pieces):
    torch.manual_seed(5)
    chunker = ChunkerNetwork(3, 4).state_dict()
    base = Trainer(QUICK).start().state_dict()
    for share in (0.0, 0.5, 1.0):
        start = Trainer(replace(QUICK, chunker_share=share), chunker).start().state_dict()
        name = "encoder.layers.3.up.weight"
        between = torch.lerp(base[name], chunker[name], share)
        assert torch.allclose(start[name], between)
        assert torch.equal(start["boundary.start.weight"], chunker["boundary.start.weight"])
        assert torch.equal(start["pairs.link.weight"], base["pairs.link.weight"])


def test_training_does_not_start_from_a_network_of_another_kind(word_pieces):
    with pytest.raises(ModelError, match="not a pre-trained network"):
        Trainer(QUICK, {"encoder.words.weight": torch.zeros(2, 2)}).start()


def test_a_pretrained_network_that_does_not_exist_needs_conll(tmp_path):
    missing = Pretraining(file=tmp_path / "no.safetensors")
    with pytest.raises(ModelError, match="no such file, and no CoNLL-2000 to train it on"):
        missing.network(print)
    broken = tmp_path / "broken.safetensors"
    broken.write_bytes(b"nonsense")
    for foreign in (broken, tmp_path):
        with pytest.raises(ModelError, match=f"^{foreign}: not a pre-trained network"):
            Pretraining(EXAMPLES, foreign).network(print)


def test_a_label_that_few_pairs_lack_weighs_nothing():
    rows = LinkRows(
        np.ones((2, 3), np.float32),
        np.array([0, 4]),
        np.array([5, 3], np.float32),
        np.ones(2, np.float32),
        np.zeros((2, 2), bool),
        np.zeros((2, 6), bool),
    )
    full = _with_every_label(rows)
    assert set(full.relations.tolist()) == set(range(len(LINKING)))
    assert {1.0, 2.0, 3.0, 4.0} <= set(full.scores.tolist())
    assert full.weights[2:].max() < 1e-9


def perfect(*_, **__) -> CrossValidation:
    """A cross-validation with perfect results, without any training."""
    gold = GoldPairs.read([GOLD])
    return CrossValidation(gold, dict.fromkeys(SCENARIOS, gold.pairs), Decisions(0.5, None))


def test_crossval_prints_the_four_f1_of_both_scenarios(ists, monkeypatch, tmp_path):
    monkeypatch.setattr(aligner_training, "cross_validate", perfect)
    outcome = ists("crossval", GOLD, "-o", tmp_path)
    assert outcome.code == 0
    head, *rows = outcome.out.splitlines()
    assert head.split()[:3] == ["corpus", "F1", "Ali"]
    assert [row.split() for row in rows] == [
        ["gold,", "gold", "chunks", *["1.0000"] * 4],
        ["gold,", "own", "chunks", *["1.0000"] * 4],
    ]
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "gold.gold_chunks.jsonl",
        "gold.gold_chunks.wa",
        "gold.own_chunks.jsonl",
        "gold.own_chunks.wa",
    ]


def test_crossval_does_not_replace_what_it_reads(ists, monkeypatch, tmp_path):
    monkeypatch.setattr(aligner_training, "cross_validate", perfect)
    earlier = tmp_path / "gold.own_chunks.wa"
    earlier.write_bytes(GOLD.read_bytes())
    outcome = ists("crossval", GOLD, earlier, "-o", tmp_path)
    assert outcome.code == 1
    assert outcome.err == f"{earlier}: is read by this command, expected another name\n"
    assert list(tmp_path.iterdir()) == [earlier]


def test_crossval_needs_a_folder_before_it_begins(ists, monkeypatch, tmp_path):
    monkeypatch.setattr(aligner_training, "cross_validate", None)
    file = tmp_path / "judged"
    file.touch()
    outcome = ists("crossval", GOLD, "-o", file)
    assert outcome.code == 1
    assert str(file) in outcome.err


def test_training_writes_the_cross_validated_pairs(ists, monkeypatch, tmp_path):
    monkeypatch.setattr(aligner_training, "train_aligner", perfect)
    judged = tmp_path / "judged"
    options = ("-o", tmp_path / "model", "--cross-validated", judged)
    assert ists("train", "aligner", GOLD, *options).code == 0
    written = {f"gold.{chunks}.{format}" for chunks in SCENARIOS for format in ("wa", "jsonl")}
    assert {file.name for file in judged.iterdir()} == written
    assert read_pairs(judged / "gold.gold_chunks.wa") == read_pairs(GOLD)


def test_crossval_prints_json(ists, monkeypatch):
    monkeypatch.setattr(aligner_training, "cross_validate", perfect)
    figures = json.loads(ists("crossval", GOLD, "--format", "json").out)
    assert figures["gold"]["gold_chunks"]["type_score"] == 1
    assert figures["gold"]["chunk_f1"] == 1


def test_crossval_passes_recipe_chunker_and_hidden_features(ists, monkeypatch):
    calls = []

    def remember(*arguments, **options):
        calls.append((arguments, options))
        return perfect()

    monkeypatch.setattr(aligner_training, "cross_validate", remember)
    options = ("--recipe", "default", "--chunker", "chunker", "--without", "network", "--seed", 3)
    assert ists("crossval", GOLD, *options).code == 0
    [((_, parameters, labeler, pretraining), named)] = calls
    assert parameters == replace(HYPERPARAMETERS["default"], seeds=(3,))
    assert labeler == replace(LABELER_HYPERPARAMETERS["default"], seed=3)
    assert pretraining.chunker == "chunker"
    assert named["hidden"] == ("network",)


def test_hidden_features_are_0_in_every_row(examples):
    gold = GoldPairs.read([GOLD])
    scored = [even_scores(example) for example in examples]
    readings = dict.fromkeys(SCENARIOS, scored)
    plain, hidden = (
        OutOfFold(gold, [0] * len(examples), readings, groups) for groups in ((), ("lexical",))
    )
    columns = list(FEATURE_GROUPS["lexical"])
    others = [at for at in range(len(FEATURES)) if at not in columns]
    for rows in ("link_rows", "candidate_rows"):
        full, rest = (getattr(one, rows)[0].features for one in (plain, hidden))
        assert full[:, columns].any()
        assert not rest[:, columns].any()
        assert (rest[:, others] == full[:, others]).all()


def even_scores(example: Example) -> ScoredPair:
    """The reading of a network that finds every link likely and nothing else."""
    nothing = PairScores.empty(len(example.chunks1), len(example.chunks2))
    scores = replace(nothing, link=nothing.link + 0.5)
    return ScoredPair(example.tokens1, example.chunks1, example.tokens2, example.chunks2, scores)


def test_more_fold_seeds_than_seeds_are_an_error(ists, tmp_path):
    outcome = ists("train", "aligner", GOLD, "--seed", 1, "--fold-seeds", 2, "-o", tmp_path / "x")
    assert outcome.code == 2
    assert "--fold-seeds 2" in outcome.err


def test_the_networks_of_the_folds_may_have_fewer_seeds(monkeypatch, tmp_path):
    seeds = {}

    def remember(jobs, *_):
        seeds.update({name: job.hyperparameters.seeds for name, job in jobs.items()})
        raise InterruptedError

    monkeypatch.setattr(aligner_training, "run_jobs", remember)
    with pytest.raises(InterruptedError):
        aligner_training.train_aligner(
            GoldPairs.read([GOLD]), tmp_path, replace(QUICK, seeds=(1, 2)), fold_seeds=1
        )
    assert seeds.pop("all pairs") == (1, 2)
    assert set(seeds.values()) == {(1,)}


def test_extra_pairs_train_every_network_and_are_held_out_by_none(tmp_path):
    """One extra pair is a gold pair again: it would be in the training of its own fold."""
    own = read_pairs(GOLD)[0]
    other = pair_of(Alignment(chunk(1, 2, 3), chunk(1, 2), Relation.EQUI, 5.0))
    file = tmp_path / "extra.wa"
    write([replace(own, id="1"), replace(other, id="2")], file)
    gold = GoldPairs.read([GOLD])
    added = ExtraPairs.read([file]).examples(gold)
    jobs = aligner_training.fold_jobs(gold, QUICK, None, 5, None, added)
    for job in jobs.values():
        assert [one.id for one in job.training if one.corpus == "extra"] == ["2"]
        assert not [one.id for one in job.held_out if one.corpus == "extra"]


def test_extra_pairs_teach_either_labels_or_chunk_boundaries(tmp_path):
    pair = pair_of(Alignment(chunk(1, 2, 3), chunk(1, 2), Relation.EQUI, 5.0))
    file, other = tmp_path / "labels.wa", tmp_path / "chunks.wa"
    write([pair], file)
    write([pair], other)
    labels, chunks = ExtraPairs.read([file], [other]).examples(GoldPairs.read([GOLD]))
    assert labels.links
    assert not chunks.links
    assert (labels.teaches_chunks, chunks.teaches_chunks) == (False, True)
    assert not labels.teaches_links
    assert not chunks.teaches_links
    assert ExtraPairs.read([file], [other]).files().keys() == {"labels.wa", "chunks.wa"}


def test_an_epoch_uses_its_share_of_the_extra_pairs_of_each_kind(word_pieces):
    gold = GoldPairs.read([GOLD]).examples
    extra = [e.with_labels_alone() for e in gold] + [e.with_boundaries_alone() for e in gold]
    for chunked_share, corpora in ((0.0, 1), (1.0, 2)):
        parameters = replace(QUICK, extra_share=0.0, chunked_share=chunked_share)
        (batches,) = Trainer(parameters)._epochs((*gold, *extra), random.Random(1))
        assert sum(map(len, batches)) == corpora * len(gold)


@pytest.fixture(scope="module")
def trained(tmp_path_factory, word_pieces):
    """A model folder trained on our own eight pairs, by all the steps of a real training."""
    folder = tmp_path_factory.mktemp("models") / "tiny"
    messages: list[str] = []
    gold = GoldPairs.read([GOLD])
    found = aligner_training.train_aligner(
        gold, folder, QUICK, FEW_TREES, workers=1, progress=messages.append
    )
    return folder, found, messages


def test_a_tiny_training_gives_a_model_that_aligns(trained):
    folder, _, messages = trained
    aligner = Aligner.load(str(folder))
    pair = aligner.align("A tabby cat sleeps on the warm roof .", "A cat is sleeping on a roof .")
    assert not list(pair.problems())
    assert not list(pair.violations())
    assert any("epoch 1 of 1" in message for message in messages)


def test_the_card_records_the_training(trained):
    folder, found, _ = trained
    card = Aligner.load(str(folder)).model.card
    assert sorted(card["files"]) == ["labeler.npz", "pairs.npz", "reader.onnx", "seen.txt"]
    assert (card["name"], card["kind"]) == ("tiny", "aligner")
    assert card["base"]["licence"] == "Apache-2.0"
    assert list(card["training"]["files"]) == ["gold.wa"]
    assert card["training"]["recipe"]["epochs"] == 1
    assert card["training"]["labeler_recipe"]["forest_trees"] == 4
    assert card["figures"]["cross_validated"] == found.figures()
    assert 0 < card["threshold"] < 1


def test_the_model_lists_the_pairs_it_was_trained_on(trained):
    texts = [(str(pair.sentence1), str(pair.sentence2)) for pair in read_pairs(GOLD)]
    assert Seen.by(Aligner.load(str(trained[0])).model).count(texts) == 8


def test_every_pair_is_aligned_in_both_scenarios(trained):
    _, found, _ = trained
    ids = [pair.id for pair in found.gold.pairs]
    assert {scenario: [p.id for p in pairs] for scenario, pairs in found.aligned.items()} == {
        "gold_chunks": ids,
        "own_chunks": ids,
    }
    for gold, aligned in zip(found.gold.pairs, found.aligned["gold_chunks"], strict=True):
        assert (gold.chunks1, gold.chunks2) == (aligned.chunks1, aligned.chunks2)
    figures = found.figures()["gold"]
    assert figures["pairs"] == 8
    assert set(figures["own_chunks"]) == {"ali", "type", "score", "type_score"}


def test_training_again_gives_the_same_files(trained, tmp_path):
    folder, _, _ = trained
    gold = GoldPairs.read([GOLD])
    job = NetworkJob(QUICK, None, gold.examples, ())
    weights = {n: torch.from_numpy(array) for n, array in job.run().weights.items()}
    export_network(weights, tmp_path)
    for name in ("pairs.npz", "reader.onnx"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_saved_networks_are_loaded_and_others_are_not(examples, word_pieces, tmp_path, monkeypatch):
    trained = Trainer(QUICK, saved=tmp_path).train(examples)
    monkeypatch.delattr(Trainer, "_fit")
    again = Trainer(QUICK, saved=tmp_path).train(examples)
    assert trained.keys() == again.keys()
    assert all(torch.equal(trained[name], again[name]) for name in trained)
    for parameters, fewer in ((replace(QUICK, rate=1e-5), examples), (QUICK, examples[1:])):
        with pytest.raises(AttributeError):
            Trainer(parameters, saved=tmp_path).train(fewer)


def test_names_and_weights_of_saved_networks_are_those_of_earlier_versions(word_pieces, tmp_path):
    """A training that an earlier version began goes on from the networks it saved."""
    link = Alignment(chunk(1, 2, 3), chunk(1, 2), Relation.EQUI, 5.0)
    Trainer(QUICK, saved=tmp_path).train([Example.of("cats", pair_of(link))])
    (file,) = tmp_path.iterdir()
    assert file.name == "c8fe3952dae9436a.safetensors"
    frozen = {"encoder.words.weight", "encoder.positions.weight", "encoder.segments.weight"}
    assert load_file(file).keys() == AlignerNetwork().state_dict().keys() - frozen
