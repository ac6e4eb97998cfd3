__version__ = "0.1.0"
REPOSITORY = "https://github.com/docie/docie"
"""The address of the repository: a placeholder until there is one. It stands here only, see CONTRIBUTING.md."""


def address_of(path: str, kind: str = "blob") -> str:
    """The address of a file of this version in the repository.

    Args:
        path (str): from the root of the repository, with an anchor if there is one.
        kind (str): "blob" to read a file, "raw" for what is in it, "tree" for a folder.

    Returns:
        str: the address.

    >>> address_of("docs/errors.md").removeprefix(REPOSITORY)
    '/blob/v0.1.0/docs/errors.md'
    """
    return f"{REPOSITORY}/{kind}/v{__version__}/{path}"
