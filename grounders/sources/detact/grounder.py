"""The grounder `detact`: finds a described place among the texts, icons and colours of the picture."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from omnipilot.envs import Absent, Element, Modality, Observation
from omnipilot.envs.types import describe, matches
from omnipilot.envs.types.actions import Described, Ref
from omnipilot.grounders.base import Abstention, Grounder, Grounding
from omnipilot.grounders.sources.detact.colors import COLORS
from omnipilot.grounders.sources.detact.lexical import word_likeness, words_of
from omnipilot.grounders.sources.detact.source import DetAct
from omnipilot.memory import Usage

_LISTED = 6


@dataclass(eq=False)
class DetactGrounder(Grounder):
    """Points at what DetACT found: a text, an icon by its function, or a place of a named colour; uses no model.

    A name that is written or drawn once decides; of several, a colour in the description does. Otherwise it abstains
    and names the places.

    Attributes:
        pack, strict, mode, texts, icons, colors: as of the source of elements, `DetAct`.

    Raises:
        ConfigError, MissingExtra: as from `DetAct`.
    """

    pack: str = ""
    strict: bool = False
    mode: str = "mean"
    texts: bool = True
    icons: bool = True
    colors: bool = True

    needs: ClassVar[frozenset[Modality]] = frozenset({Modality.SCREENSHOT})
    reads: ClassVar[frozenset[Modality]] = needs
    whereabouts: ClassVar[frozenset[str]] = frozenset({"pack"})

    def __post_init__(self) -> None:
        self.source = DetAct(
            pack=self.pack,
            strict=self.strict,
            mode=self.mode,
            texts=self.texts,
            icons=self.icons,
            colors=self.colors,
            filter="none",
        )

    def identity(self) -> Mapping[str, str]:
        """The pictures of the pack."""
        return self.source.identity()

    def warm_up(self) -> None:
        """Load the reader's models."""
        self.source.warm_up()

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """Find a described place; `usage.seconds` is the time for reading the picture."""
        picture = observation.screenshot
        if isinstance(picture, Absent):
            why = f"{picture.reason}{': ' if picture.detail else ''}{picture.detail}"
            return Abstention("no_view", f"there is no screenshot of {observation.env} ({why})")
        if isinstance(target, Ref):
            return Abstention("not_found", f"on a picture nothing has an id such as {target.id!r}; say what it is")
        began = time.perf_counter()
        every = self.source.read(picture)
        usage = Usage(seconds=time.perf_counter() - began)
        found = _answers(target, every)
        if len(found) == 1:
            return Grounding(found[0].box.center, found[0].box, found[0].confidence, usage)
        if found:
            listed = "; ".join(map(_words_at, found[:_LISTED]))
            return Abstention("ambiguous", f"{len(found)} places answer to it: {listed}; say which", usage)
        near = "; ".join(map(_words_at, every[:_LISTED]))
        return Abstention(
            "not_found", f"nothing is called so; there are {near}, …" if near else "nothing is seen", usage
        )


def _answers(target: str, every: tuple[Element, ...]) -> list[Element]:
    """What answers to a description equally well: by its name, else by words that mean the same, else by its colour."""
    named = [one for one in every if one.role != "color"]
    asked = replace(describe(target), roles=frozenset())
    found = matches(asked, named) or _of_one_meaning(asked.name or asked.phrase, named)
    colors = [one for one in every if one.role == "color" and one.name in words_of(target) & set(COLORS)]
    if len(found) > 1 and colors:
        return [one for one in found if any(color.box.contains(one.box.center) for color in colors)] or found
    return found or matches(replace(asked, phrase=colors[0].name, name=colors[0].name), colors) if colors else found


def _of_one_meaning(name: str, named: list[Element]) -> list[Element]:
    """The elements of whose name every word means the same as one that is asked for."""
    words = words_of(name)
    return [
        one
        for one in named
        if (own := words_of(one.name)) and all(any(word_likeness(word, other) for other in words) for word in own)
    ]


def _words_at(one: Element) -> str:
    x, y = one.box.center.to_permille()
    return f"{one.role} {one.name[:60]!r} at ({x:.0f}, {y:.0f})‰"
