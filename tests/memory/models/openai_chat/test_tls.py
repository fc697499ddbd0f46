"""The chat client over TLS: trust, deadlines, connections that stay."""

from __future__ import annotations

import ssl
import subprocess
from pathlib import Path

import pytest
from chat_server import Answer, ChatServer, Drip, Hang

from omnipilot.envs import ConfigError
from omnipilot.memory import Message, ModelUnavailable
from omnipilot.memory.models import ChatModel, LlmEndpoint

pytestmark = pytest.mark.needs("openssl")
HELLO = (Message("user", ("hello",)),)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for the loopback that only its own copy vouches for, with its key beside it."""
    folder = tmp_path_factory.mktemp("tls")
    made = f"req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout {folder}/key.pem"
    named = f"-out {folder}/cert.pem -subj /CN=loopback -addext subjectAltName=IP:127.0.0.1"
    subprocess.run(["openssl", *made.split(), *named.split()], check=True, capture_output=True, timeout=60)
    return folder / "cert.pem"


@pytest.fixture
def tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, certificate.with_name("key.pem"))
    return context


def test_answers_come_and_connections_stay(
    tls: ssl.SSLContext, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with ChatServer([Answer("(1, 2)")], tls=tls) as server:
        asks = ChatModel(LlmEndpoint("hosted_vllm/scripted", server.url))
        assert [asks.complete(HELLO).text for _ in range(3)] == ["(1, 2)"] * 3
        assert server.connections == 1
        asks.close()


@pytest.mark.parametrize("behaviour", [Hang(), Drip(of_header=False)], ids=repr)
def test_deadlines_hold(
    behaviour: Hang | Drip, tls: ssl.SSLContext, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with ChatServer([behaviour], tls=tls) as server, pytest.raises(ModelUnavailable, match="in 1 attempt: no "):
        ChatModel(LlmEndpoint("hosted_vllm/scripted", server.url, timeout=1.0)).complete(HELLO)


def test_a_certificate_that_nobody_vouches_for_is_told_at_once(tls: ssl.SSLContext) -> None:
    with (
        ChatServer(tls=tls) as server,
        pytest.raises(ConfigError, match=r"the certificate of 127\.0\.0\.1 is not trusted"),
    ):
        ChatModel(LlmEndpoint("hosted_vllm/scripted", server.url)).complete(HELLO)
    assert server.requests == []


def test_plain_http_at_a_tls_port_ends(tls: ssl.SSLContext) -> None:
    with ChatServer(tls=tls) as server, pytest.raises((ModelUnavailable, ConfigError)):
        ChatModel(
            LlmEndpoint("hosted_vllm/scripted", server.url.replace("https", "http"), retries=0, timeout=20)
        ).complete(HELLO)
