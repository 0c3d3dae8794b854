"""Run the conformance areas and fail when one drops below what `.ci/conformance.json` records.

`conformance.py COMMAND` checks; with `--record` it writes what was reached as the new floor.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
FLOOR = HERE / "conformance.json"
CHECK = HERE.parent.parent / "shared" / "conformance" / "check.py"


def reached(command: str) -> dict[str, list[int]]:
    """Return passed and total of each area for the `fishhawk` at `command`."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        call = [sys.executable, str(CHECK), "--fishhawk", command, "--show", "3", "--json", str(report)]
        subprocess.run(call, check=False)
        found = json.loads(report.read_text(encoding="utf-8"))
    return {area: [result["passed"], result["total"]] for area, result in found.items()}


def main(command: str, *options: str) -> int:
    """Compare with the floor, or record a new one."""
    found = reached(command)
    if "--record" in options:
        FLOOR.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        return 0
    floor = json.loads(FLOOR.read_text(encoding="utf-8"))
    dropped = [area for area, (passed, _total) in floor.items() if found.get(area, [0])[0] < passed]
    for area in dropped:
        print(f"{area}: {found.get(area)} is below {floor[area]}")
    return 1 if dropped else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
