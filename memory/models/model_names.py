"""What was meant by the name of a model that names no provider, or one that does not exist."""

from __future__ import annotations

import difflib
import importlib.util

from omnipilot.envs import ConfigError
from omnipilot.memory.models.price_list import price_list
from omnipilot.memory.models.providers import providers

OWN_SERVER = "--planner-url http://HOST:8000/v1 (of another part than the planner: -o PART.url=…)"
"""How the URL of a server of one's own is given."""


def hosted_model(name: str) -> str:
    """A hosted model of this name with its provider, "openai/gpt-4o"; "" if none is known."""
    for provider in providers().values():
        if provider.hosted_name is not None and provider.hosted_name.match(name):
            return f"{provider.name}/{name}"
    listed = str(price_list().get(name, {}).get("litellm_provider", ""))
    # "vertex_ai-language-models" is vertex_ai.
    provider_name = listed.partition("-")[0]
    return f"{provider_name}/{name}" if provider_name.isidentifier() else ""


def how_to_name(name: str) -> str:
    """What to write instead of a name that no provider serves: a bare one, or an id of the Hugging Face hub."""
    if hosted := hosted_model(name):
        return f"did you mean {hosted}?"
    own = f"on a server of your own is hosted_vllm/{name} with {OWN_SERVER}"
    if "/" in name:
        return f"a model of the Hugging Face hub {own}"
    return f"write PROVIDER/MODEL, such as openai/gpt-4o; a model {own}"


def check_provider(model: str) -> None:
    """Refuse a model whose provider does not exist, such as an id of the Hugging Face hub.

    litellm is asked only about names that neither our table nor its price list has: importing it takes seconds.

    Args:
        model: "provider/name".

    Raises:
        ConfigError: there is no such provider; the message says what was meant.
        MissingExtra: litellm, which knows the others, is not installed.
    """
    name = model.partition("/")[0]
    if name in providers() or any(_provider(entry) == name for entry in price_list().values()):
        return
    near: list[str] = []
    # No provider has a capital letter in its name; many owners of models do.
    if name == name.lower() and importlib.util.find_spec("litellm") is not None:
        from omnipilot.memory.models.litellm.library import library

        known = sorted(str(getattr(one, "value", one)) for one in library().provider_list)
        if name in known:
            return
        near = difflib.get_close_matches(name, {*known, *providers()}, n=3, cutoff=0.75)
    meant = f"did you mean {' or '.join(near)}? Otherwise, " if near else ""
    raise ConfigError(f"there is no provider {name!r} for the model {model!r}; {meant}{how_to_name(model)}")


def _provider(entry: object) -> str:
    return str(entry.get("litellm_provider", "")) if isinstance(entry, dict) else ""
