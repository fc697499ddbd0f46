"""What a request to a model of a family says beside its messages, and how the family is served."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Serving:
    """How the family is served.

    Attributes:
        min_vllm: the oldest vLLM that serves it ("" where unknown).
        args: arguments of `vllm serve` of this family alone; limits of media and the pixel budget are added from
            the record.
        images: images a prompt.
    """

    min_vllm: str = ""
    args: tuple[str, ...] = ()
    note: str = ""
    images: int = 1
