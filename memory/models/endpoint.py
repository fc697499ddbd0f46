"""Settings of one model endpoint: address, prices, media limits, parameters and patience."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from omnipilot.envs import ConfigError
from omnipilot.memory.models.media_forms import MEDIA
from omnipilot.memory.models.model_names import OWN_SERVER, how_to_name, url_mistake
from omnipilot.memory.models.providers import provider_of
from omnipilot.memory.secrets.settings import split_urls, url_secret

PARAMETERS = frozenset(
    "temperature top_p top_k max_tokens max_completion_tokens seed stop presence_penalty frequency_penalty logit_bias "
    "reasoning_effort thinking verbosity service_tier parallel_tool_calls extra_body".split()
)
"""Request parameters that an endpoint may set; those of one server alone go under `extra_body`."""
KINDS = MEDIA
DETAILS = ("", "low", "high", "auto")


@dataclass(frozen=True, slots=True)
class LlmEndpoint:
    """One model in one role of an agent. Its options are part of a run's identity, except `url` and `key_env`.

    Attributes:
        model: provider and model: "openai/gpt-4o", "hosted_vllm/NAME" (a vLLM server), "openai-compatible/NAME" (any
            other server of the OpenAI chat protocol), "anthropic/…", "gemini/…"; others as litellm names them.
        url: base URL of the server; "" for the provider's own. Several with commas are replicas, each with the same
            model: an episode asks one of them, see `replica`.
        key_env: environment variable that holds the key. "" is the provider's usual one where `url` is empty too; a
            server with a URL of its own gets no key that was not meant for it.
        timeout: seconds that a call may take, with all its attempts and pauses.
        attempt: seconds that one attempt may take.
        retries: attempts after the first.
        price_in, price_out: dollars a million tokens read and written; None is what litellm's price list says.
        images, audios, videos: maximum number in a request (the oldest are left out); 0 if the model takes none; None
            for no limit.
        degrade: by kind of media ("image", "audio", "video"), what becomes of a part that the model does not take:
            "describe" (in words), for videos also "frames" or "frames:N" (N evenly spaced images, 4 by default).
        parameters: of the request, names in `PARAMETERS`.
        concurrency: requests under way at the same time, more wait for their turn; None is no limit.
        takes: kinds of media that the model takes, comma-separated: image, audio, video; "" for what is known of it.
        detail: how closely it looks at pictures, where its API has such a parameter: "low", "high" or "auto"; "" leaves
            it to the server.
        scale: most pixels of a picture's longer side; larger ones are scaled down. 0 for no limit.
        square: pictures are fitted into squares of so many pixels a side, and padded; 0 for none.
        jpeg: quality, 1 to 100, of the JPEG files that pictures are sent as; 0 for PNG files.

    Raises:
        ConfigError: a setting is invalid; the message says what to write.
    """

    model: str
    url: str = ""
    key_env: str = ""
    timeout: float = 300.0
    attempt: float = 120.0
    retries: int = 4
    price_in: float | None = None
    price_out: float | None = None
    images: int | None = None
    audios: int | None = None
    videos: int | None = None
    degrade: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    concurrency: int | None = None
    takes: str = ""
    detail: str = ""
    scale: int = 0
    jpeg: int = 0
    square: int = 0

    def __post_init__(self) -> None:
        provider, _, name = self.model.partition("/")
        if not provider or not name:
            cure = how_to_name(self.model) if self.model.strip("/") else "write PROVIDER/MODEL, such as openai/gpt-4o"
            raise ConfigError(f"{self.model!r} names no model: it lacks its provider; {cure}")
        if provider == "ollama":
            raise ConfigError(f"write ollama_chat/{name}: ollama/ is Ollama's completion API, which has no tools")
        if provider == "vllm":
            raise ConfigError(f"write hosted_vllm/{name} for a vLLM server: vllm/ would load the model in this program")
        if provider_of(self.model).needs_url and not self.url:
            raise ConfigError(
                f"{self.model} needs the URL of its server, such as http://127.0.0.1:8000/v1 ({OWN_SERVER})"
            )
        if secret := url_secret(self.url):
            # Not repeated here: an error is read by others, too.
            raise ConfigError(f"{self.model}: a URL is written into the run, and this one has {secret}; use key_env")
        if bare := next((url for url in self.urls if "," in url), ""):
            raise ConfigError(f"{self.model}: of {bare}, what follows the comma is no URL; write http://…,http://…")
        for mistake in filter(None, map(url_mistake, self.urls)):
            raise ConfigError(f"{self.model}: {mistake}")
        if self.key_env and not self.key_env.isidentifier():
            raise ConfigError(f"{self.model}: key_env is the name of an environment variable, not the key itself")
        if min(self.timeout, self.attempt) <= 0 or self.retries < 0:
            raise ConfigError(f"{self.model}: timeout and attempt are more than 0 seconds, retries 0 or more")
        if self.concurrency is not None and self.concurrency < 1:
            raise ConfigError(f"{self.model}: concurrency is 1 or more")
        prices = (self.price_in, self.price_out)
        if (None in prices and prices != (None, None)) or any(price is not None and price < 0 for price in prices):
            raise ConfigError(
                f"{self.model}: give both price_in and price_out, in dollars a million tokens, or neither"
            )
        if any(limit is not None and limit < 0 for limit in (self.images, self.audios, self.videos)):
            raise ConfigError(f"{self.model}: images, audios and videos are 0 or more")
        for kind, rule in self.degrade.items():
            _check_rule(self.model, kind, rule)
        if strangers := sorted(set(self.taken) - set(KINDS)):
            raise ConfigError(f"{self.model}: takes lists kinds of media ({', '.join(KINDS)}), not {strangers[0]!r}")
        if self.detail not in DETAILS:
            raise ConfigError(f"{self.model}: detail is {', '.join(filter(None, DETAILS))}, not {self.detail!r}")
        if self.square < 0 or (self.square and self.scale):
            raise ConfigError(f"{self.model}: square is 0 or more pixels; it scales by itself: leave scale out")
        if self.scale < 0 or not 0 <= self.jpeg <= 100:
            raise ConfigError(f"{self.model}: scale is 0 or more pixels, jpeg a quality of 1 to 100, or 0 for PNG")
        if unknown := sorted(set(self.parameters) - PARAMETERS):
            raise ConfigError(
                f"{self.model}: unknown parameters {', '.join(unknown)}; known are {', '.join(sorted(PARAMETERS))}; "
                "what your server alone knows goes under extra_body"
            )

    @property
    def urls(self) -> tuple[str, ...]:
        """The base URL of each replica; "" for the provider's own."""
        return split_urls(self.url)

    def replica(self, key: str) -> LlmEndpoint:
        """This endpoint with the URL of one replica: the same for a key again, so that it meets what that replica keeps
        of its earlier requests, and whether or not there are others for other keys.

        Args:
            key: what belongs together, such as an episode.
        """
        if len(self.urls) == 1:
            return self
        return replace(self, url=max(self.urls, key=lambda url: hashlib.sha256(f"{key}\n{url}".encode()).digest()))

    @property
    def taken(self) -> tuple[str, ...]:
        """The kinds of media in `takes`."""
        return tuple(kind.strip() for kind in self.takes.split(",") if kind.strip())

    @property
    def provider(self) -> str:
        """The part of the name before the first slash."""
        return self.model.partition("/")[0]

    @property
    def model_name(self) -> str:
        """The part after the first slash: the provider's name for the model."""
        return self.model.partition("/")[2]

    def limit(self, kind: str) -> int | None:
        """Maximum number of parts of a kind in a request; None for no limit."""
        return {"image": self.images, "audio": self.audios, "video": self.videos}[kind]


def frames_of(rule: str) -> int | None:
    """The number of frames in a `degrade` rule; None if it has none."""
    word, _, number = rule.partition(":")
    return int(number or 4) if word == "frames" else None


def _check_rule(model: str, kind: str, rule: str) -> None:
    word, _, number = rule.partition(":")
    if kind not in KINDS:
        raise ConfigError(f"{model}: degrade is by kind, {', '.join(KINDS)}; {kind!r} is none")
    if rule == "describe":
        return
    if kind == "video" and word == "frames" and (rule == "frames" or (number.isdecimal() and int(number) > 0)):
        return
    rules = "'describe', 'frames' or 'frames:N'" if kind == "video" else "'describe'"
    raise ConfigError(f"{model}: degrade.{kind} is {rules}, not {rule!r}")
