from dataclasses import dataclass

from ists.lazy import lazy

COMPUTED: list[str] = []


@dataclass(frozen=True)
class Name:
    text: str

    @lazy
    def initials(self) -> str:
        """The first letters."""
        COMPUTED.append(self.text)
        return "".join(word[0] for word in self.text.split())


def test_a_lazy_attribute_is_computed_once_for_each_instance():
    COMPUTED.clear()
    one, other = Name("World Health Organization"), Name("European Union")
    assert [one.initials, one.initials, other.initials] == ["WHO", "WHO", "EU"]
    assert COMPUTED == ["World Health Organization", "European Union"]


def test_a_lazy_attribute_of_the_class_has_the_documentation():
    assert Name.initials.__doc__ == "The first letters."
