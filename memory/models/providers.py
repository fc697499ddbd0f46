"""Providers of models: the client for each, where its key is, and what its requests may contain.

This table is the one place that knows providers by name. Another one is another `Provider` in it, or in the table
`providers` of a plug-in; a provider that is in neither is asked through litellm, which knows more than a hundred.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING

from omnipilot.envs import ConfigError
from omnipilot.envs.installed_plugins import Declared, installed_plugins, load_declared
from omnipilot.memory.models.media_forms import MEDIA, MediaForms
from omnipilot.memory.models.price_list import price_list

if TYPE_CHECKING:
    from omnipilot.memory.models.client import ModelClient
    from omnipilot.memory.models.endpoint import LlmEndpoint

OPENAI_CHAT = "omnipilot.memory.models.openai_chat.client:OpenAiChatClient"
LITELLM = "omnipilot.memory.models.litellm.client:LitellmClient"


def images_only(name: str) -> MediaForms:  # noqa: ARG001
    """Images alone, which nearly every provider accepts."""
    return MediaForms()


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider of models, or one kind of server.

    Attributes:
        name: what stands before the first slash of a model's name.
        client: "module:class" that asks it: `OPENAI_CHAT` for whatever speaks the OpenAI chat protocol, `LITELLM`, or a
            `ModelClient` of another package, which is called with the endpoint.
        url: base URL where an endpoint has none, for `OPENAI_CHAT`.
        needs_url: an endpoint has to name its server's URL.
        key: environment variable that holds the key of an endpoint without a URL; "" is NAME_API_KEY.
        key_prefixes: how the variables begin in which its keys are, beside NAME_.
        ambient_credentials: its credentials need not be in environment variables (a cloud's own log-in).
        forms: from a model's name to the media it takes.
        unsupported: parameters of `LlmEndpoint` that it does not take; they are left out and named in `Reply.dropped`.
            For `OPENAI_CHAT`; litellm has lists of its own.
        strict_tools: tools are sent with "strict": true, optional arguments or not. vLLM holds the arguments of a call
            to their schema only then (since 0.32), whatever the choice of the tool. For `OPENAI_CHAT`.
        asked: the media that a model may be said to take (`LlmEndpoint.takes`) though `forms` does not know of it, each
            in its form.
        hosted_name: names of models that are the provider's own even where an endpoint has a URL (a gateway): these
            are asked through litellm, which knows what each takes.
    """

    name: str
    client: str = LITELLM
    url: str = ""
    needs_url: bool = False
    key: str = ""
    key_prefixes: tuple[str, ...] = ()
    ambient_credentials: bool = False
    forms: Callable[[str], MediaForms] = images_only
    unsupported: frozenset[str] = frozenset()
    strict_tools: bool = False
    asked: MediaForms = MediaForms()
    hosted_name: re.Pattern[str] | None = None

    @property
    def key_variable(self) -> str:
        """The environment variable that holds its key."""
        return self.key or f"{self.name.upper()}_API_KEY".replace("-", "_")

    def client_for(self, endpoint: LlmEndpoint) -> str:
        """ "module:class" of the client for an endpoint of this provider."""
        if self.client == OPENAI_CHAT and not (endpoint.url or self.url):
            return LITELLM
        if self.hosted_name is not None and self.hosted_name.match(endpoint.model_name):
            return LITELLM
        return self.client

    def make_client(self, endpoint: LlmEndpoint) -> ModelClient:
        """Create the client for an endpoint of this provider.

        Raises:
            MissingExtra: a package that the client needs is not installed.
            ConfigError: the endpoint cannot be.
        """
        module, _, name = self.client_for(endpoint).partition(":")
        from omnipilot.memory.models.client import ModelClient

        client = getattr(import_module(module), name)(endpoint)
        if not isinstance(client, ModelClient):
            raise ConfigError(
                f"provider {self.name!r}: its client {name} is no ModelClient; let its class inherit "
                "omnipilot.memory.models.client.ModelClient"
            )
        return client


ANY_MEDIA = MediaForms(audio="input_audio", video="video_url")
"""How servers of the OpenAI chat protocol that take sound and video take them: vLLM, SGLang, OpenRouter, …"""
_OPENAI_MODELS = re.compile(r"(?!gpt-oss)(?:gpt-|chatgpt|o\d|codex|computer-use|ft:)")
_NOT_OF_SERVERS = frozenset({"thinking", "verbosity"})
"""Parameters of Anthropic's and OpenAI's own models."""


def _forms_of_vllm(name: str) -> MediaForms:  # noqa: ARG001
    return ANY_MEDIA


def _forms_of_openrouter(name: str) -> MediaForms:
    """What litellm's list says that a model takes; others can be told with `takes`."""
    entry = price_list().get(f"openrouter/{name}", {})
    return MediaForms(
        audio="input_audio" if entry.get("supports_audio_input") else "",
        video="video_url" if entry.get("supports_video_input") else "",
    )


def _forms_of_openai(name: str) -> MediaForms:
    return MediaForms(audio="input_audio") if "audio" in name else MediaForms()


def _forms_of_gemini(name: str) -> MediaForms:  # noqa: ARG001
    return MediaForms(audio="input_audio", video="file")


def _forms_of_vertex(name: str) -> MediaForms:
    return _forms_of_gemini(name) if "gemini" in name else MediaForms()


def _forms_of_bedrock(name: str) -> MediaForms:
    return MediaForms(video="image_url") if "nova" in name else MediaForms()


def _forms_of_ollama(name: str) -> MediaForms:  # noqa: ARG001
    return MediaForms(hoists=True)


# The forms were found by sending each part through litellm 1.106 and reading what arrives, as
# `tests/memory/models/test_media_wire.py` does again; a form that litellm drops in silence counts as not taken.
_TABLE = (
    Provider(
        "hosted_vllm",
        OPENAI_CHAT,
        needs_url=True,
        forms=_forms_of_vllm,
        asked=ANY_MEDIA,
        unsupported=_NOT_OF_SERVERS,
        strict_tools=True,
    ),
    Provider("openai-compatible", OPENAI_CHAT, needs_url=True, unsupported=_NOT_OF_SERVERS, asked=ANY_MEDIA),
    Provider(
        "openai",
        OPENAI_CHAT,
        forms=_forms_of_openai,
        unsupported=_NOT_OF_SERVERS,
        asked=ANY_MEDIA,
        hosted_name=_OPENAI_MODELS,
    ),
    Provider(
        "openrouter",
        OPENAI_CHAT,
        url="https://openrouter.ai/api/v1",
        forms=_forms_of_openrouter,
        unsupported=frozenset({"thinking"}),
        asked=ANY_MEDIA,
    ),
    Provider("anthropic", hosted_name=re.compile(r"claude-")),
    Provider("azure", ambient_credentials=True, forms=_forms_of_openai),
    Provider("azure_ai", ambient_credentials=True, key_prefixes=("AZURE_",)),
    Provider(
        "bedrock",
        ambient_credentials=True,
        key="AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
        key_prefixes=("AWS_",),
        forms=_forms_of_bedrock,
    ),
    Provider("gemini", key_prefixes=("GOOGLE_API_KEY",), forms=_forms_of_gemini, hosted_name=re.compile(r"gemini-")),
    Provider("huggingface", key_prefixes=("HF_",)),
    Provider("ollama_chat", forms=_forms_of_ollama),
    Provider("sagemaker", ambient_credentials=True, key_prefixes=("AWS_",)),
    Provider("together_ai", key="TOGETHERAI_API_KEY", key_prefixes=("TOGETHERAI_",)),
    Provider("vertex_ai", ambient_credentials=True, key="GOOGLE_APPLICATION_CREDENTIALS", forms=_forms_of_vertex),
    Provider("vertex_ai_beta", ambient_credentials=True, key="GOOGLE_APPLICATION_CREDENTIALS", forms=_forms_of_vertex),
)


def providers() -> dict[str, Provider]:
    """All known providers by name: ours, then those of plug-ins, which cannot override ours.

    One that cannot be loaded is left out, and refused where it is asked for.
    """
    return _loaded()[0]


@functools.cache
def _loaded() -> tuple[dict[str, Provider], dict[str, str]]:
    """The providers by name, and of those that cannot be loaded what is wrong with them."""
    known = {provider.name: provider for provider in _TABLE}
    wrong: dict[str, str] = {}
    for one in installed_plugins().declared("providers"):
        try:
            provider = _provider(one)
        except ConfigError as error:
            wrong.setdefault(one.name, str(error))
        else:
            known.setdefault(provider.name, provider)
    return known, wrong


def provider_of(model: str) -> Provider:
    """The provider of "provider/name"; an unknown one is called through litellm.

    Raises:
        ConfigError: a plug-in declares it, and cannot be loaded.
    """
    name = model.partition("/")[0]
    known, wrong = _loaded()
    if name not in known and name in wrong:
        raise ConfigError(wrong[name])
    return known.get(name) or Provider(name)


def endpoint_forms(endpoint: LlmEndpoint) -> MediaForms:
    """The form in which the model of an endpoint gets each kind of media; what it is said to take counts.

    Raises:
        ConfigError: it is said to take what its provider passes on in no form.
    """
    provider = provider_of(endpoint.model)
    known = provider.forms(endpoint.model_name)
    if endpoint.takes:
        kinds = endpoint.taken
        found = {kind: (known.of(kind) or provider.asked.of(kind)) if kind in kinds else "" for kind in MEDIA}
        if lost := [kind for kind in kinds if not found[kind]]:
            raise ConfigError(
                f"{endpoint.model}: takes names {' and '.join(lost)}, which {provider.name}/ passes on in no form that "
                "we know; leave it out, or ask the model through a server of the OpenAI protocol "
                "(openai-compatible/NAME)"
            )
        known = replace(known, image=found["image"], audio=found["audio"], video=found["video"])
    return replace(known, detail=endpoint.detail) if endpoint.detail else known


def _provider(one: Declared) -> Provider:
    """The provider that a plug-in declares.

    Raises:
        ConfigError: it cannot be loaded, or is none.
    """
    found = load_declared("provider", one)
    if not isinstance(found, Provider):
        raise ConfigError(
            f"{one.target!r} of the package {one.package} is no Provider; correct the package, or uninstall it"
        )
    return found
