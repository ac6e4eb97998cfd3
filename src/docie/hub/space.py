"""Spaces by name: their pages, folders of them for the Hub, and the way there."""

from __future__ import annotations

import hashlib
import importlib
import re
import sys
from pathlib import Path
from typing import Any

from docie._version import __version__
from docie.core import family
from docie.hub import packing

EXPLORER = "explorer"
"""The Space of all families."""
# evaluate imports a module that is named as the repository: no dots; and app.py is the page
_REPOSITORY = re.compile(r"[A-Za-z0-9][\w-]*/(?!app$)[A-Za-z0-9][\w-]*", re.ASCII)
_HINT = ".  # in the checkout of docie, the folder above metrics"  # what modules say where docie is missing
_APP = '''\
"""The Space {name}, made by `docie space build`. requirements.txt installs its page and its metric."""

from docie.spaces.common import page
from docie.spaces.{name}.app import demo

if __name__ == "__main__":
    page.launch(demo)
'''


def names() -> list[str]:
    """The names of all Spaces.

    Returns:
        list of str: the explorer, then the families that have one, in alphabetical order.

    >>> "explorer" in names()
    True
    """
    found = sorted(file.parent.name for file in packing.folder_of("docie.spaces").glob("*/app.py"))
    return [EXPLORER, *(name for name in found if name != EXPLORER)]


def check_name(name: str) -> None:
    """Check the name of a Space.

    Args:
        name (str): a name.

    Raises:
        ValueError: if there is no Space of this name.

    >>> check_name("kieval_f1")
    Traceback (most recent call last):
    ...
    ValueError: unknown Space 'kieval_f1', expected one of: explorer, ...
    """
    if name not in names():
        raise ValueError(f"unknown Space {name!r}, expected one of: {', '.join(names())}")


def page(name: str) -> tuple[Any, Any]:
    """The page of a Space, and the function that launches pages.

    Args:
        name (str): the name of a Space.

    Returns:
        tuple: a `gradio.Blocks`, and `docie.spaces.common.page.launch`.

    Raises:
        ValueError: for an unknown Space.
        ModuleNotFoundError: without the packages of the extra `spaces`; the message says how to get them.

    >>> demo, launch = page("explorer")
    >>> demo.title
    'docie explorer'
    """
    check_name(name)
    try:
        launch = importlib.import_module("docie.spaces.common.page").launch
        return importlib.import_module(f"docie.spaces.{name}.app").demo, launch
    except ModuleNotFoundError as error:
        if str(error.name).startswith("docie"):
            raise
        raise packing.missing(error.name) from None


def build(name: str, folder: str | Path, *, repository: str | None = None) -> Path:
    """Assemble what a Space needs on the Hub: `app.py`, the metric, its card and its JSON Schema, requirements, docie.

    docie itself comes as a wheel, made of the installed files: it is on no public index. Packages that docie names are
    pinned to the versions that are installed.

    Args:
        name (str): the name of a Space.
        folder (str or Path): where the Space's folder is made. It is named as the repository or, without one, as the
            Space: `evaluate.load` looks for a module that is named as its folder.
        repository (str): "user/name" on the Hub, from where requirements.txt installs the wheel: the Hub shows its
            builder no other file. None: from beside requirements.txt, in the current folder.

    Returns:
        Path: the folder of the Space. An earlier build of the same Space there is replaced, files of others stay.

    Raises:
        ValueError: for an unknown Space, a repository that is not named "user/name", and a folder that has files
            but no earlier build.
        ModuleNotFoundError: without the packages of the extra `spaces`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sorted(file.name for file in build("explorer", folder).iterdir())
    ['LICENSE', 'README.md', 'app.py', 'docie-0.1.0-py3-none-any.whl', 'requirements.txt']
    """
    check_name(name)
    if repository is not None and not _REPOSITORY.fullmatch(repository):
        raise ValueError(f"expected user/name, of letters, digits, - and _, and no name 'app', got {repository!r}")
    texts = {"app.py": _APP.format(name=name), "README.md": _card(name), "LICENSE": packing.license_text()}
    pins = packing.pins()
    space = Path(folder) / (repository.partition("/")[2] if repository else name)
    _make_place(space, texts["app.py"])
    (space / "app.py").write_text(texts["app.py"], encoding="utf-8")  # first: whatever happens now, this is our folder
    wheel = packing.write_wheel(space)
    address = f"https://huggingface.co/spaces/{repository}/resolve/main/{wheel.name}" if repository else wheel.name
    line = f"./{wheel.name}[{packing.EXTRA}]"
    if repository:  # with a hash: when the wheel changes, so does the line, and the Hub's builder installs it again
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        line = f"docie[{packing.EXTRA}] @ {address}#sha256={digest}"
    texts["requirements.txt"] = "".join(f"{each}\n" for each in (line, *pins))
    if name != EXPLORER:
        metric = Path(family.path(name))
        module = (metric / f"{name}.py").read_text(encoding="utf-8")
        texts[f"{space.name}.py"] = module.replace(_HINT, address)
        texts["schema.json"] = (metric / "schema.json").read_text(encoding="utf-8")
    for file, text in texts.items():
        (space / file).write_text(text, encoding="utf-8", newline="\n")
    return space


def push(folder: str | Path, repository: str) -> str:
    """Upload what `build` has made to a public Space on the Hub, which is made if there is none.

    Args:
        folder (str or Path): what `build` returned for this repository. Other files in it are not uploaded.
        repository (str): "user/name".

    Returns:
        str: the address of the Space.

    Raises:
        ConnectionError: if there is no token, and if the Hub cannot be reached or refuses; a line that says why.

    >>> push(build("kieval", "dist", repository="somebody/kieval"), "somebody/kieval")  # doctest: +SKIP
    'https://huggingface.co/spaces/somebody/kieval'
    """
    from huggingface_hub import HfApi, get_token

    if not get_token():
        raise ConnectionError("no token for the Hub: run `hf auth login`, or set HF_TOKEN")
    folder, api = Path(folder), HfApi(library_name="docie", library_version=__version__)
    ours = ["LICENSE", "README.md", "app.py", "requirements.txt", "schema.json", f"{folder.name}.py", "docie-*.whl"]
    try:
        # public: the Hub's builder has no token to load the wheel with
        address = api.create_repo(repository, repo_type="space", space_sdk="gradio", private=False, exist_ok=True)
        api.upload_folder(
            repo_id=repository,
            repo_type="space",
            folder_path=folder,
            allow_patterns=ours,
            delete_patterns="docie-*.whl",  # those of older versions
            commit_message=f"docie {__version__}",
        )
    except Exception as error:  # of the Hub's client, of the library that it loads with, or of the system
        reason = next(filter(None, map(str.strip, str(error).splitlines())), type(error).__name__)
        raise ConnectionError(f"cannot push to {repository}: {reason}") from None
    return str(address)


def _card(name: str) -> str:
    """The card of a Space: versions are those that are installed. Links into the checkout become text."""
    from huggingface_hub import SpaceCard

    folder = packing.folder_of("docie.spaces") / name if name == EXPLORER else Path(family.path(name))
    card = SpaceCard((folder / "README.md").read_text(encoding="utf-8"))
    card.data["sdk_version"] = packing.version_of("gradio")
    card.data["python_version"] = f"{sys.version_info.major}.{sys.version_info.minor}"  # the Hub's own is too old
    return re.sub(r"(?<!!)\[([^\]]+)\]\(\.\.?/[^)\s]*\)", r"\1", str(card))


def _make_place(space: Path, app: str) -> None:
    """Make the folder, or take docie's old wheels out of an earlier build.

    Raises:
        ValueError: for a folder that has files, but no earlier build of this Space.
    """
    if space.is_dir() and any(space.iterdir()):
        built = space / "app.py"
        first_line = app.partition("\n")[0]
        if not (built.is_file() and built.read_text(encoding="utf-8", errors="replace").startswith(first_line)):
            raise ValueError(f"{space}: this folder has files, and they are no earlier build of this Space")
    space.mkdir(parents=True, exist_ok=True)
    for wheel in space.glob("docie-*.whl"):
        wheel.unlink()
