"""Whether the model servers of an agent are there, before its first episode is played."""

from __future__ import annotations

import http.client
import os
import socket
from collections.abc import Iterator
from dataclasses import fields
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies, proxy_bypass

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.envs import ConfigError
from omnipilot.memory.secrets.settings import split_urls

SECONDS = 3.0
"""For a connection, and for an answer; a server that takes longer may be busy, and is left to the first call."""
OWN = ("hosted_vllm/", "openai-compatible/")
LOCAL = ("localhost", "127.0.0.1", "::1")


def server_mistakes(agent: AgentSpec, user: PartSpec | None = None) -> list[ConfigError]:
    """What is wrong with the URLs of model servers: nobody answers there, or `/v1` is missing. No model is called.

    A part that replays a cassette needs no server. Where requests go through a proxy, nothing is said.

    Args:
        user: who answers the agent's questions.
    """
    found: dict[str, ConfigError] = {}
    for role, part in _model_parts(agent, user):
        for url in split_urls(str(part.options["url"])):
            if url not in found and (mistake := _mistake(url, role, part.model)):
                found[url] = ConfigError(mistake)
    return list(found.values())


def _model_parts(agent: AgentSpec, user: PartSpec | None) -> Iterator[tuple[str, PartSpec]]:
    """The parts that call a model at a URL of their own, each with its role."""
    for name, whole in [*((field.name, getattr(agent, field.name)) for field in fields(agent)), ("user", user)]:
        if isinstance(whole, PartSpec):
            for part in whole.walk():
                if "model" in part.options and part.options.get("url") and not part.options.get("replay"):
                    yield name, part


def _mistake(url: str, role: str, model: str) -> str:
    """What is wrong with one; "" for nothing, and where it cannot be told."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if host not in LOCAL and parts.scheme in getproxies() and not proxy_bypass(host):
        return ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    option = "--planner-url" if role == "planner" else f"-o {role}.url=…"
    try:
        socket.create_connection((host, port), SECONDS).close()
    except TimeoutError:
        return ""
    except OSError as error:
        why = "its host is not known" if isinstance(error, socket.gaierror) else os.strerror(error.errno or 0).lower()
        start = f"start it{_command(role, model, port) if host in LOCAL else f' on {host}'}, or correct {option}"
        return f"no server answers at {url} ({why}); {start}"
    if parts.path.strip("/") or _status(parts, port, "/models") != http.client.NOT_FOUND:
        return ""
    if _status(parts, port, "/v1/models") in (http.client.NOT_FOUND, None):
        return ""
    meant = f"{url.rstrip('/')}/v1"
    written = f"--planner-url {meant}" if role == "planner" else f"-o {role}.url={meant}"
    return f"the server at {url} has its models under /v1; did you mean {written}?"


def _command(role: str, model: str, port: int) -> str:
    """The command that serves a model on this machine; "" for a model that only its provider serves."""
    from omnipilot.grounders.families import find

    name = next((model.removeprefix(own) for own in OWN if model.startswith(own)), model)
    if name == model and role != "grounder":
        return ""
    try:
        find(name)
    except ConfigError:
        return f", for example with `vllm serve {name} --port {port}`"
    return f" with `omnipilot serve {name} --port {port}`"


def _status(parts: SplitResult, port: int, path: str) -> int | None:
    """The status of an answer to GET; None if there is none."""
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname or "", port, timeout=SECONDS)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
