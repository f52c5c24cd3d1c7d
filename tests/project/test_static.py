"""The site's files as a server sends them: named by what is in them."""

import json
import re
from pathlib import Path

from django.core.management import call_command
from django.test import override_settings

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "courtpiece.project.static.Fingerprinted"},
}
OURS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
"""Without what libraries bring, which would take half a minute."""
IMPORTED = re.compile(r'^(?:import|export)\b[^"]*"(\.\.?/[^"]+)"', re.MULTILINE)


def test_a_script_names_the_scripts_that_it_imports_by_what_is_in_them(tmp_path: Path) -> None:
    with override_settings(STATIC_ROOT=str(tmp_path), STORAGES=STORAGES, STATICFILES_FINDERS=OURS):
        call_command("collectstatic", "--noinput", verbosity=0)

    names = json.loads((tmp_path / "staticfiles.json").read_text())["paths"]
    ours = {plain: tmp_path / hashed for plain, hashed in names.items() if plain.startswith("js/")}
    imports = {
        (plain, address): script.parent / address
        for plain, script in ours.items()
        for address in IMPORTED.findall(script.read_text())
    }
    assert ("js/laws.js", "./laws/rules.js") not in imports
    assert len(imports) >= 5
    assert all(path.resolve() in ours.values() for path in imports.values()), imports
