"""Spaces by name: their pages, and folders of them for the Hub."""

from __future__ import annotations

import base64
import hashlib
import importlib
import importlib.util
import posixpath
import re
import sys
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from docie._version import __version__, address_of
from docie.core import family

__all__ = ["build", "push"]

EXTRA = "spaces"
"""The extra whose packages a Space needs."""
_PACKAGES = ("docie", "docie.metrics", "docie.adapters", "docie.spaces")  # the last three may lie elsewhere: setup.py
_INFORMATION = ("METADATA", "WHEEL", "entry_points.txt", "top_level.txt", "licenses/LICENSE")


def write_wheel(folder: Path) -> Path:
    """Write a wheel of the running docie from its installed files: the same files make the same wheel.

    Raises:
        ValueError: if docie is not installed, or was installed before its files got their present version or extras.
    """
    installed = distribution()
    files = {
        f"{package.replace('.', '/')}/{file.relative_to(folder_of(package)).as_posix()}": file.read_bytes()
        for package in _PACKAGES
        for file in folder_of(package).rglob("*")
        if file.is_file() and file.suffix != ".pyc"
    }
    stem = f"docie-{installed.version}"
    for name in _INFORMATION:
        if (text := installed.read_text(name)) is not None:
            files[f"{stem}.dist-info/{name}"] = text.encode()
    hashes = {name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()) for name, data in files.items()}
    record = f"{stem}.dist-info/RECORD"
    rows = [f"{name},sha256={hashes[name].decode().rstrip('=')},{len(data)}" for name, data in sorted(files.items())]
    files[record] = "\n".join([*rows, f"{record},,", ""]).encode()
    wheel = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items(), key=lambda item: (".dist-info/" in item[0], item[0])):
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)  # ZipInfo: without the current date
    return wheel


def pins() -> list[str]:
    """The packages that a Space needs, pinned to the installed versions.

    Raises:
        ModuleNotFoundError: if one of them is not installed.
    """
    return [f"{name}=={version_of(name)}" for name in sorted({each.name for each in requirements(EXTRA)})]


def requirements(extra: str) -> list[Requirement]:
    """What docie asks for with an extra, as it was installed.

    >>> {"dask", "numpy"} <= {each.name for each in requirements("dask")}
    True
    """
    found: dict[str, Requirement] = {}
    extras = [extra]  # the list grows: an extra may name others, such as docie[report]
    every = [Requirement(line) for line in distribution().requires or ()]
    for name in extras:
        needed = [each for each in every if not each.marker or each.marker.evaluate({"extra": name})]
        found |= {str(each): each for each in needed if each.name != "docie"}
        extras += sorted({other for each in needed if each.name == "docie" for other in each.extras} - {*extras})
    return list(found.values())


def version_of(package: str) -> str:
    """The version of an installed package.

    Raises:
        ModuleNotFoundError: if it is not.
    """
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        raise missing(package) from None


def distribution() -> metadata.Distribution:
    """The installed distribution of docie.

    Raises:
        ValueError: if there is none, or if its version is not the running one.
    """
    # a checkout may also have a docie.egg-info from a build, which Python finds first
    installed = (each for each in metadata.distributions(name="docie") if each.read_text("WHEEL") is not None)
    found = next(installed, None)
    if found is None:
        raise ValueError("docie is not installed, so no wheel can be made of it: install it with pip")
    if found.version != __version__ or EXTRA not in (found.metadata.get_all("Provides-Extra") or ()):
        raise ValueError(f"{folder_of('docie')} has changed since docie was installed: install it again with pip")
    return found


def folder_of(package: str) -> Path:
    """The folder that a package is in."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ImportError(f"{package} is not installed; install docie with pip")
    return Path(next(iter(spec.submodule_search_locations))).resolve()


def missing(package: str | None) -> ModuleNotFoundError:
    """The error for a missing package that a Space needs."""
    return ModuleNotFoundError(f'a Space needs the package {package}: pip install "docie[{EXTRA}]"', name=package)


EXPLORER = "explorer"
"""The Space of all families."""
# evaluate imports a module with the name of the repository, so it has no dots; and app.py is the page
_REPOSITORY = re.compile(r"[A-Za-z0-9][\w-]*/(?!app$)[A-Za-z0-9][\w-]*", re.ASCII)
_HINT = ".  # in the checkout of docie, the folder above metrics"  # what modules say where docie is missing
_APP = '''\
"""The Space {name}, made by `docie space build`. requirements.txt installs its page and its metric."""

from docie import hub

demo, launch = hub.page("{name}")
if __name__ == "__main__":
    launch(demo)
'''


def names() -> list[str]:
    """The names of all Spaces.

    Returns:
        list of str: the explorer, then the families, in alphabetical order.

    >>> "explorer" in names()
    True
    """
    return [EXPLORER, *family.families()]


def check_name(name: str) -> None:
    """Check the name of a Space.

    Args:
        name (str): a name.

    Raises:
        ValueError: if there is no Space with this name.

    >>> check_name("kieval_f1")
    Traceback (most recent call last):
    ...
    ValueError: unknown Space 'kieval_f1', expected one of: explorer, ...
    """
    if name not in names():
        raise ValueError(f"unknown Space {name!r}, expected one of: {', '.join(names())}")


def page(name: str) -> tuple[Any, Any]:
    """The page of a Space, and the function that launches it.

    Args:
        name (str): the name of a Space.

    Returns:
        tuple: a `gradio.Blocks`, and `docie.spaces.common.page.launch`.

    Raises:
        ValueError: if the Space is unknown.
        ModuleNotFoundError: if packages of the extra `spaces` are missing; the message says how to install them.

    >>> demo, launch = page("explorer")
    >>> demo.title
    'docie explorer'
    """
    check_name(name)
    try:
        pages = importlib.import_module("docie.spaces.common.page")
        has_own = (folder_of("docie.spaces") / name / "app.py").is_file()
        demo = importlib.import_module(f"docie.spaces.{name}.app").demo if has_own else pages.page_of(name)
        return demo, pages.launch
    except ModuleNotFoundError as error:
        if str(error.name).startswith("docie"):
            raise
        raise missing(error.name) from None


def build(name: str, folder: str | Path, *, repository: str | None = None) -> Path:
    """Assemble the folder of a Space: `app.py`, the metric, its card and JSON Schema, requirements, and docie.

    docie itself comes as a wheel of the installed files, since it is on no public index. The packages that it needs are
    pinned to the installed versions.

    Args:
        name (str): the name of a Space.
        folder (str or Path): where the Space's folder is made. The folder has the name of the repository or, without
            one, of the Space: `evaluate.load` looks for a module with the name of its folder.
        repository (str): "user/name" on the Hub, from where requirements.txt installs the wheel: the Hub's builder sees
            no other file. None: the wheel is installed from the current folder, beside requirements.txt.

    Returns:
        Path: the folder of the Space. An earlier build of the same Space there is replaced; other files stay.

    Raises:
        ValueError: if the Space is unknown, if the repository is not "user/name", or if the folder has files that are
            not an earlier build.
        ModuleNotFoundError: if packages of the extra `spaces` are missing.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sorted(file.name for file in build("explorer", folder).iterdir())
    ['LICENSE', 'README.md', 'app.py', 'docie-0.1.0-py3-none-any.whl', 'requirements.txt']
    """
    check_name(name)
    if repository is not None and not _REPOSITORY.fullmatch(repository):
        raise ValueError(f"expected user/name, of letters, digits, - and _, and no name 'app', got {repository!r}")
    licence = distribution().read_text("licenses/LICENSE") or ""
    texts = {"app.py": _APP.format(name=name), "README.md": _card(name), "LICENSE": licence}
    pinned = pins()
    space = Path(folder) / (repository.partition("/")[2] if repository else name)
    _make_place(space, texts["app.py"])
    (space / "app.py").write_text(texts["app.py"], encoding="utf-8")  # first: from now on, this is our folder
    wheel = write_wheel(space)
    address = f"https://huggingface.co/spaces/{repository}/resolve/main/{wheel.name}" if repository else wheel.name
    line = f"./{wheel.name}[{EXTRA}]"
    if repository:  # with a hash: when the wheel changes, so does the line, and the Hub's builder installs it again
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        line = f"docie[{EXTRA}] @ {address}#sha256={digest}"
    texts["requirements.txt"] = "".join(f"{each}\n" for each in (line, *pinned))
    if name != EXPLORER:
        metric = Path(family.path(name))
        module = (metric / f"{name}.py").read_text(encoding="utf-8")
        texts[f"{space.name}.py"] = module.replace(_HINT, address)
        texts["schema.json"] = (metric / "schema.json").read_text(encoding="utf-8")
    for file, text in texts.items():
        (space / file).write_text(text, encoding="utf-8", newline="\n")
    return space


def push(folder: str | Path, repository: str) -> str:
    """Upload the folder that `build` made to a public Space on the Hub, which is created if needed.

    Args:
        folder (str or Path): the result of `build` for this repository. Other files in it are not uploaded.
        repository (str): "user/name".

    Returns:
        str: the address of the Space.

    Raises:
        ConnectionError: if there is no token, or if the Hub cannot be reached or refuses; one line gives the reason.

    >>> push(build("kieval", "dist", repository="somebody/kieval"), "somebody/kieval")  # doctest: +SKIP
    'https://huggingface.co/spaces/somebody/kieval'
    """
    from huggingface_hub import HfApi, get_token

    if not get_token():
        raise ConnectionError("no token for the Hub: run `hf auth login`, or set HF_TOKEN")
    folder, api = Path(folder), HfApi(library_name="docie", library_version=__version__)
    ours = ["LICENSE", "README.md", "app.py", "requirements.txt", "schema.json", f"{folder.name}.py", "docie-*.whl"]
    try:
        # public: the Hub's builder has no token to download the wheel
        address = api.create_repo(repository, repo_type="space", space_sdk="gradio", private=False, exist_ok=True)
        api.upload_folder(
            repo_id=repository,
            repo_type="space",
            folder_path=folder,
            allow_patterns=ours,
            delete_patterns="docie-*.whl",  # those of older versions
            commit_message=f"docie {__version__}",
        )
    except Exception as error:  # from the Hub's client, the library that it uses, or the system
        reason = next(filter(None, map(str.strip, str(error).splitlines())), type(error).__name__)
        raise ConnectionError(f"cannot push to {repository}: {reason}") from None
    return str(address)


def _card(name: str) -> str:
    """The card of a Space, with the installed versions. Links into the checkout lead to its files of this version."""
    from huggingface_hub import SpaceCard

    folder = folder_of("docie.spaces") / name if name == EXPLORER else Path(family.path(name))
    card = SpaceCard((folder / "README.md").read_text(encoding="utf-8"))
    card.data["sdk_version"] = version_of("gradio")
    card.data["python_version"] = f"{sys.version_info.major}.{sys.version_info.minor}"  # the Hub's default is too old
    here = f"spaces/{name}" if name == EXPLORER else f"metrics/{name}"

    def absolute(link: re.Match[str]) -> str:
        return f"[{link[1]}]({address_of(posixpath.normpath(f'{here}/{link[2]}'))})"

    return re.sub(r"(?<!!)\[([^\]]+)\]\((\.\.?/[^)\s]*)\)", absolute, str(card))


def _make_place(space: Path, app: str) -> None:
    """Make the folder, or remove docie's old wheels from an earlier build.

    Raises:
        ValueError: if the folder has files, but no earlier build of this Space.
    """
    if space.is_dir() and any(space.iterdir()):
        built = space / "app.py"
        first_line = app.partition("\n")[0]
        if not (built.is_file() and built.read_text(encoding="utf-8", errors="replace").startswith(first_line)):
            raise ValueError(f"{space}: this folder has files that are not an earlier build of this Space")
    space.mkdir(parents=True, exist_ok=True)
    for wheel in space.glob("docie-*.whl"):
        wheel.unlink()
