from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from omnipilot.bench.suites.workshop.site import Site


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    yield made
    made.close()


def test_a_site_serves_pages_and_what_they_let_hear(site: Site) -> None:
    site.show({"": "<p>here</p>"}, {"message.wav": b"RIFF"})
    with urllib.request.urlopen(site.url) as page:
        assert page.read() == b"<p>here</p>"
    with urllib.request.urlopen(f"{site.url}message.wav") as sound:
        assert (sound.headers["Content-Type"], sound.read()) == ("audio/wav", b"RIFF")


def test_a_site_forgets_what_it_served_and_what_was_sent(site: Site) -> None:
    site.show({"listened": "ok"}, {"message.wav": b"RIFF"})
    urllib.request.urlopen(f"{site.url}listened", data=b"at=3").close()
    assert [(form.path, dict(form.fields)) for form in site.sent] == [("listened", {"at": "3"})]
    site.show({})
    assert site.sent == ()
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{site.url}message.wav")
