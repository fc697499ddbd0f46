"""From the text of an option to a transcriber."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnipilot.envs import ConfigError
from omnipilot.envs.installed_plugins import choose_declared, installed_plugins, load_declared
from omnipilot.memory.transcription.base import Transcriber

IN_PROCESS = "whisper"
"""In place of a provider: a model of the Whisper family that runs in this process."""
_SERVED = ("url", "key_env", "language", "timeout", "retries")
_LOCAL = ("device", "language", "revision", "beam", "precision", "prompt", "vad")
_WHEREABOUTS = ("url", "key_env", "timeout", "retries", "device")
"""Options that say where and how patiently a model is asked, and not what."""
_SWITCH = {"true": True, "false": False}


def make_transcriber(text: str, cassette: str = "", replay: bool = False) -> Transcriber:
    """The transcriber that an option names.

    Args:
        text: "provider/model" and options after commas: "openai/whisper-1", "hosted_vllm/whisper,url=http://…/v1",
            "deepgram/nova-2,language=en", each with `url`, `key_env`, `language`, `timeout` and `retries`; or
            "whisper/FOLDER" (or a size or an id of the hub) for a model in this process, with `device`, `language`,
            `revision`, `beam`, `precision`, `prompt` and `vad` of `WhisperTranscriber`; or one of a plug-in, "NAME" or
            "NAME/VALUE", such as "mini-ears", which is always asked, and never kept in a cassette.
        cassette: folder of kept transcriptions, "" for none. replay: take all from there, and load no model.

    Raises:
        ConfigError: the text names none. MissingExtra: a package that it needs is not installed.
    """
    if (plugged := _plugged_in(text)) is not None:
        return plugged
    if cassette:
        said, *rest = (part.strip() for part in text.split(","))
        asked = dict(part.partition("=")[::2] for part in rest)
        request = {"model": said, **{name: value for name, value in asked.items() if name not in _WHEREABOUTS}}
        in_process = said.partition("/")[0] == IN_PROCESS
        return record_transcriber(request, in_process, cassette, None if replay else make_transcriber(text))
    model, *rest = (part.strip() for part in text.split(","))
    options = dict(part.partition("=")[::2] for part in rest)
    provider, _, name = model.partition("/")
    known = _LOCAL if provider == IN_PROCESS else _SERVED
    if not name:
        from omnipilot.memory.models.model_names import how_to_name

        raise ConfigError(
            f"transcriber: {text!r} names no model: it lacks its provider; {how_to_name(model)}; "
            f"in this process it is whisper/FOLDER{_others()}"
        )
    if unknown := sorted(set(options) - set(known)):
        raise ConfigError(f"transcriber {model}: unknown option {unknown[0]!r}; there are {', '.join(known)}")
    if empty := [key for key, value in options.items() if not value]:
        raise ConfigError(f"transcriber {model}: write {empty[0]}=VALUE")
    if provider == IN_PROCESS:
        from omnipilot.memory.transcription.whisper import WhisperTranscriber

        beam, vad = options.pop("beam", "5"), options.pop("vad", "true")
        if not beam.isdecimal() or vad not in _SWITCH:
            raise ConfigError(f"transcriber {model}: beam is a number, and vad is true or false")
        return WhisperTranscriber(name, **options, beam=int(beam), vad=_SWITCH[vad])
    from omnipilot.memory.models.endpoint import LlmEndpoint
    from omnipilot.memory.transcription.served import EndpointTranscriber

    try:
        timeout, retries = float(options.get("timeout", "60")), int(options.get("retries", "4"))
    except ValueError:
        raise ConfigError(f"transcriber {model}: timeout and retries are numbers") from None
    endpoint = LlmEndpoint(
        model, options.get("url", ""), options.get("key_env", ""), timeout, min(timeout, 60.0), retries
    )
    return EndpointTranscriber(endpoint, options.get("language", ""))


def _plugged_in(text: str) -> Transcriber | None:
    """The transcriber of a plug-in that an option names; None if it names none."""
    name, _, value = text.strip().partition("/")
    found = choose_declared("transcriber", name, installed_plugins().declared("transcribers"))
    if found is None:
        return None
    made = load_declared("transcriber", found)(value)
    if not isinstance(made, Transcriber):
        raise ConfigError(f"transcriber {name!r}: {found.target} makes a {type(made).__name__}, and no Transcriber")
    return made


def _others() -> str:
    names = sorted({one.name for one in installed_plugins().declared("transcribers")})
    return f", or {', '.join(names)}" if names else ""


def record_transcriber(
    request: Mapping[str, Any], times_words: bool, cassette: str, transcriber: Transcriber | None
) -> Transcriber:
    """A transcriber that keeps its answers in a cassette, and takes known ones from there.

    Args:
        request, times_words: as of `RecordedTranscriber`.
        cassette: the folder. transcriber: asked for what it lacks; None if it is replayed.

    Raises:
        ConfigError: it is to be replayed, and there is none.
    """
    from omnipilot.memory.models.cassette import Cassette
    from omnipilot.memory.transcription.recorded import RecordedTranscriber

    kept = Cassette(cassette, "replay" if transcriber is None else "record")
    return RecordedTranscriber(request, times_words, kept, transcriber)
