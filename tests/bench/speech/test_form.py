"""The setting `instruction`."""

from __future__ import annotations

import pytest

from omnipilot.bench.run.config import spec_from
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.spec import RunSpec, essence
from omnipilot.bench.speech.form import InstructionForm
from omnipilot.envs import ConfigError


@pytest.mark.parametrize(
    ("text", "given", "level"),
    [
        ("", "text", None),
        ("speech", "speech", None),
        ("both", "both", None),
        ("speech:10", "speech", 10.0),
        ("both:-3.5", "both", -3.5),
    ],
)
def test_a_form_is_read(text: str, given: str, level: float | None) -> None:
    form = InstructionForm.parse(text)
    assert (form.given, form.level) == (given, level)
    assert (form.spoken, form.written) == (given != "text", given != "speech")


@pytest.mark.parametrize("text", ["loud", "text:10", "speech:", "speech:loud", "speech:nan", "speech:500"])
def test_other_forms_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="speech:10"):
        InstructionForm.parse(text)


def test_the_form_is_part_of_an_identity_only_where_it_is_spoken() -> None:
    plain, text, spoken = (
        spec_from(RunSettings(suite="toy", planner="noop", instruction=form)) for form in (None, "text", "speech:10")
    )
    assert plain == text and "instruction" not in essence(plain.to_json())
    assert spoken.identity != plain.identity and RunSpec.from_json(spoken.to_json()) == spoken
    louder = spec_from(RunSettings(suite="toy", planner="noop", instruction="speech:10", speech="command:say {text}"))
    assert louder.identity != spoken.identity and RunSpec.from_json(louder.to_json()) == louder
    assert louder.speech is not None and louder.speech.options == {"line": "say {text}"}


def test_where_a_server_speaks_is_no_part_of_an_identity_and_with_which_voice_is() -> None:
    def identity(url: str, voice: str) -> str:
        speech = {"name": "endpoint", "url": url, "voice": voice, "key_env": f"KEY_{len(url)}"}
        return spec_from(RunSettings(suite="toy", planner="noop", instruction="both", speech=speech)).identity

    assert identity("http://a:1/v1", "ann") == identity("http://elsewhere:2/v1", "ann")
    assert identity("http://a:1/v1", "ann") != identity("http://a:1/v1", "ben")


def test_what_is_only_spoken_has_to_be_heard() -> None:
    with pytest.raises(ConfigError, match="has to be heard.*--instruction both"):
        spec_from(RunSettings(suite="toy", planner="noop", instruction="speech", planner_modalities="screenshot"))
    spec_from(RunSettings(suite="toy", planner="noop", instruction="both", planner_modalities="screenshot"))
    with pytest.raises(ConfigError, match="text, speech or both"):
        spec_from(RunSettings(suite="toy", planner="noop", instruction="sung"))
