"""The site offers the languages that it can speak."""

from pathlib import Path

from courtpiece.project.languages import LANGUAGES, languages_with_a_catalogue


def test_a_language_without_a_catalogue_is_not_offered(tmp_path: Path) -> None:
    assert [code for code, _name in languages_with_a_catalogue(LANGUAGES, [tmp_path])] == ["en"]


def test_a_language_with_a_compiled_catalogue_is_offered(tmp_path: Path) -> None:
    catalogue = tmp_path / "ur" / "LC_MESSAGES" / "django.mo"
    catalogue.parent.mkdir(parents=True)
    catalogue.touch()
    (tmp_path / "hi" / "LC_MESSAGES").mkdir(parents=True)
    (tmp_path / "hi" / "LC_MESSAGES" / "django.po").touch()

    assert [code for code, _name in languages_with_a_catalogue(LANGUAGES, [tmp_path])] == ["en", "ur"]
