"""Names of models: without what packaging adds, what was meant by one without a provider, and by a URL that is none."""

from __future__ import annotations

import difflib
import functools
import importlib.util
import re
from urllib.parse import urlsplit

from omnipilot.envs import ConfigError
from omnipilot.memory.models.price_list import price_list
from omnipilot.memory.models.providers import providers

OWN_SERVER = "--planner-url http://HOST:8000/v1 (of another part than the planner: -o PART.url=…)"
"""How the URL of a server of one's own is given."""
_ENDPOINT = re.compile(r"/(chat/completions|completions|models|embeddings|responses)/?$")
"""What clients add to the base URL of a server themselves."""
_QUANTISED = re.compile(
    r"""[-_.:@](?:
        i1 | imat | mlx | unsloth | bnb | quantized | dynamic | block | ud | gguf | \d{5}-of-\d{5}
        | fp8 | fp4 | fp16 | bf16 | f16 | f32 | nvfp4 | mxfp[48] | awq | gptq | hqq | exl[23] | autoround | nf4
        | dwq | qat | static | onnx | ov
        | int[48] | [2-8][-_]?bits? | w\d{1,2}a\d{1,2} | q[2-8](?:_[01ksmlx]{1,2}){0,2} | iq[1-4]_[xsmnl]{1,3}
    )$""",
    re.IGNORECASE | re.VERBOSE,
)
"""The last of the words that say how weights were made smaller, or in which file they lie."""
_DATED = re.compile(
    r"""(?:
        [-@]20\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])             # claude-sonnet-4-5-20250929
        | -20\d\d-(?:0[1-9]|1[0-2])-(?:[0-2]\d|3[01])            # gpt-5-2025-08-07
        | -(?:0[1-9]|1[0-2])-20\d\d                             # …-preview-10-2025
        | -2\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])                 # doubao-seed-1-8-251228
        | -v\d:\d                                               # …-20250929-v1:0, of Bedrock
        | [-:@](?:latest|default)
    )$""",
    re.IGNORECASE | re.VERBOSE,
)
"""The end of a name that says of which day a hosted model is."""
_LONGEST_ENDING = 32
"""Characters in which one such word or date ends a name."""
_INSTRUCT = re.compile(r"[-_.:](?:instruct|it)$", re.IGNORECASE)
"""The end of a name that Ollama and OpenRouter leave out."""
_BEDROCK = re.compile(r"^(?:[a-z]{2,6}\.)?anthropic\.(?=claude)", re.IGNORECASE)


def base_model_name(name: str) -> str:
    """The name of a model without what says how its weights are packed, or of which day it is.

    `Qwen2.5-VL-7B-Instruct-GPTQ-Int4`, `UI-TARS-1.5-7B.Q4_K_M.gguf`, `claude-sonnet-4-5-20250929` and
    `gpt-5-2025-08-07` are known under the names in front of these words. What stands before the last "/" (a provider,
    an owner, a folder) and the case stay. Look for the whole name first: of some models the date is part of their own
    (`cogagent-9b-20241220`).
    """
    owner, slash, last = name.rstrip("/").rpartition("/")
    last = _BEDROCK.sub("", last)
    while (found := _ending(last)) is not None and found.start():
        last = last[: found.start()]
    return f"{owner}{slash}{last}"


def _ending(name: str) -> re.Match[str] | None:
    """The last word that packaging added, or the date; a name of any length is read in time."""
    start = max(0, len(name) - _LONGEST_ENDING)
    return _QUANTISED.search(name, start) or _DATED.search(name, start)


def same_model(name: str, id: str) -> bool:
    """Whether a name means the weights of an id, whoever packed them, by letters and digits alone.

    `qwen3.6:27b` (Ollama), `bartowski/stepfun-ai_GELab-Zero-4B-preview-GGUF` (its owner in front) and
    `claude-sonnet-4.6` (OpenRouter) are spelled otherwise than the ids that they are. Look for the exact id first.
    """
    said = model_letters(name.rsplit("/", 1)[-1])
    return bool(said) and said in (model_letters(id), model_letters(id.rsplit("/", 1)[-1]))


@functools.lru_cache(4096)
def model_letters(name: str) -> str:
    """The letters and digits of a name, in lower case, without what packaging adds: "stepfunaigelabzero4bpreview"."""
    return "".join(filter(str.isalnum, _INSTRUCT.sub("", base_model_name(name)).lower()))


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


def url_mistake(url: str) -> str:
    """What is wrong with the base URL of a server, and what was meant; "" for nothing, and for no URL.

    A URL that may hold a password or a key is not repeated.
    """
    shown = "" if "@" in url or "?" in url else url
    if not url:
        return ""
    if url.partition("://")[0].lower() not in ("http", "https"):
        bare = re.sub(r"^([A-Za-z]+:?/+|:?//+)", "", shown)
        meant = f"; did you mean the URL http://{bare}?" if bare else ""
        return f"{shown or 'a URL'} does not begin with http:// or https://{meant}"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return f"the port of the URL{f' {shown}' if shown else ''} is not a number from 1 to 65535"
    if not parts.hostname or port == 0:
        return f"the URL{f' {shown}' if shown else ''} names no {'host' if port != 0 else 'port'}; write one such as http://127.0.0.1:8000/v1"
    if (found := _ENDPOINT.search(parts.path)) and shown:
        return (
            f"{shown} is what a client asks, not the server's base URL; write {shown[: shown.rindex(found.group(0))]}"
        )
    return ""


def check_provider(model: str, url: str = "") -> None:
    """Refuse a model whose provider does not exist, such as an id of the Hugging Face hub.

    litellm is asked only about names that neither our table nor its price list has: importing it takes seconds.

    Args:
        model: "provider/name". url: of its server, "" if none was given; then the message says how to give one.

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
    if url and not near:
        raise ConfigError(
            f"there is no provider {name!r} for the model {model!r}; did you mean hosted_vllm/{model}, which is that "
            f"model on the server at {url}?"
        )
    meant = f"did you mean {' or '.join(near)}? Otherwise, " if near else ""
    raise ConfigError(f"there is no provider {name!r} for the model {model!r}; {meant}{how_to_name(model)}")


def _provider(entry: object) -> str:
    return str(entry.get("litellm_provider", "")) if isinstance(entry, dict) else ""
