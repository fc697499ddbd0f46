"""Folders of small models: a configuration, weights, and files beside them, checked before anything is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import check_file, open_file, read_text
from omnipilot.memory.safetensors_file import ANEW, damaged_file_error, read_safetensors, safetensors_shapes


class NetworkForm(Protocol):
    """What a configuration says of a network."""

    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """The arrays of the network, by name."""
        ...


Form = TypeVar("Form", bound=NetworkForm)
Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class ModelValues:
    """The values of one of a model's JSON files, each checked where it is taken.

    Attributes:
        path: of the file. cure: what mends it.
    """

    path: Path
    values: Mapping[str, Any]
    cure: str

    def error(self, why: str) -> ConfigError:
        """The error about the file."""
        return damaged_file_error(self.path, why, self.cure)

    def whole(self, name: str, least: int, most: int, default: int | None = None) -> int:
        """A whole number.

        Raises:
            ConfigError: it is none, or out of bounds; or it is missing, and has no default.
        """
        value = self.values.get(name, default)
        if type(value) is not int or not least <= value <= most:
            raise self.error(f"{name} must be a whole number of {least:,} to {most:,}, not {value!r:.60}")
        return value

    def number(self, name: str, least: float, most: float, default: object = None) -> float:
        """A number.

        Raises:
            ConfigError: as in `whole`; a default is checked, too.
        """
        value = self.values.get(name, default)
        if type(value) not in (int, float) or not least <= value <= most:
            raise self.error(f"{name} must be a number of {least:g} to {most:g}, not {value!r:.60}")
        return float(value)


@dataclass(frozen=True, slots=True)
class ModelKind(Generic[Form]):
    """A kind of small models, each in a folder with a configuration, weights, and what else it has.

    Attributes:
        name: as the part that runs it is called. command: that trains one.
        shipped: folder of the weights that come with the package.
        read_values: makes the form of the network of what a configuration says. others: files beside those two.
        more: folders of further weights that come with the package, by what stands behind the kind's name and a hyphen.
        config, weights: the names of the two.
    """

    config: ClassVar[str] = "config.json"
    weights: ClassVar[str] = "model.safetensors"

    name: str
    command: str
    shipped: Path
    read_values: Callable[[ModelValues], Form]
    others: tuple[str, ...] = ()
    more: Mapping[str, Path] = field(default_factory=dict)

    def folder(self, named: str) -> Path:
        """A folder that somebody names: its path, or what weights that come with the package are called, with the
        kind's name or, where no model lies in a folder called so, without it; "" for those of this kind's own name.

        Raises:
            ConfigError: the shipped weights are not in this copy of the package.
        """
        found = {"": self.shipped, **self._by_name()}.get(named)
        if found is None and not (Path(named).expanduser() / self.config).exists():
            found = self.more.get(named)
        if found is None:
            return Path(named).expanduser()
        if not found.exists():
            raise ConfigError(f"this copy has no weights of {named or self.name}; make some with `{self.command}`")
        return found

    def names(self) -> tuple[str, ...]:
        """What the weights that come with the package are called."""
        return tuple(self._by_name())

    def _by_name(self) -> dict[str, Path]:
        return {self.name: self.shipped, **{f"{self.name}-{name}": path for name, path in self.more.items()}}

    def check(self, folder: Path) -> Form:
        """Check that a folder holds a model, as far as can be seen without reading its numbers; its form.

        Raises:
            ConfigError: it does not; the message names the file, and what to do.
        """
        for name in (self.config, self.weights, *self.others):
            try:
                check_file(folder / name)
            except OSError as error:
                raise self.error(folder / name, f"no {self.name} can be read here: {error.strerror}") from None
        form, path = self.read_form(folder), folder / self.weights
        wanted, found = form.shapes(), safetensors_shapes(path)
        for name in (*wanted, *found):
            if name not in found:
                raise self.error(path, f"{name} of the network in {self.config} is missing")
            if name not in wanted:
                raise self.error(path, f"{name} is in no network of {self.config}")
            if found[name] != wanted[name]:
                told = f"{name} has the shape {list(found[name])}, and {self.config} asks for {list(wanted[name])}"
                raise self.error(path, told)
        return form

    def read(self, folder: Path) -> tuple[Form, dict[str, Any]]:
        """The form of a network, and its arrays in float32 by name.

        Raises:
            ConfigError: as in `check`; or numbers in it are infinite or none.
        """
        return self.check(folder), read_safetensors(folder / self.weights)

    def read_form(self, folder: Path) -> Form:
        """The form of a network; its weights need not be there.

        Raises:
            ConfigError: the configuration is missing, broken, or that of another network.
        """
        return self.read_values(self.values(folder))

    def values(self, folder: Path, name: str = config) -> ModelValues:
        """The values of one of the JSON files in a folder.

        Raises:
            ConfigError: it is missing, or no JSON object.
        """
        told = self.read_file(folder / name, parse_json)
        if not isinstance(told, dict):
            raise self.error(folder / name, "it is no JSON object")
        return ModelValues(folder / name, told, self._cure)

    def read_file(self, path: Path, parse: Callable[[str], Read], what: str = "JSON") -> Read:
        """As `read_model_file`."""
        return read_model_file(path, parse, what, self._cure)

    def digest(self, folder: Path) -> str:
        """SHA-256 of the weights in a folder, in hexadecimal digits."""
        return weights_digest(folder / self.weights)

    def error(self, path: Path, why: str) -> ConfigError:
        """The error about a folder, or a file in it."""
        return damaged_file_error(path, why, self._cure)

    @property
    def _cure(self) -> str:
        return f"train a model anew with `{self.command}`, or name another folder"


def weights_digest(path: Path) -> str:
    """SHA-256 of a file of weights, in hexadecimal digits."""
    import hashlib

    with open_file(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_model_file(path: Path, parse: Callable[[str], Read], what: str = "JSON", cure: str = ANEW) -> Read:
    """What is in one of a model's files.

    Raises:
        ConfigError: it cannot be read, or is not `what` it should be.
    """
    try:
        return parse(read_text(path))
    except OSError as error:
        raise damaged_file_error(path, str(error.strerror), cure) from None
    except ValueError as error:
        raise damaged_file_error(path, f"it is no {what} ({error})", cure) from None
