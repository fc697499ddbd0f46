"""The door `osworld`: `omnipilot env serve --world desktop --door osworld`."""

from __future__ import annotations

import threading

from omnipilot.bench.session import Offer
from omnipilot.bench.suites.osworld.serving.desktop import FORWARDED, ServedDesktop
from omnipilot.bench.suites.osworld.serving.server import DesktopServer
from omnipilot.envs import ConfigError
from omnipilot.envs.remote import is_loopback


def serve_desktop(offer: Offer) -> None:
    """Serve a desktop under OSWorld's endpoints until told to end.

    Raises:
        ConfigError: no world is offered, it has no desktop, or nobody can listen there.
    """
    if offer.world is None:
        raise ConfigError("OSWorld's endpoints are those of a desktop; name one with --world, such as --world desktop")
    desktop = ServedDesktop(offer.world)
    try:
        server = DesktopServer(desktop, offer.host, offer.port)
        try:
            offer.say(f"{server.url} (OSWorld's endpoints; POST /reset sets it back to its start)")
            if desktop.is_private and is_loopback(offer.host):
                chromium, vlc = map(desktop.reach, FORWARDED)
                offer.say(f"suite.server={offer.host}:{server.port}:{chromium}:8006:{vlc} (with Chromium's and VLC's)")
            if not is_loopback(offer.host):
                offer.say("warning: whoever reaches this address operates the desktop and runs commands in it")
            elif not desktop.is_private:
                offer.say("note: this world runs no commands; lines of pyautogui are carried out")
            threading.Event().wait()
        finally:
            server.close()
    finally:
        desktop.close()
