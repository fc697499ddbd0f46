"""Parts made of parts, by name: from the command line's options to objects, and into the run's identity."""

from __future__ import annotations

import pytest
from made_parts import make_part, part_of
from made_settings import spec_of

from omnipilot.agents import AgentSpec, PartSpec, build
from omnipilot.agents.assembly.build import GROUNDERS
from omnipilot.agents.assembly.examine import examine
from omnipilot.agents.assembly.spec import modalities
from omnipilot.bench import RunSpec
from omnipilot.envs import ConfigError
from omnipilot.grounders import CascadeGrounder, ElementsGrounder, MarksGrounder, VoteGrounder, ZoomGrounder

MARKS = {"sources": "elements"}


def from_options(name, *options):
    """The run that a command line with these options asks for."""
    return spec_of(
        {"suite": "toy", "planner": "noop"}, {"grounder": name}, [f"grounder.{option}" for option in options]
    )


def test_a_cascade_is_made_of_what_its_option_names_in_that_order():
    spec = from_options("cascade", "of=elements, marks", "marks.sources=elements")
    cascade = build(spec.agent).grounder
    assert isinstance(cascade, CascadeGrounder)
    assert [type(one) for one in cascade.of] == [ElementsGrounder, MarksGrounder]
    assert cascade.of[1].sources == ("elements",)


def test_parts_nest_as_deep_as_wanted():
    options = ("of=vote", "crop=0.5", "vote.of=cascade", "vote.samples=3", "vote.cascade.of=elements")
    zoom = build(from_options("zoom", *options).agent).grounder
    assert isinstance(zoom, ZoomGrounder) and zoom.crop == 0.5
    assert isinstance(zoom.of, VoteGrounder) and zoom.of.samples == 3
    assert isinstance(zoom.of.of, CascadeGrounder) and isinstance(zoom.of.of.of[0], ElementsGrounder)


def test_in_a_file_the_inner_parts_may_be_tables_of_which_two_have_one_name():
    options = {"of": ["elements", {"name": "vote", "of": "elements", "samples": 2}, {"name": "vote", "of": "elements"}]}
    cascade = make_part(GROUNDERS, "cascade", options)
    assert [one.samples for one in cascade.of[1:]] == [2, 5]
    assert options["of"][1]["samples"] == 2


def test_options_of_an_inner_part_belong_to_the_runs_identity():
    one, other = (from_options("cascade", "of=elements,marks", f"marks.sources={what}") for what in ("elements", "ocr"))
    same = from_options("cascade", "marks.sources=elements", "of=elements,marks")
    assert one.identity == same.identity != other.identity
    assert RunSpec.from_json(one.to_json()).identity == one.identity
    table = {
        "suite": "toy",
        "planner": "noop",
        "grounder": {"name": "cascade", "of": "elements,marks", "marks": {"sources": "elements"}},
    }
    assert spec_of(table).identity == one.identity


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("cascade", {}, r"needs the option `of`, .* cascade:elements,ocr, or -o grounder.of=elements,ocr"),
        ("zoom", {"of": " , "}, "needs the option `of`"),
        ("vote", {"of": 3}, "needs the option `of`"),
        ("zoom", {"of": "elements,marks"}, "combines one grounder; .* of=cascade and cascade.of=elements,marks"),
        ("cascade", {"of": "elements,ocrr"}, "did you mean ocr"),
        ("cascade", {"of": "elements,marks", "marks": {"source": "ocr"}}, "did you mean sources"),
        ("cascade", {"of": "marks", "marks": 3}, "written marks.KEY=VALUE"),
        ("cascade", {"of": "elements", "marks": MARKS}, "there is no option 'marks'"),
        ("zoom", {"of": "elements", "crop": 2.0}, "crop must be between 0 and 1"),
        ("cascade", {"of": [3]}, "must be a list of names, or of tables"),
        ("zoom", {"of": "zoom", "zoom": {}}, "needs the option `of`"),
    ],
)
def test_what_cannot_be_made_is_told_with_the_cure(name, options, says):
    with pytest.raises(ConfigError, match=says):
        build(AgentSpec(grounder=part_of(GROUNDERS, name, options)))


@pytest.mark.parametrize("option", ["vllm..model=x", "vllm.=x", "of.model=x"])
def test_a_wrong_dotted_option_is_told(option):
    with pytest.raises(ConfigError, match="is empty|has no options of its own"):
        from_options("cascade", "of=elements", option)


def test_needs_and_reads_of_a_combination_narrow_its_role_and_are_warned_of():
    spec = AgentSpec(planner=PartSpec("noop"), grounder=PartSpec("zoom", inner=(PartSpec("elements"),)))
    assert build(spec).grounder_role.modalities == modalities("elements,screenshot")
    blind = AgentSpec(planner=spec.planner, grounder=spec.grounder, modalities=modalities("audio"))
    (warning,) = examine(blind).warnings()
    assert "grounder 'zoom' cannot point without elements" in warning
