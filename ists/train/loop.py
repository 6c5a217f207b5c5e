"""The training loop of all networks: learning rates, weight decay, and averaging of weights."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Tensor, nn

from ists.train.encoder import FROZEN, LAYERS

State = dict[str, Tensor]
"""The weights of a network by name, as torch's ``state_dict``."""
Progress = Callable[[str], None]
Batch = TypeVar("Batch")


@contextmanager
def _short_factors() -> Iterator[None]:
    """Let products round their factors to 16 bits on processors that multiply these faster.

    A step takes half the time there; elsewhere nothing changes.
    """
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("medium")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


@dataclass(frozen=True)
class TrainingLoop:
    """Gradient descent with warm-up, linear decay and a moving average of the weights."""

    warm_up: float
    """The share of steps in which the learning rates rise; then they fall linearly to zero."""
    averaging: float
    """Decay of the exponential moving average of the weights; its last value is the result."""
    lag: int
    """In early steps the decay is lower, or the average would keep much of the initial weights:
    at most step / (step + lag)."""

    @_short_factors()
    def run(
        self,
        network: nn.Module,
        optimizer: torch.optim.Optimizer,
        epochs: Sequence[Sequence[Batch]],
        loss_of: Callable[[Batch], Tensor],
        progress: Progress,
    ) -> State:
        """Train on the batches of all epochs and return the averaged weights."""
        peaks = [group["lr"] for group in optimizer.param_groups]
        total = sum(map(len, epochs))
        warm = max(1, int(total * self.warm_up))
        trained = [p for p in network.parameters() if p.requires_grad]
        mean = [p.detach().clone() for p in trained]
        step = 0
        network.train()
        for number, batches in enumerate(epochs, start=1):
            running = 0.0
            for batch in batches:
                scale = (step + 1) / warm if step < warm else (total - step) / (total - warm)
                for group, peak in zip(optimizer.param_groups, peaks, strict=True):
                    group["lr"] = peak * scale
                loss = loss_of(batch)
                optimizer.zero_grad(set_to_none=True)
                loss.backward()  # type: ignore[no-untyped-call]
                torch.nn.utils.clip_grad_norm_(trained, 1.0)
                optimizer.step()
                step += 1
                follow = 1 - min(self.averaging, step / (step + self.lag))
                torch._foreach_lerp_(mean, [p.detach() for p in trained], follow)
                running += loss.item() / len(batches)
            progress(f"epoch {number} of {len(epochs)}, loss {running:.4f}")
        with torch.no_grad():
            for parameter, value in zip(trained, mean, strict=True):
                parameter.copy_(value)
        return {name: value.detach().clone() for name, value in network.state_dict().items()}


def optimizer_of(
    network: nn.Module,
    rate: float,
    head_rate: float,
    weight_decay: float,
    layer_decay: float = 1.0,
) -> torch.optim.Optimizer:
    """Return AdamW with a learning rate for each layer; word embeddings are frozen.

    ``rate`` is that of the encoder's last layer; each layer below has the rate of the one above it
    times ``layer_decay``. The heads and the letter shapes are not pre-trained and have
    ``head_rate``.
    """
    groups = []
    for name, parameter in network.named_parameters():
        # A few thousand sentences are too few to train thirty thousand word embeddings.
        if name in FROZEN:
            parameter.requires_grad_(False)
            continue
        own = rate * layer_decay**LAYERS
        if name.startswith("encoder.layers."):
            above = LAYERS - 1 - int(name.split(".")[2])
            own = rate * layer_decay**above
        elif name == "encoder.shapes.weight" or not name.startswith("encoder."):
            own = head_rate
        decay = weight_decay if parameter.ndim > 1 else 0.0
        groups.append({"params": [parameter], "lr": own, "weight_decay": decay})
    return torch.optim.AdamW(groups, betas=(0.9, 0.98), fused=True)


def averaged(states: Sequence[State]) -> State:
    """Return the mean of networks that were trained from the same initial weights.

    Computed as differences from the first network, so that weights that all have in common keep
    their exact values.
    """
    first = states[0]
    return {
        name: own + torch.stack([state[name] - own for state in states]).mean(0)
        for name, own in first.items()
    }
