"""Which packages there are: setuptools cannot find those that lie elsewhere than their names say."""

from setuptools import find_packages, setup

MAPPED = {"docie.metrics": "metrics", "docie.adapters": "adapters", "docie.spaces": "spaces"}

packages = find_packages("src")
for name, folder in MAPPED.items():
    packages += [name, *(f"{name}.{inner}" for inner in find_packages(folder))]
setup(packages=packages, package_dir={"docie": "src/docie", **MAPPED})
