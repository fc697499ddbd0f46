"""From the text of an option to a transcriber."""

from __future__ import annotations

from omnipilot.envs import ConfigError
from omnipilot.memory.transcription.base import Transcriber

IN_PROCESS = "whisper"
"""In place of a provider: a model of the Whisper family that runs in this process."""
WHEREABOUTS = frozenset({"url", "key_env", "timeout", "retries", "device"})
"""Options that say where and how patiently a model is asked, and not what."""
_SERVED = ("url", "key_env", "language", "timeout", "retries")
_LOCAL = ("device", "language", "revision", "beam", "precision", "prompt", "vad")
_SWITCH = {"true": True, "false": False}


def make_transcriber(text: str, cassette: str = "", replay: bool = False) -> Transcriber:
    """The transcriber that an option names.

    Args:
        cassette: folder of kept transcripts, "" for none. replay: take all from there, and load no model.
        text: "provider/model" and options after commas: "openai/whisper-1", "hosted_vllm/whisper,url=http://…/v1",
            "deepgram/nova-2,language=en", each with `url`, `key_env`, `language`, `timeout` and `retries`; or
            "whisper/FOLDER" (or a size or an id of the hub) for a model in this process, with `device`, `language`,
            `revision`, `beam`, `precision`, `prompt` and `vad` of `WhisperTranscriber`.

    Raises:
        ConfigError: the text names none. MissingExtra: a package that it needs is not installed.
    """
    model, *rest = (part.strip() for part in text.split(","))
    options = dict(part.partition("=")[::2] for part in rest)
    if cassette:
        from omnipilot.memory.transcription.recorded import record_transcriber

        worded = {name: value for name, value in options.items() if name not in WHEREABOUTS}
        return record_transcriber(model, worded, lambda: make_transcriber(text), cassette, replay)
    provider, _, name = model.partition("/")
    known = _LOCAL if provider == IN_PROCESS else _SERVED
    if not name:
        from omnipilot.memory.models.model_names import how_to_name

        raise ConfigError(
            f"transcriber: {text!r} names no model: it lacks its provider; {how_to_name(model)}; "
            "in this process it is whisper/FOLDER"
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
