"""What pyproject.toml cannot say: packages that lie elsewhere than their names say, and all that has the repository's
address in it, which stands in one place."""

import re
import runpy
from pathlib import Path

from setuptools import setup

FOLDERS = {"docie": "src/docie", "docie.metrics": "metrics", "docie.adapters": "adapters", "docie.spaces": "spaces"}
LINK = re.compile(r"(!?)(\[[^\]\n]*\])\((?!https?:)([^)\s]*)\)")

here = Path(__file__).parent
facts = runpy.run_path(str(here / "src" / "docie" / "_version.py"))
repository = facts["REPOSITORY"]


def absolute(link: re.Match[str]) -> str:
    """A relative link or picture of the README as an address: an index page has no files beside it."""
    is_picture, text, target = link.groups()
    kind = "raw" if is_picture else "blob"
    address = f"{repository}{target}" if target.startswith("#") else facts["address_of"](target, kind)
    return f"{is_picture}{text}({address})"


packages = {
    ".".join((name, *file.parent.relative_to(folder).parts))
    for name, folder in FOLDERS.items()
    for file in Path(folder).rglob("*.py")
}
setup(
    packages=sorted(packages),
    package_dir=FOLDERS,
    long_description=LINK.sub(absolute, (here / "README.md").read_text(encoding="utf-8")),
    long_description_content_type="text/markdown",
    project_urls={
        "Repository": repository,
        "Documentation": f"{repository}/blob/main/docs/README.md",
        "Changelog": f"{repository}/blob/main/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    },
)
