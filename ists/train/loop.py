"""The descent that every network goes through: its rates, warm-up, decay, and a mean of weights."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Tensor, nn

from ists.train.network import FROZEN, LAYERS

State = dict[str, Tensor]
Batch = TypeVar("Batch")


@dataclass(frozen=True)
class Descent:
    """How a network is trained, whatever it learns."""

    warm_up: float
    """The share of steps in which the rates rise; then they fall to nothing."""
    averaging: float
    """Of the weights along the way: an exponential mean, whose last value is taken."""
    lag: int
    """Early on the mean follows quickly, or it would remember the start: this many steps late."""

    def run(
        self,
        network: nn.Module,
        optimizer: torch.optim.Optimizer,
        epochs: Sequence[Sequence[Batch]],
        loss_of: Callable[[Batch], Tensor],
        progress: Callable[[str], None],
    ) -> State:
        """Train through all epochs; the weights are the mean's."""
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
    """Heads and letter shapes, which are new, learn at a rate of their own.

    ``rate`` is that of the encoder's last layer; each layer learns by the factor ``layer_decay``
    more slowly than the one above it.
    """
    groups = []
    for name, parameter in network.named_parameters():
        # A few thousand sentences teach nothing about thirty thousand words.
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
