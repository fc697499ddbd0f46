"""What Chromium's errors of the network mean, each in a sentence with its cure."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_SERVER = "check the address, and that the server runs"
_CERTIFICATE = "mend the certificate, or open the page by http if its server has that"
_NETWORK = "check this machine's network"
_FILE = "check the path"

CODES = {
    "CONNECTION_REFUSED": ("nothing answers at {place}", "start its server, or check the address and its port"),
    "CONNECTION_TIMED_OUT": ("{place} does not answer", _SERVER),
    "TIMED_OUT": ("{place} does not answer", _SERVER),
    "CONNECTION_RESET": ("{place} broke off the connection", "check whether its server speaks {scheme}"),
    "CONNECTION_CLOSED": ("{place} closed the connection", "check whether its server speaks {scheme}"),
    "CONNECTION_ABORTED": ("the connection to {place} broke off", _SERVER),
    "CONNECTION_FAILED": ("{place} cannot be reached", _SERVER),
    "SOCKET_NOT_CONNECTED": ("{place} cannot be reached", _SERVER),
    "EMPTY_RESPONSE": ("{place} closed the connection without an answer", "check whether its server speaks {scheme}"),
    "INVALID_HTTP_RESPONSE": ("{place} answers, but not by HTTP", "check the address and its port"),
    "NAME_NOT_RESOLVED": ("no machine has the name {host}", "check the spelling, and this machine's network"),
    "NAME_RESOLUTION_FAILED": ("the name {host} cannot be looked up", _NETWORK),
    "INTERNET_DISCONNECTED": ("this machine has no network", _NETWORK),
    "NETWORK_CHANGED": ("this machine's network changed meanwhile", "try again"),
    "NETWORK_ACCESS_DENIED": ("this machine does not let the browser reach {place}", "check its firewall"),
    "ADDRESS_UNREACHABLE": ("no way leads to {place}", _NETWORK),
    "ADDRESS_INVALID": ("{place} is no address that can be reached", "check the address and its port"),
    "PROXY_CONNECTION_FAILED": ("the proxy does not answer", "check the proxy's address"),
    "TUNNEL_CONNECTION_FAILED": (
        "the proxy does not connect to {place}",
        "check the address, and what the proxy allows",
    ),
    "SSL_PROTOCOL_ERROR": ("{place} does not speak https", "write http:// if that is what its server speaks"),
    "SSL_VERSION_OR_CIPHER_MISMATCH": ("{place} speaks an https that is too old", "renew its server's settings"),
    "TOO_MANY_REDIRECTS": ("{place} redirects for ever", "check its server, and whether the page needs a log-in"),
    "UNSAFE_PORT": ("browsers open no page at port {port}", "let its server listen at another port, such as 8000"),
    "UNKNOWN_URL_SCHEME": (
        "the browser opens no address that begins with {scheme}:",
        "write http://, https:// or file://",
    ),
    "INVALID_URL": ("that is no address", "check the spelling"),
    "DISALLOWED_URL_SCHEME": ("the browser may not open {scheme}: addresses", "write http://, https:// or file://"),
    "FILE_NOT_FOUND": ("there is no such file", _FILE),
    "ACCESS_DENIED": ("the browser may not read it", "check who may read the file"),
    "BLOCKED_BY_CLIENT": ("the browser blocks it", "check its extensions"),
    "BLOCKED_BY_ADMINISTRATOR": ("a policy of this machine's browser blocks it", "check the browser's policies"),
    "ABORTED": ("the browser broke off before a page came", "check the address, and whether there is a page to see"),
}
"""What each code means, and the cure; {place} is the server's name and port."""

_NET = re.compile(r"net::ERR_([A-Z0-9_]++)")


def net_error_words(message: str, url: str) -> str:
    """Why a page does not open, with the cure and the code in parentheses; "" where the message holds no such code.

    Args:
        message: of the browser. url: that was to be opened; a redirect may have led elsewhere.
    """
    found = _NET.search(message)
    if found is None:
        return ""
    code = found[1]
    parts = urlsplit(url)
    try:
        port = parts.port or {"https": 443}.get(parts.scheme, 80)
    except ValueError:
        port = 80
    host = parts.hostname or url
    if code.startswith("CERT_"):
        what, cure = "nobody vouches for the certificate of {place}", _CERTIFICATE
    elif code.startswith(("PROXY_", "SOCKS_")) and code not in CODES:
        what, cure = CODES["PROXY_CONNECTION_FAILED"]
    elif code.startswith(("SSL_", "BAD_SSL_")) and code not in CODES:
        what, cure = "no secure connection to {place} comes about", "check its server's certificate and settings"
    elif code.startswith("DNS_"):
        what, cure = CODES["NAME_RESOLUTION_FAILED"]
    elif code.startswith(("HTTP2_", "QUIC_", "SPDY_", "CONTENT_", "RESPONSE_", "INCOMPLETE_")):
        what, cure = "{place} sends an answer that no browser understands", "check its server"
    else:
        what, cure = CODES.get(code, ("the browser cannot reach it", _SERVER))
    # An IPv6 address has its brackets.
    place = f"[{host}]:{port}" if ":" in host and parts.hostname else f"{host}:{port}"
    names = {"place": place, "host": host, "port": port, "scheme": parts.scheme}
    return f"{what.format(**names)}; {cure.format(**names)} (net::ERR_{code})"
