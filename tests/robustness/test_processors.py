"""The same output on every processor: exact integers in the encoder, exact products in the head."""

from itertools import islice
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import TensorProto, helper, numpy_helper

from ists.resources import models_path
from tests.golden import outputs
from tests.processors import kernels, run_under

NETWORKS = ("pilot/reader.onnx", "chunker/network.onnx", "similarity/network.onnx")
PAIRS_OF_STS = 1_000


def first_layer(file: Path) -> tuple[ort.InferenceSession, np.ndarray, np.ndarray]:
    """Return the first integer product of a network as a model, with its weights and scales."""
    model = onnx.load(file)
    node = next(node for node in model.graph.node if node.op_type == "MatMulIntegerToFloat")
    used = [tensor for tensor in model.graph.initializer if tensor.name in node.input]
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in used}
    weights, scales = arrays[node.input[1]], arrays[node.input[3]]
    graph = helper.make_graph(
        [node],
        "first layer",
        [helper.make_tensor_value_info(node.input[0], TensorProto.UINT8, ["N", len(weights)])],
        [helper.make_tensor_value_info(node.output[0], TensorProto.FLOAT, None)],
        used,
    )
    alone = helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)
    session = ort.InferenceSession(alone.SerializeToString(), providers=["CPUExecutionProvider"])
    return session, weights, scales


@pytest.mark.parametrize("network", NETWORKS)
def test_integer_products_are_exact(network):
    session, weights, scales = first_layer(models_path(network))
    rng = np.random.default_rng(1)
    inputs = len(weights)
    worst = np.where(weights[:, :8].T > 0, 255, 0)  # each row maximises one output
    rows = np.concatenate(
        [
            np.zeros((1, inputs)),
            np.full((1, inputs), 255),
            worst,
            255 - worst,
            rng.integers(0, 256, (40, inputs)),
            rng.choice([0, 255], (40, inputs)),
        ]
    ).astype(np.uint8)
    found = session.run(None, {session.get_inputs()[0].name: rows})[0]
    exact = (rows.astype(np.int64) - 128) @ weights.astype(np.int64)
    np.testing.assert_array_equal(found, exact.astype(np.float32) * scales)


_ALIGN = """
import sys
from tests.golden import outputs
sys.stdout.buffer.write(b"".join(outputs.aligned(sys.argv[1:])))
"""


def aligned_under_all(*files: Path) -> list[bytes]:
    return [run_under(kernel, "-c", _ALIGN, *map(str, files)) for kernel in kernels()]


def test_the_golden_pairs_are_aligned_equally_under_every_blas_kernel():
    made = aligned_under_all(outputs.PAIRS)
    assert all(output == made[0] for output in made)


def test_a_thousand_pairs_are_aligned_equally_under_every_blas_kernel(shared, tmp_path):
    lines: list[str] = []
    for name in ("deft-news", "tweet-news", "OnWN"):
        with (shared / f"sts/2014/{name}.test.tsv").open(encoding="utf-8") as stream:
            lines += islice(stream, 350)
    file = tmp_path / "pairs.tsv"
    file.write_text("".join(lines[:PAIRS_OF_STS]), encoding="utf-8")
    made = aligned_under_all(file)
    assert all(output.count(b"<sentence ") == PAIRS_OF_STS for output in made)
    assert all(output == made[0] for output in made)
