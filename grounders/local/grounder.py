"""The grounder `local`: the same model families, run in process by transformers instead of a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from omnipilot.envs import ConfigError, Modality, Observation
from omnipilot.envs.types.actions import Described
from omnipilot.grounders.base import Abstention, Grounder, Grounding
from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.point_query import KeptPictures, Question, picture_and_words, question
from omnipilot.grounders.families.table import find_asking, weights_of
from omnipilot.grounders.local.loading import DTYPES, ModelSource, precision, present
from omnipilot.grounders.local.model import HONOURED, shared_model
from omnipilot.grounders.local.point_method import POINTERS, shared_pointer
from omnipilot.memory import Message, Reply
from omnipilot.memory.models import ModelKind, Sampling, weights_digest

_OWN_CODE = "--trust-remote-code"


class Batches(Protocol):
    """A model that answers conversations in batches."""

    def complete_all(
        self, conversations: Sequence[Sequence[Message]], sampling: Sampling, timeout: float
    ) -> list[Reply]: ...

    def plain(self, text: str) -> str: ...


class LocalGrounder(Grounder):
    """Runs a grounding model in this process with transformers.

    The model is loaded on first use, once per process; grounders with the same settings, and threads, share it. Every
    worker process of a run loads its own copy: with several workers, serve the model instead.

    Args:
        model: a folder, a hub id, or the last part of one ("uground-v1-7b").
        family: the model's family, if the id does not determine it.
        device: "auto" is the first GPU, or the CPU if there is none.
        dtype: "auto", "float32", "float16" or "bfloat16"; "auto" is the family's recommended one, or float32 on a CPU.
        batch: batch size of `ground_all`.
        revision: branch, tag or commit on the hub.
        timeout: maximum seconds per batch, without loading.
        trust_remote_code: run the Python code that comes with a model whose family needs it. Read it first.
        temperature: overrides the family's, to sample different answers to one question.
        template: file with the prompt, for a family whose prompt is not part of omnipilot.
        prompt: file with a text that replaces the family's question; as `template` where the family needs one.

    Raises:
        ConfigError: the model's family is unknown or cannot run in process, or an option is invalid.
        MissingExtra: torch or transformers is not installed.
    """

    main_option = "model"
    needs: frozenset[Modality] = frozenset({Modality.SCREENSHOT})
    reads: frozenset[Modality] = needs

    def __init__(
        self,
        model: str,
        family: str = "",
        device: str = "auto",
        dtype: str = "auto",
        batch: int = 8,
        revision: str = "",
        timeout: float = 120.0,
        trust_remote_code: bool = False,
        temperature: float | None = None,
        template: str = "",
        prompt: str = "",
    ) -> None:
        present()
        self.family: Family = find_asking(model, family, template, prompt)
        if dtype not in DTYPES:
            raise ConfigError(f"dtype must be one of {', '.join(DTYPES)}, not {dtype!r}")
        if batch < 1 or timeout <= 0:
            raise ConfigError(f"batch and timeout must be above 0, not {batch} and {timeout:g}")
        self.batch = batch
        self.timeout = timeout
        where = model if Path(model).is_dir() else weights_of(model)
        trusted = _trusted(self.family, trust_remote_code)
        self.source = ModelSource(where, revision, device, dtype, trusted, _served(self.family))
        own = self.family.sampling
        if unknown := own.extra_body.keys() - HONOURED:
            raise ConfigError(f"the family {self.family.name} needs {', '.join(sorted(unknown))}: serve its models")
        self.sampling = own if temperature is None else replace(own, temperature=temperature)
        self._pictures = KeptPictures()

    def warm_up(self) -> None:
        """Load the model.

        Raises:
            ConfigError, MissingExtra: as in `ground`.
        """
        self._model()

    def identity(self) -> dict[str, str]:
        """What affects its results besides its options: the hash of the user's prompt, or that the prompt is ours; that
        of the weights that come with the package; and the precision that `auto` means here, which is another on a GPU
        than on a CPU.

        Raises:
            ConfigError: the device is not available.
        """
        told = precision(self.source)
        shipped = self.family.shipped if self.source.model == self.family.shipped else ""
        weights = {"weights": weights_digest(Path(shipped) / ModelKind.weights)} if shipped else {}
        return {**self.family.layout.identity(), **weights, **({"precision": told} if told else {})}

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """Find a described place on the screenshot.

        Raises:
            ModelUnavailable: no answer in time, or not enough memory for one.
            ConfigError: the model cannot be loaded, or does not belong to its family.
            MissingExtra: torch or transformers is not installed.
        """
        return self.ground_all([(observation, target)])[0]

    def ground_all(self, pairs: Sequence[tuple[Observation, Described]]) -> list[Grounding | Abstention]:
        """Find many places in batches of `batch`; results as of `ground`, in the order of `pairs`.

        Screens of similar size are batched together to reduce padding. In half precision an answer
        may depend on the rest of its batch, as it does behind a server.

        Raises:
            ModelUnavailable, ConfigError, MissingExtra: as in `ground`; results of earlier batches are lost.
        """
        asked = [self._question(observation, target) for observation, target in pairs]
        found: dict[int, Grounding | Abstention] = {
            place: one for place, one in enumerate(asked) if not isinstance(one, Question)
        }
        open_ = sorted(
            ((place, one) for place, one in enumerate(asked) if isinstance(one, Question)),
            key=lambda numbered: numbered[1].sent.pixels,
        )
        for first in range(0, len(open_), self.batch):
            some = open_[first : first + self.batch]
            conversations = [one.messages for _, one in some]
            replies = self._model().complete_all(conversations, self.sampling, self.timeout)
            found |= {place: one.answered(reply) for (place, one), reply in zip(some, replies, strict=True)}
        return [found[place] for place in range(len(asked))]

    def _question(self, observation: Observation, target: Described) -> Question | Abstention:
        asked = picture_and_words(observation, target)
        if isinstance(asked, Abstention):
            return asked
        picture, words = asked[0], self._model().plain(asked[1])
        return question(self.family, picture, words, sampling=self.sampling, prepared=self._pictures)

    def _model(self) -> Batches:
        return shared_pointer(self.source) if self.family.base in POINTERS else shared_model(self.source)


def _served(family: Family) -> str:
    """The precision the family's authors serve it with, if they say so."""
    args = family.serving.args
    said = args[args.index("--dtype") + 1] if "--dtype" in args[:-1] else ""
    return said if said in DTYPES[1:] else ""


def _trusted(family: Family, allowed: bool) -> bool:
    """Whether a model's own code may run: its family needs it, and the user allows it.

    Raises:
        ConfigError: the family cannot run in process, or needs its own code, which is not allowed.
    """
    if "transformers" not in family.backends:
        raise ConfigError(f"the family {family.name} cannot run in process, only with {', '.join(family.backends)}")
    if _OWN_CODE not in family.serving.args and family.base not in POINTERS:
        return False
    if not allowed:
        raise ConfigError(
            f"models of the family {family.name} ship their own Python code, which would run here with your "
            "permissions; read it, then set trust_remote_code=true (and a revision, so that it cannot change)"
        )
    return True
