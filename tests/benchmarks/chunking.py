"""The chunker against the bare encoder: the overhead from tokens to chunks."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import onnx
import onnxruntime as ort
from onnx import TensorProto, helper

from ists.chunker.tagger import Chunker
from ists.encoder import EncoderInput, Words, batches, feed, words_of
from ists.formats.brackets import parse
from ists.resources import models_path
from tests.conftest import EXAMPLES, ROOT

_PILOT = ROOT.parent / "shared/data/ists2015/train"
_SENTENCES = 600
_ROUNDS = 5


def run() -> None:
    sentences = _sentences()
    print(
        f"{len(sentences)} sentences, {sum(map(len, sentences)) / len(sentences):.1f} tokens each"
    )
    print(f"{'threads':>8} {'batch':>6} {'encoder/s':>10} {'chunker/s':>10} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        bare_file = bare_encoder(models_path("chunker", "network.onnx"), Path(folder) / "bare.onnx")
        words = words_of(Chunker.load().model)
        inputs = [words.encode(tokens) for tokens in sentences]
        for threads in (1, 2):
            for batch_size in (1, 32):
                chunker, bare = Chunker.load(threads=threads), session(bare_file, threads)
                # Measure in turns, so that other load on the machine affects both equally.
                times = [
                    (
                        seconds(lambda b=bare, n=batch_size: read_all(b, inputs, words, n)),
                        seconds(lambda c=chunker, n=batch_size: list(c.chunk_many(sentences, n))),
                    )
                    for _ in range(_ROUNDS)
                ]
                encoder, whole = (min(column) for column in zip(*times, strict=True))
                print(
                    f"{threads:>8} {batch_size:>6} {len(sentences) / encoder:>10.0f} "
                    f"{len(sentences) / whole:>10.0f} {encoder / whole:>6.2f}"
                )


def bare_encoder(network: Path, target: Path) -> Path:
    """Return the encoder of a network without its heads: the same graph, cut before the heads."""
    model = onnx.load(network)
    hidden = next(node.input[0] for node in model.graph.node if "here" in node.input)
    del model.graph.output[:]
    model.graph.output.append(helper.make_tensor_value_info(hidden, TensorProto.FLOAT, None))
    needed = {hidden}
    for node in reversed(list(model.graph.node)):
        if needed & set(node.output):
            needed |= set(node.input)
        else:
            model.graph.node.remove(node)
    for value in list(model.graph.input):
        if value.name not in needed:
            model.graph.input.remove(value)
    unused = [c for c in model.graph.initializer if c.name not in needed]
    for constant in unused:
        model.graph.initializer.remove(constant)
    onnx.save(model, target)
    return target


def session(file: Path, threads: int) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    return ort.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])


def read_all(
    session: ort.InferenceSession, inputs: list[EncoderInput], words: Words, batch_size: int
) -> None:
    names = [value.name for value in session.get_inputs()]
    for width, members in batches(inputs, batch_size):
        batch = feed([inputs[i] for i in members], width, words)
        session.run(None, {name: batch[name] for name in names})


def seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def _sentences() -> list[tuple[str, ...]]:
    files = sorted(_PILOT.glob("*.sent[12].txt")) or [EXAMPLES / "sent1.chunk.txt"]
    lines = [line for file in files for line in file.read_text(errors="replace").splitlines()]
    sentences = [
        tuple(t for chunk in parse(line) for t in chunk) if line.startswith("[ ") else line.split()
        for line in lines
    ]
    while len(sentences) < _SENTENCES:
        sentences = sentences * 2
    return [tuple(tokens) for tokens in sentences[:: len(sentences) // _SENTENCES][:_SENTENCES]]
