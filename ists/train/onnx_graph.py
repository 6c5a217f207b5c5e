"""Trained networks as 8-bit ONNX files for onnxruntime, and back.

The graph is built node by node because the common tools quantise a whole tensor of activations
with one scale: then the output for a sentence depends on the other sentences of the batch and on
the padding. Here every row of activations has its own scale, every output of a layer has its own
scale of weights, and sums of integers are exact: the output for a sentence does not depend on its
batch. The heads are small and stay in full precision. The word embeddings are not in the files: all
networks get them as input, from one table (see `ists.train.words`).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor

from ists.train.encoder import HEADS, HIDDEN, LAYERS

Weights = Mapping[str, NDArray[np.float32]]
_CONTRIB = "com.microsoft"
_OPSETS = [helper.make_opsetid("", 21), helper.make_opsetid(_CONTRIB, 1)]
_IR_VERSION = 10
_LEVELS = 127
_WEIGHT_LEVELS = 63
"""7 bits: processors without VNNI add two products of 8-bit numbers in 16 bits; 255 × 127 × 2 would
overflow, 255 × 63 × 2 does not, so sums of integers are exact on every processor."""


class Graph:
    """A graph under construction: its nodes and constants."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: Any) -> str:
        """Add a named constant, unless the graph has it."""
        if name not in self.constants:
            array = np.asarray(value)
            array = array.copy() if array.ndim == 0 else np.ascontiguousarray(array)
            self.constants[name] = numpy_helper.from_array(array, name)
        return name

    def many(self, kind: str, *inputs: str, outputs: int, **attributes: Any) -> list[str]:
        """Add a node with several outputs and return their names."""
        name = f"{kind}_{len(self.nodes)}"
        names = [f"{name}_{number}" for number in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, name=name, **attributes))
        return names

    def op(self, kind: str, *inputs: str, **attributes: Any) -> str:
        """Add a node with one output and return its name."""
        return self.many(kind, *inputs, outputs=1, **attributes)[0]

    def named(self, name: str, value: str) -> str:
        """Name a value as an output of the graph."""
        self.nodes.append(helper.make_node("Identity", [value], [name], name=name))
        return name

    def embedded(self, name: str, table: NDArray[np.float32], rows: str) -> str:
        """Look up rows of an embedding table, which is stored in 8 bits with a scale per row."""
        whole, scales = in_8_bits(table)
        found = self.op("Gather", self.constant(name, whole), rows)
        scale = self.op("Gather", self.constant(f"{name} scale", scales), rows)
        return self.op("Mul", self.op("Cast", found, to=TensorProto.FLOAT), scale)

    def linear(
        self, x: str, name: str, weight: NDArray[np.float32], bias: NDArray[np.float32] | None
    ) -> str:
        """Add a linear layer in full precision; ``weight`` is (out, in), as in torch."""
        product = self.op("MatMul", x, self.constant(f"{name} weight", weight.T))
        return product if bias is None else self._plus(product, name, bias)

    def linear8(
        self, x: str, name: str, weight: NDArray[np.float32], bias: NDArray[np.float32] | None
    ) -> str:
        """Add a linear layer with 8-bit rows and 7-bit weights, with a scale per row of both."""
        axis = self.constant("last axis", np.array([-1], np.int64))
        peak = self.op("ReduceMax", self.op("Abs", x), axis, keepdims=0)
        peak = self.op("Max", peak, self.constant("tiny", np.float32(1e-6)))
        scale = self.op("Mul", peak, self.constant("level", np.float32(1 / _LEVELS)))
        zero = self.constant("zero point", np.uint8(128))
        zeros = self.op("Expand", zero, self.op("Shape", scale))
        rows = self.op("QuantizeLinear", x, scale, zeros, axis=0)
        step = (np.abs(weight).max(1) / _WEIGHT_LEVELS).astype(np.float32)
        product = self.op(
            "MatMulIntegerToFloat",
            rows,
            self.constant(f"{name} weight", np.rint(weight / step[:, None]).astype(np.int8).T),
            self.constant("one", np.float32(1)),
            self.constant(f"{name} scale", step),
            zero,
            domain=_CONTRIB,
        )
        product = self.op("Mul", product, self.op("Unsqueeze", scale, axis))
        return product if bias is None else self._plus(product, name, bias)

    def normalised(self, x: str, name: str, weights: Weights, residual: str | None = None) -> str:
        """Add layer normalisation of x, or of the sum of x and a residual."""
        gain = self.constant(f"{name} gain", weights[f"{name}.weight"])
        bias = self.constant(f"{name} bias", weights[f"{name}.bias"])
        # Not SkipLayerNormalization, which does both: onnxruntime computes it one number at a time.
        total = x if residual is None else self.op("Add", residual, x)
        return self.op("LayerNormalization", total, gain, bias, axis=-1, epsilon=1e-12)

    def _plus(self, x: str, name: str, bias: NDArray[np.float32]) -> str:
        return self.op("Add", x, self.constant(f"{name} bias", bias))


def in_8_bits(table: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Quantise a table of vectors to 8 bits; return the integers and a scale for each vector."""
    scales = (np.abs(table).max(1, keepdims=True) / _LEVELS + 1e-12).astype(np.float32)
    return np.rint(table / scales).astype(np.int8), scales


def as_arrays(state: Mapping[str, Tensor]) -> Weights:
    """Convert the weights of a network to numpy arrays."""
    return {name: value.detach().float().numpy() for name, value in state.items()}


def add_encoder(graph: Graph, weights: Weights) -> str:
    """Add the encoder; return the hidden states of all pieces of a batch: (B × N, HIDDEN)."""
    width = graph.op("Squeeze", graph.op("Shape", "words", start=1, end=2))
    first, step = graph.constant("first", np.int64(0)), graph.constant("step", np.int64(1))
    positions = graph.op("Range", first, width, step)
    x = graph.op(
        "Add", "words", graph.embedded("positions", weights["encoder.positions.weight"], positions)
    )
    for name in ("segments", "shapes"):
        table = graph.constant(f"{name} table", weights[f"encoder.{name}.weight"])
        x = graph.op("Add", x, graph.op("Gather", table, name))
    flat = graph.constant("flat", np.array([-1, HIDDEN], np.int64))
    by_input_shape = graph.op("Shape", "words")
    x = graph.op("Reshape", graph.normalised(x, "encoder.norm", weights), flat)
    for number in range(LAYERS):
        x = _layer(graph, weights, f"encoder.layers.{number}", x, flat, by_input_shape)
    return x


def _layer(
    graph: Graph, weights: Weights, name: str, x: str, flat: str, by_input_shape: str
) -> str:
    def linear(part: str, value: str, bias: bool = True) -> str:
        full = f"{name}.{part}"
        own_bias = weights[f"{full}.bias"] if bias else None
        return graph.linear8(value, full, weights[f"{full}.weight"], own_bias)

    parts = graph.many("Split", linear("qkv", x), outputs=3, axis=1, num_outputs=3)
    query, key, value = (graph.op("Reshape", part, by_input_shape) for part in parts)
    seen = graph.op(
        "MultiHeadAttention", query, key, value, "", "lengths", domain=_CONTRIB, num_heads=HEADS
    )
    attended = linear("out", graph.op("Reshape", seen, flat))
    x = graph.normalised(attended, f"{name}.norm1", weights, residual=x)
    bias = graph.constant(f"{name}.up own bias", weights[f"{name}.up.bias"])
    inner = graph.op("BiasGelu", linear("up", x, bias=False), bias, domain=_CONTRIB)
    return graph.normalised(linear("down", inner), f"{name}.norm2", weights, residual=x)


def by_input(graph: Graph, hidden: str) -> str:
    """Reshape the hidden states of all pieces to (B, N, HIDDEN)."""
    return graph.op("Reshape", hidden, graph.op("Shape", "words"))


def add_boundary_head(graph: Graph, weights: Weights, first: str, before: str) -> str:
    """Add the boundary head on the hidden states of the tokens' first pieces."""
    own = graph.linear(
        first, "boundary.here", weights["boundary.here.weight"], weights["boundary.here.bias"]
    )
    previous = graph.linear(before, "boundary.before", weights["boundary.before.weight"], None)
    inner = graph.op("Gelu", graph.op("Add", own, previous), domain=_CONTRIB)
    logits = graph.linear(
        inner, "boundary.start", weights["boundary.start.weight"], weights["boundary.start.bias"]
    )
    return graph.op("Squeeze", logits, graph.constant("last axis", np.array([-1], np.int64)))


def save_graph(graph: Graph, outputs: Mapping[str, str], file: Path) -> None:
    """Write a graph as an ONNX file; ``outputs``: the values of its outputs by name."""
    integers = TensorProto.INT64
    inputs = [
        helper.make_tensor_value_info("words", TensorProto.FLOAT, ["B", "N", HIDDEN]),
        *(
            helper.make_tensor_value_info(name, integers, ["B", "N"])
            for name in ("shapes", "segments")
        ),
        helper.make_tensor_value_info("lengths", TensorProto.INT32, ["B"]),
    ]
    used = {name for node in graph.nodes for name in node.input}
    inputs += [
        helper.make_tensor_value_info(name, integers, ["T"])
        for name in ("here", "before")
        if name in used
    ]
    described = [
        helper.make_tensor_value_info(graph.named(name, value), TensorProto.FLOAT, None)
        for name, value in outputs.items()
    ]
    made = helper.make_graph(graph.nodes, "ists", inputs, described, list(graph.constants.values()))
    onnx.save(helper.make_model(made, opset_imports=_OPSETS, ir_version=_IR_VERSION), file)


def exported_state(file: Path) -> dict[str, Tensor]:
    """Read the weights of an exported network, under the names they have in training.

    Word and position embeddings are not returned: they are frozen and come from the base model. The
    encoder's weights have the precision of their 7 bits.
    """
    stored = {
        tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(file).graph.initializer
    }
    state: dict[str, NDArray[np.float32]] = {
        f"encoder.{name}.weight": stored[f"{name} table"] for name in ("segments", "shapes")
    }
    for name, array in stored.items():
        part, _, kind = name.rpartition(" ")
        if kind == "weight":
            scale = stored.get(f"{part} scale", np.float32(1))
            state[f"{part}.weight"] = (array * scale).astype(np.float32).T
        elif kind == "gain":
            state[f"{part}.weight"] = array
        elif kind == "bias":
            state[f"{part.removesuffix(' own')}.bias"] = array
    return {name: torch.from_numpy(np.array(a, np.float32)) for name, a in state.items()}
