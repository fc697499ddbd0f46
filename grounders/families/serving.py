"""Sampling parameters of a family's requests, and how the family is served."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Serving:
    """How the family is served.

    Attributes:
        min_vllm: the oldest vLLM that serves it ("" if unknown).
        args: arguments of `vllm serve` specific to this family; media limits and the pixel budget are added from
            the record.
        images: images per prompt.
    """

    min_vllm: str = ""
    args: tuple[str, ...] = ()
    note: str = ""
    images: int = 1
