"""Which packages there are: setuptools cannot find those that lie elsewhere than their names say."""

from pathlib import Path

from setuptools import setup

FOLDERS = {"docie": "src/docie", "docie.metrics": "metrics", "docie.adapters": "adapters", "docie.spaces": "spaces"}

packages = {
    ".".join((name, *file.parent.relative_to(folder).parts))
    for name, folder in FOLDERS.items()
    for file in Path(folder).rglob("*.py")
}
setup(packages=sorted(packages), package_dir=FOLDERS)
