__version__ = "0.1.0"
REPOSITORY = "https://github.com/docie/docie"
"""The address of the repository: a placeholder until there is one. It stands here only, see CONTRIBUTING.md."""
