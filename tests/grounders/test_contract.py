"""The check of grounders: ours keep the contract, and grounders that break it are told where."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fixed_truth import FixedTruth, told

from omnipilot.envs import Absent, Box, Element, Elements, Modality, Observation, Point
from omnipilot.envs.types.actions import Described, Ref
from omnipilot.grounders import (
    Abstention,
    AgreeGrounder,
    CascadeGrounder,
    CentreGrounder,
    ElementsGrounder,
    GoldGrounder,
    GradedGrounder,
    Grounder,
    Grounding,
    MarksGrounder,
    OcrGrounder,
    RandomElementGrounder,
    VoteGrounder,
    ZoomGrounder,
    check_grounder,
)
from omnipilot.grounders.contract import SIZE, ContractBroken
from omnipilot.grounders.sources.detact import DetactGrounder
from omnipilot.memory import ModelUnavailable
from omnipilot.memory.messages import Part

OURS: dict[str, Callable[[], Grounder]] = {
    "elements": ElementsGrounder,
    "marks": lambda: MarksGrounder("elements,detector"),
    "cascade": lambda: CascadeGrounder([ElementsGrounder(), MarksGrounder("elements")]),
    "agree": lambda: AgreeGrounder([ElementsGrounder(), ElementsGrounder()]),
    "vote": lambda: VoteGrounder(ElementsGrounder(), 3),
    "zoom": lambda: ZoomGrounder(ElementsGrounder()),
}
BOX = Box(0.2, 0.6, 0.4, 0.7)
ADD = Observation("pc", 0.0, SIZE, elements=Elements((Element("button", "Add", BOX, id="add"),)))


@pytest.mark.parametrize("name", OURS)
def test_our_grounders_keep_the_contract(name: str) -> None:
    known = [] if name == "zoom" else [(ADD, "the Add button", BOX), (ADD, Ref("add"), BOX)]
    check_grounder(OURS[name], known=known)


@pytest.mark.parametrize("make", [GoldGrounder, lambda: GradedGrounder(0.5)], ids=["gold", "graded"])
def test_grounders_that_know_the_screen_keep_the_contract(make: Callable[[], Grounder]) -> None:
    known = [(ADD, "the Add button", BOX), (ADD, Ref("add"), BOX)]
    truth = FixedTruth({"pc": [Element("button", "Add", BOX, id="add")]})
    check_grounder(lambda: told(make(), truth), known=known if make is GoldGrounder else [])
    with pytest.raises(ContractBroken, match="takes its answers from the runner"):
        check_grounder(make)


def test_grounders_that_do_not_read_what_is_asked_point_even_for_an_id_that_is_not_there() -> None:
    for make in (CentreGrounder, RandomElementGrounder):
        with pytest.raises(ContractBroken, match="it pointed for an element's id that is not on the screen") as error:
            check_grounder(make)
        assert len(error.value.args) == 1 and "abstain as not_found" in str(error.value)


@pytest.mark.slow
def test_the_reader_keeps_the_contract() -> None:
    check_grounder(OcrGrounder)
    check_grounder(DetactGrounder)


class First(Grounder):
    """Points at the element of that id or name; what breaks the contract changes one thing."""

    needs: frozenset[Modality] = frozenset({Modality.ELEMENTS})

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        if isinstance(observation.elements, Absent):
            return Abstention("no_view", "no elements")
        name = target.id if isinstance(target, Ref) else target
        found = next((one for one in observation.elements if name in (one.id, one.name)), None)
        return self.answer(found) if found else Abstention("not_found", f"no {name}")

    def answer(self, found: Element) -> Grounding | Abstention:
        return Grounding(found.box.center, found.box, 1.0)


class Pixels(First):
    def answer(self, found: Element) -> Grounding:
        return Grounding((160.0, 120.0))  # type: ignore[arg-type]


class Outside(First):
    def answer(self, found: Element) -> Grounding:
        point, box = Point(0.5, 0.5), Box(0, 0, 1, 1)
        object.__setattr__(point, "x", 160.0)
        object.__setattr__(box, "left", -1.0)
        return Grounding(point, box, 97.0)


class Silent(First):
    def answer(self, found: Element) -> Abstention:
        return Abstention("unsure")  # type: ignore[arg-type]


class Nothing(First):
    def answer(self, found: Element) -> None:  # type: ignore[override]
        """No answer."""


class Guessing(First):
    """Points at the middle where it knows nothing better."""

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        answer = super().ground(observation, target)
        return answer if isinstance(answer, Grounding) else Grounding(Point(0.5, 0.5))


class Staring(First):
    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        list(observation.elements)  # type: ignore[arg-type]
        return super().ground(observation, target)


class Wordy(First):
    """Takes descriptions apart, and knows neither ids nor empty ones."""

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        assert target.split()[0]  # type: ignore[union-attr]
        return super().ground(observation, target)


class Remembering(First):
    """Answers what it once found, whatever is on the screen."""

    def __init__(self) -> None:
        self.found: Grounding | Abstention | None = None

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        last, self.found = self.found, super().ground(observation, target)
        return last or self.found


class Mistyped(First):
    needs = {"elements"}  # type: ignore[assignment]  # noqa: RUF012


class Unread(First):
    reads = frozenset({Modality.SCREENSHOT})


class Showing(First):
    annotates = True
    shown = 0

    def annotate(self, observation: Observation) -> tuple[Part, ...]:
        self.shown += 1
        return (f"shown {self.shown} times",)


class Secretive(First):
    def annotate(self, observation: Observation) -> tuple[Part, ...]:
        return ("1: a mark",)


class ShowingNone(First):
    annotates = True

    def annotate(self, observation: Observation) -> None:
        """Nothing, where () is meant."""


class Down(First):
    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        raise ModelUnavailable("no server at http://localhost:1")


BREACHES: list[tuple[Callable[[], Grounder], tuple[str, ...]]] = [
    (Pixels, ("points at (160.0, 120.0): it must be a Point", "Point.from_pixels")),
    (Outside, ("points at Point(x=160.0", "gives the box Box(left=-1.0", "the confidence 97.0")),
    (Silent, ("abstained as 'unsure': the reason is one of not_found, ambiguous",)),
    (Nothing, ("ground('Save') returned None: it must return a Grounding or an Abstention",)),
    (Guessing, ("for a screen without elements, which it needs: abstain as no_view", "it pointed for an element's id")),
    (Staring, ("on a screen without elements raised TypeError", "abstain with a reason")),
    (Wordy, ("ground('') raised IndexError", "ground(Ref(id='save')) raised AttributeError")),
    (Remembering, ("ground('Save') gave another answer when asked again",)),
    (Mistyped, ("its `needs` is {'elements'}: it must be a frozenset of Modality",)),
    (Unread, ("it needs elements, which its `reads` leaves out",)),
    (Showing, ("annotate() differs when called twice",)),
    (Secretive, ("annotate() shows something, but `annotates` is false: let it be true",)),
    (Down, ("no answer came, each time ModelUnavailable (no server at http://localhost:1)",)),
]


@pytest.mark.parametrize(("make", "told"), BREACHES, ids=lambda part: getattr(part, "__name__", None))
def test_a_broken_grounder_is_told(make: Callable[[], Grounder], told: tuple[str, ...]) -> None:
    check_grounder(First)
    with pytest.raises(ContractBroken) as error:
        check_grounder(make)
    assert error.value.part == make.__name__  # type: ignore[attr-defined]
    for words in told:
        assert words in str(error.value)


def test_an_annotator_that_returns_nothing_is_told() -> None:
    with pytest.raises(ContractBroken, match="annotate\\(\\) returned None"):
        check_grounder(ShowingNone)


def test_places_that_it_has_to_find_are_asked_for() -> None:
    check_grounder(First, known=[(ADD, "Add", BOX)])
    with pytest.raises(ContractBroken, match="it abstained for 'the Add button' \\(not_found: no the Add button\\)"):
        check_grounder(First, known=[(ADD, "the Add button", BOX)])
    with pytest.raises(ContractBroken, match=r"it pointed at \(0.300, 0.650\) for 'Add', which is in Box"):
        check_grounder(First, known=[(ADD, "Add", Box(0, 0, 0.1, 0.1))])


def test_a_grounder_that_samples_may_say_so() -> None:
    class Sampling(First):
        count = 0

        def answer(self, found: Element) -> Grounding:
            self.count += 1
            return Grounding(Point(1 / (self.count + 1), 0.5))

    with pytest.raises(ContractBroken):
        check_grounder(Sampling)
    check_grounder(Sampling, repeatable=False)


def test_what_inherits_nothing_is_told_what_to_inherit() -> None:
    class Stranger:
        def ground(self, observation: Observation, target: Described) -> Abstention:
            return Abstention("not_found")

    with pytest.raises(ContractBroken, match=r"no Grounder: let its class inherit omnipilot\.grounders\.base"):
        check_grounder(Stranger)  # type: ignore[arg-type]
