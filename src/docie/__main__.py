"""`python -m docie`."""

from docie.cli import main

main()
