"""How laws are cited."""

import pytest

from courtpiece.engine import UnknownLawError, cited_laws


@pytest.mark.parametrize(
    ("text", "laws"),
    [
        ("", ()),
        ("8.3", ("8.3",)),
        (" law 8.3 ", ("8.3",)),
        ("Laws 8.3, 8.5", ("8.3", "8.5")),
        ("8.3; law 10.1 and 11.2.", ("8.3", "10.1", "11.2")),
        ("8.3، 10", ("8.3", "10")),
        ("§ 13.2", ("13.2",)),
        ("۸.۳", ("8.3",)),
        ("8.3, 8.3", ("8.3",)),
    ],
)
def test_laws_are_read_as_they_are_written(text: str, laws: tuple[str, ...]) -> None:
    assert cited_laws(text) == laws


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("99.99 nonsense", "99.99 nonsense"),
        ("8.3, 8.9", "8.9"),
        ("8.0", "8.0"),
        ("18", "18"),
        ("14.1", "14.1"),
        ("lawful", "lawful"),
        ("law", "law"),
        ("8.3,", ""),
        ("8.3.1", "8.3.1"),
        ("-8", "-8"),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_what_is_no_law_is_named(text: str, found: str) -> None:
    with pytest.raises(UnknownLawError) as refused:
        cited_laws(text)

    assert refused.value.found == found
