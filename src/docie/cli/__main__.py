"""`python -m docie.cli`."""

from docie.cli import main

main()
