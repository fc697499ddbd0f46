"""Registries: names become objects on demand, from the engine's own tables and from the plug-ins that are installed."""

from __future__ import annotations

import difflib
import importlib
import inspect
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from importlib.metadata import EntryPoint
from itertools import starmap
from pathlib import Path
from typing import Any

from omnipilot.agents.assembly.composite import OF, check_inner, how_it_combines
from omnipilot.agents.assembly.docstring import first_docstring_line
from omnipilot.agents.assembly.part_names import is_model, is_object, split_object
from omnipilot.agents.assembly.spec import PartSpec
from omnipilot.envs import ConfigError, MissingExtra
from omnipilot.envs.contract.breaches import what_to_inherit
from omnipilot.envs.installed_plugins import (
    GROUP,
    Declared,
    broken_note,
    choose_declared,
    error_words,
    installed_plugins,
    load_declared,
)
from omnipilot.envs.types.foreign_exits import exit_words
from omnipilot.memory import TakesTruth
from omnipilot.memory.models.model_names import hosted_model, how_to_name
from omnipilot.memory.truth import Truth

MANY = 20
"""Names beyond this number are not all listed if some are near to the one that was asked for."""
_PLAIN: dict[str, tuple[type, ...]] = {"bool": (bool,), "int": (int,), "float": (int, float), "str": (str,)}


class Registry:
    """All parts of one kind, by name.

    A name that both we and a package define is ours: a plug-in can add names, but never change what a published name
    means. Ours are the engine's own names, and those of the plug-ins that the distribution omnipilot itself declares.

    Args:
        kind: what the parts are called in messages: "planner", "suite", …
        builtin: the engine's own, as "module:attribute"; a module is imported when its part is loaded.
        table: of `Plugin`, by which plug-ins add parts, such as "planners"; "" where none can.
        by_model: the part that a name with a slash ("openai/gpt-4o") stands for, with the name as its option `model`.
        gold: names of the engine's own whose parts are given the truth; no part under another name is.
        joined: the part that names joined by "+" stand for, and that is made of these.
        asks: the part that asks a model named after a colon, where a name with a slash stands for none: "vllm".
        offers: the base class of every part, or a protocol that it keeps; None where parts of a kind keep several.

    A factory may say by an attribute `main_option` which of its options is meant by a value after its name: with
    "accuracy", `graded:0.9` is `graded` with `accuracy=0.9`.
    """

    def __init__(
        self,
        kind: str,
        builtin: Mapping[str, str],
        table: str = "",
        by_model: str = "",
        gold: Collection[str] = (),
        joined: str = "",
        asks: str = "",
        offers: type | None = None,
    ) -> None:
        self.asks = asks
        self.offers = offers
        self.kind = kind
        self.table = table
        self.by_model = by_model
        self.joined = joined
        self.gold = frozenset(gold) & frozenset(builtin)
        self._builtin = dict(builtin)

    def names(self) -> tuple[str, ...]:
        """Every known name, ours first; no part is imported."""
        ours = self._ours()
        return (*ours, *sorted({one.name for one in self._declared()} - set(ours)))

    def where(self, name: str) -> str:
        """Where a name is defined: "omnipilot", or the package that declares it; no part is imported."""
        if name in self._ours():
            return "omnipilot"
        return ", ".join(sorted({one.package for one in self._declared() if one.name == name}))

    def summary(self, name: str) -> str:
        """First line of the docstring behind a name; "" if it cannot be found. Its module is read, not imported."""
        return first_docstring_line(self.target(name))

    def target(self, name: str) -> str:
        """What a name stands for, as "module:attribute"; the name itself where it is not known. Nothing is imported."""
        return self._ours().get(name) or next((one.target for one in self._declared() if one.name == name), name)

    def hidden(self) -> tuple[tuple[str, str], ...]:
        """Names of other packages' plug-ins that are not used, because the engine has them: name and package."""
        return tuple((one.name, one.package) for one in self._declared() if not one.ours and one.name in self._builtin)

    def main_option(self, name: str) -> str:
        """The option that a value after a name is for; "" if it takes none.

        Raises:
            ConfigError, MissingExtra: as in `load`.
        """
        option = getattr(self.load(name), "main_option", "")
        return option if isinstance(option, str) else ""

    def gold_names(self, part: PartSpec) -> Iterator[str]:
        """Names of the gold parts that a part is or is made of. No part of another package is made of one."""
        if self.is_ours(part.name):
            yield from (one.name for one in part.walk() if one.name in self.gold)

    def is_ours(self, name: str) -> bool:
        """Whether a name is one of omnipilot's own: the engine's, or that of a plug-in that ships with it."""
        return name in self._ours()

    def load(self, name: str) -> Any:
        """Import and return the object behind a name, or behind "module:attribute".

        Raises:
            ConfigError: no such name (the message gives the nearest ones), two packages claim it, or the package
                that declares it is broken.
            MissingExtra: it needs an optional dependency that is not installed.
        """
        if name in self._builtin:
            module, attribute = split_object(self._builtin[name])
            return getattr(importlib.import_module(module), attribute)
        if is_object(name):
            return self._load_path(name)
        one = choose_declared(self.kind, name, self._declared())
        if one is None:
            raise ConfigError(self.unknown_name(name))
        return load_declared(self.kind, one)

    def make(self, part: PartSpec, truth: Truth | None = None) -> Any:
        """Call the factory of a part with its options as keyword arguments.

        Where the factory combines parts of this registry, those that the part is made of are made first, and are its
        argument `of`.

        Args:
            truth: handed to the parts whose names are in `gold`.

        Raises:
            ConfigError: as in `load` and `check_inner`; or the factory takes no such option, not of that type, or needs
                another one.
            MissingExtra: it needs an optional dependency that is not installed.
        """
        factory, options = self.load(part.name), dict(part.options)
        combines = how_it_combines(factory)
        check_inner(self.kind, part, combines)
        if combines:
            self._refuse_gold(part)
            self._refuse_misplaced(part, factory)
            given = truth if self.is_ours(part.name) else None
            made = tuple(self.make(one, given) for one in part.inner)
            options[OF] = made if combines == "many" else made[0]
        self.check_factory(part.name, factory, options)
        _check_options(f"{self.kind} {part.name!r}", factory, options)
        one = self._made(part.name, factory, options)
        if truth is not None and part.name in self.gold and isinstance(one, TakesTruth):
            one.take_truth(truth)
        return one

    def with_defaults(self, part: PartSpec, other: PartSpec) -> PartSpec:
        """The part with the options that another part of its name has and it has not, as its factory takes them then:
        `lures=on` is what no option is. A part that cannot be loaded here stays as it is."""
        if part.name != other.name or len(part.inner) != len(other.inner):
            return part
        try:
            parameters = inspect.signature(self.load(part.name)).parameters
        except (ConfigError, MissingExtra, TypeError, ValueError):
            return part
        usual = {
            name: parameters[name].default
            for name in other.options.keys() & parameters.keys()
            if parameters[name].default is not inspect.Parameter.empty
        }
        inner = tuple(starmap(self.with_defaults, zip(part.inner, other.inner, strict=True)))
        return replace(part, options={**usual, **part.options}, inner=inner)

    def check_factory(self, name: str, factory: Any, options: Collection[str]) -> None:
        """Refuse what cannot make a part of this kind, as far as it shows: "json:loads" is no suite.

        Raises:
            ConfigError: it cannot be called; it is a class that does not inherit what its kind offers, or lacks some of
                its methods; or a function of other things than these options.
        """
        if self.is_ours(name):
            return
        if not callable(factory):
            raise ConfigError(f"{self.kind} {name!r} is a {type(factory).__name__}, {self._wanted()}")
        try:
            parameters = inspect.signature(factory).parameters.values()
        except (TypeError, ValueError):
            raise ConfigError(f"{self.kind} {name!r} says of none of its arguments, {self._wanted()}") from None
        if inspect.isclass(factory):
            if missing := [one for one, is_method in _members(self.offers) if is_method and _lacks(factory, one)]:
                raise ConfigError(f"{self.kind} {name!r} is a class without {', '.join(missing)}, {self._wanted()}")
            if self.offers is not None and not _is_protocol(self.offers) and not issubclass(factory, self.offers):
                raise ConfigError(f"{self.kind} {name!r} is a {factory.__name__}, {what_to_inherit(self.offers)}")
        elif is_object(name) and (lacking := _lacking_arguments(parameters, options)):
            raise ConfigError(f"{self.kind} {name!r} is a function of {', '.join(lacking)}, {self._wanted()}")

    def _made(self, name: str, factory: Any, options: Mapping[str, Any]) -> Any:
        """What the factory makes, if it is a part of this kind.

        Raises:
            ConfigError: it is none; or code of others tried to end the program.
        """
        try:
            part = factory(**options)
        except (Exception, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise ConfigError(f"{self.kind} {name!r} cannot be made: {exit_words(error)}") from error
        self.check_part(name, part)
        return part

    def check_part(self, name: str, part: object) -> None:
        """Refuse what a factory made if it is no part of this kind.

        Raises:
            ConfigError: it lacks what every part has, or does not inherit the base class.
        """
        if missing := [one for one, _ in _members(self.offers) if not hasattr(part, one)]:
            raise ConfigError(
                f"{self.kind} {name!r} makes a {type(part).__name__} without {', '.join(missing)}, {self._wanted()}"
            )
        if self.offers is not None and not _is_protocol(self.offers) and not isinstance(part, self.offers):
            raise ConfigError(f"{self.kind} {name!r} makes a {type(part).__name__}, {what_to_inherit(self.offers)}")

    def _wanted(self) -> str:
        kept = f", with {', '.join(one for one, _ in _members(self.offers))}" if self.offers is not None else ""
        article = "an" if self.kind[0] in "aeiou" else "a"
        return f"and not what makes {article} {self.kind}: name a class or a function that makes one{kept}"

    def _refuse_gold(self, part: PartSpec) -> None:
        """Refuse a part of others that is made of a gold one: it could read the truth from it."""
        if self.is_ours(part.name):
            return
        for one in part.walk():
            if one.name in self.gold:
                raise ConfigError(
                    f"{self.kind} {part.name!r} is no part of omnipilot, so it may not be made of {one.name!r}, which "
                    "knows the solution or the true screen; make it of another"
                )

    def _refuse_misplaced(self, part: PartSpec, factory: Any) -> None:
        """Refuse an option of an inner part that is written as one of the whole."""
        own = inspect.signature(factory).parameters
        for one in part.inner:
            takes = inspect.signature(self.load(one.name)).parameters
            for option in part.options:
                if option not in own and option in takes and option not in one.options:
                    raise ConfigError(
                        f"{self.kind} {part.name!r}: {option} is an option of {one.name}, one of its parts; write "
                        f"-o {self.kind}.{one.name}.{option}=…"
                    )

    def unknown_name(self, name: str) -> str:
        """The message for a name that does not exist; where a model was meant, it says how models are named."""
        if self.by_model and is_model(name):
            return (
                f"there is no {self.kind} {name!r}: a part over this model is "
                f"PartSpec({self.by_model!r}, {{'model': {name!r}}}), which parse_part makes of its name"
            )
        hosted = hosted_model(name)
        if self.by_model and hosted:
            return f"there is no {self.kind} {name!r}; did you mean the model {hosted}?"
        if Path(f"{name}.py").is_file():
            meant = f"its tasks, write {name}.py" if self.kind == "suite" else f"a class in it, write {name}:CLASS"
            return f"there is no {self.kind} {name!r}, but a file {name}.py: for {meant}"
        told = describe_unknown(self.kind, name, self.names()) + (broken_note() if self.table else "")
        if "did you mean" in told:
            return told
        if self.by_model:
            return f"{told}. If it is a model, {how_to_name(name)}"
        if self.asks:
            return f"{told}. A model is asked by {self.asks}: {self.asks}:{hosted or name}, with -o {self.kind}.url=…"
        return told

    def _declared(self) -> tuple[Declared, ...]:
        """What plug-ins declare."""
        return installed_plugins().declared(self.table) if self.table else ()

    def _ours(self) -> dict[str, str]:
        """Our own names with "module:attribute": the engine's, and those of the plug-ins that ship with it."""
        shipped = [one for one in self._declared() if one.ours]
        before = {one.name: one.target for one in shipped if one.place < 0}
        first = {**before, **self._builtin}
        return {**first, **{one.name: one.target for one in shipped if one.name not in first}}

    def _load_path(self, path: str) -> Any:
        """What stands at "module:attribute".

        Raises:
            ConfigError: it cannot be imported.
        """
        try:
            return EntryPoint(path, path, GROUP).load()
        except (ConfigError, KeyboardInterrupt):
            raise
        except BaseException as error:
            # Importing foreign code can raise anything, SystemExit too; whatever it was, that code is what the user
            # has to mend.
            where = "; install its package, or name the folder that it lies in with PYTHONPATH"
            cure = _meant(path, error) or (where if isinstance(error, ModuleNotFoundError) else "")
            raise ConfigError(f"{self.kind} {path!r} cannot be imported: {error_words(error)}{cure}") from error


def _meant(path: str, error: BaseException) -> str:
    """What "module:attribute" may have been meant for, as the end of a sentence; "" if nothing is near.

    Args:
        error: came of importing it.
    """
    module, attribute = split_object(path)
    if isinstance(error, ModuleNotFoundError) and module.endswith(".py"):
        return f"; a module is named without .py: write {module.removesuffix('.py').replace('/', '.')}:{attribute}"
    if not isinstance(error, AttributeError) or (found := sys.modules.get(module)) is None:
        return ""
    near = difflib.get_close_matches(attribute, [name for name in vars(found) if name[0] != "_"], n=1)
    return f"; did you mean {module}:{near[0]}?" if near else ""


def _lacking_arguments(parameters: Iterable[inspect.Parameter], options: Collection[str]) -> list[str]:
    """The arguments without which a function cannot be called, and which no option gives or can give."""
    many = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [
        one.name
        for one in parameters
        if one.kind not in many
        and (one.kind is one.POSITIONAL_ONLY or (one.default is one.empty and one.name not in options))
    ]


def _is_protocol(offers: type) -> bool:
    return bool(getattr(offers, "_is_protocol", False))


def _lacks(factory: type, name: str) -> bool:
    """Whether a class has no method of this name, or one without a body."""
    return bool(getattr(getattr(factory, name, None), "__isabstractmethod__", not hasattr(factory, name)))


def _members(protocol: type | None) -> tuple[tuple[str, bool], ...]:
    """What every part must have: the public names of a protocol, or the abstract ones of a base class; and whether each
    is a method."""
    if protocol is None:
        return ()
    if not _is_protocol(protocol):
        defined = {name: value for base in reversed(protocol.__mro__) for name, value in vars(base).items()}
        required: frozenset[str] = getattr(protocol, "__abstractmethods__", frozenset())
        return tuple((name, inspect.isfunction(value)) for name, value in defined.items() if name in required)
    kept: dict[str, bool] = {}
    for base in reversed(protocol.__mro__[:-1]):
        if base.__module__ != "typing":
            kept |= {name: inspect.isfunction(value) for name, value in vars(base).items() if not name.startswith("_")}
    return tuple(kept.items())


def describe_unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """The message for a name that does not exist: the nearest names, then all of them unless there are very many."""
    names = list(known)
    folded = {other.casefold(): other for other in names}
    near = [folded[match] for match in difflib.get_close_matches(name.casefold(), list(folded), n=3, cutoff=0.5)]
    hint = f"; did you mean {' or '.join(near)}?" if near else "."
    if near and len(names) > MANY:
        return f"there is no {kind} {name!r}{hint}"
    return f"there is no {kind} {name!r}{hint} There are: {', '.join(names) or 'none'}"


def _check_options(what: str, factory: Any, options: Mapping[str, Any]) -> None:
    parameters = inspect.signature(factory).parameters
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return
    for name, value in options.items():
        if name not in parameters:
            raise ConfigError(f"{what}: {describe_unknown('option', name, parameters)}")
        kind = kind_of(parameters[name])
        fits = _PLAIN.get(kind)
        if kind.startswith("Mapping") and value is not None and not isinstance(value, Mapping):
            raise ConfigError(f"{what}: option {name} is a table, with entries as {name}.KEY=VALUE, not {value!r:.60}")
        if fits and (not isinstance(value, fits) or (isinstance(value, bool) and kind != "bool")):
            raise ConfigError(f"{what}: option {name} must be of type {kind}, not {value!r:.60}")
    for name, parameter in parameters.items():
        if (
            parameter.default is parameter.empty
            and name not in options
            and parameter.kind is not parameter.VAR_POSITIONAL
        ):
            kind, _, called = what.partition(" ")
            short = f"write {called[1:-1]}:{name.upper()}, or " if name == getattr(factory, "main_option", "") else ""
            raise ConfigError(f"{what} needs the option {name}: {short}-o {kind}.{name}=…")


def kind_of(parameter: inspect.Parameter) -> str:
    """The name of a parameter's type."""
    annotation = parameter.annotation
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
