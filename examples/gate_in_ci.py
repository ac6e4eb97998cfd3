"""May this change be merged? What `github/docie.yml` asks of a pull request, on your machine before you push.

    python examples/gate_in_ci.py BASE NEW

BASE has the predictions of the main branch, and NEW those that your extractor writes with the change. The exit code is
1 if NEW is worse, or if a drop of `MAX_DROP` cannot be excluded.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

REFERENCES = str(Path(__file__).parent / "receipts" / "references.jsonl")
MAX_DROP = "0.03"


def compare(base: str, new: str, comment: str) -> list[str]:
    """The command of the step "Compare"."""
    return ["docie", "compare", REFERENCES, base, new, "--max-drop", MAX_DROP, "--comment", comment]


def main(base: str, new: str) -> int:
    """Print how the comment on the pull request begins; the exit code is that of the build."""
    with tempfile.TemporaryDirectory() as folder:
        comment = Path(folder) / "comment.md"
        command = [sys.executable, "-m", *compare(base, new, str(comment))]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        if comment.exists():
            print(comment.read_text(encoding="utf-8").partition("\n\n| ")[0])
    return done.returncode


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
