"""The table of model families, and looking them up by name or model id."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Collection
from importlib import import_module

from omnipilot.envs import ConfigError
from omnipilot.envs.installed_plugins import Declared, broken_note, installed_plugins, load_declared
from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.unsupported import refuse_elsewhere
from omnipilot.memory.models.model_names import same_model

_FILES = ("qwen2", "qwen25", "qwen25_trained", "qwen3", "internvl", "minicpm", "other", "api")


def families() -> tuple[Family, ...]:
    """Every family: the engine's, in the order of the files that define them, then those of plug-ins, ours first.

    If both we and a package define a name, ours wins: a plug-in never changes the meaning of a published name. Families
    that cannot be loaded are left out, and told where a family is not found.
    """
    return _loaded()[0]


@functools.cache
def _loaded() -> tuple[tuple[Family, ...], str]:
    """The families, and what is wrong with those that cannot be loaded, for the message of an unknown one."""
    own = [family for file in _FILES for family in import_module(f"omnipilot.grounders.families.{file}").FAMILIES]
    known: dict[str, Family] = {family.name: family for family in own}
    wrong = broken_note()
    for one in installed_plugins().declared("families"):
        try:
            for family in _families_of(one):
                known.setdefault(family.name, family)
        except ConfigError as error:
            wrong += f" ({error})"
    return tuple(known.values()), wrong


def names() -> tuple[str, ...]:
    """Every family's name."""
    return tuple(family.name for family in families())


def get(name: str) -> Family:
    """A family by its name.

    Raises:
        ConfigError: the name is unknown; the message suggests the closest.
    """
    for family in families():
        if family.name == name.lower():
            return family
    refuse_elsewhere(name)
    raise ConfigError(f"unknown model family {name!r}; {_closest(name, names())}{_loaded()[1]}")


def find(model: str, family: str = "") -> Family:
    """The family of a model id or of its last part, ignoring case; `family` overrides the lookup.

    An id that no family lists is looked up once more without what says how its weights are packed or of which day it
    is: `-FP8`, `-AWQ`, `-GPTQ-Int4`, `-GGUF:Q4_K_M`, `-4bit`, `-20250929`.

    Raises:
        ConfigError: no family lists this model; the message suggests the closest.
    """
    if family:
        return get(family)
    found = _lookup(model) or _lookup_packed(model)
    if found is not None:
        return found[0]
    refuse_elsewhere(model)
    ids = [id for family in families() for id in family.models]
    closest = _closest(model, ids)
    raise ConfigError(
        f"no family lists the model {model!r}; {closest}; or set its family (-o grounder.family=…, `serve --family`)"
        f"{_loaded()[1]}"
    )


def find_asking(model: str, family: str, template: str, prompt: str) -> Family:
    """The family of a model, as in `find`, with the user's own question in place of the family's.

    Args:
        template, prompt: files as in `Family.with_template` and `Family.with_prompt`; "" for none, at most one.

    Raises:
        ConfigError: no family lists this model, both are given, or the file cannot be used.
    """
    found = find(model, family)
    if template and prompt:
        raise ConfigError("template and prompt are both files with the question; give one")
    return found.with_template(template) if template else found.with_prompt(prompt) if prompt else found


def model_id(model: str) -> str:
    """The full id for a model's short name; a mirror's id, a folder and an unknown id are returned unchanged."""
    found = _lookup(model)
    if found is None or ("/" in model and model.lower() != found[1].lower()) or "\\" in model:
        return model
    return found[1]


def weights_of(model: str) -> str:
    """Where a model is loaded from: its id, or the folder of weights that come with the package; see `model_id`."""
    found = _lookup(model)
    if found is not None and found[0].shipped and model.lower() == found[1].lower():
        return found[0].shipped
    return model_id(model)


def rows() -> list[tuple[str, str, str, str]]:
    """One row per family: name, space, evidence with the month in which it was read, models."""
    return [
        (
            family.name,
            family.space + (" (y first)" if family.order == "yx" else ""),
            f"{family.evidence} {family.checked}",
            ", ".join(family.models),
        )
        for family in families()
    ]


def _families_of(one: Declared) -> tuple[Family, ...]:
    """What a plug-in declares: a family, or a collection of them.

    Raises:
        ConfigError: it cannot be loaded, or is neither.
    """
    found = load_declared("model family", one)
    found = (found,) if isinstance(found, Family) else found
    if not isinstance(found, Collection) or not all(isinstance(family, Family) for family in found):
        raise ConfigError(
            f"{one.target} of the package {one.package} is neither a Family nor a collection of them; fix or uninstall "
            "that package"
        )
    return tuple(found)


def _lookup(model: str) -> tuple[Family, str] | None:
    wanted = model.lower().replace("\\", "/").rstrip("/")
    # A mirror, or a folder that holds the model, keeps the last part of its id.
    last = wanted.rsplit("/", 1)[-1]
    for exact in (True, False):
        for family in families():
            for id in family.models:
                if wanted == id.lower() or (not exact and last == id.lower().rsplit("/", 1)[-1]):
                    return family, id
    for family in families():
        if family.name == wanted:
            return family, family.models[0]
    return None


def _lookup_packed(model: str) -> tuple[Family, str] | None:
    """The family of other weights of a model: both names without what packaging adds; a date may be a model's own."""
    wanted = model.replace("\\", "/")
    for family in families():
        for id in family.models:
            if same_model(wanted, id):
                return family, id
    return None


def _closest(name: str, known: tuple[str, ...] | list[str]) -> str:
    folded = {entry.lower().rsplit("/", 1)[-1]: entry for entry in known}
    close = difflib.get_close_matches(name.lower().rsplit("/", 1)[-1], list(folded), n=3, cutoff=0.3)
    return f"the closest are {', '.join(folded[key] for key in close)}" if close else "see: omnipilot list grounders"
