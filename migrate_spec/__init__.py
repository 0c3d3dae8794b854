"""fishhawk: check, resolve and migrate the files that govern agent workflows.

The names in `__all__`, and those of `migrate_spec.plans`, are the public interface (`docs/api.md`).
Each is imported when it is asked for, so that `import migrate_spec` costs next to nothing.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from migrate_spec import plans
    from migrate_spec.migrate import Outcome, Refusal
    from migrate_spec.migrate import run as migrate_document
    from migrate_spec.resolution import explain
    from migrate_spec.resolution import phase as resolve
    from migrate_spec.validation import Checked, check
    from transforms.document import Document, parse
    from transforms.finding import Finding

__all__ = [
    "Checked",
    "Document",
    "Finding",
    "Outcome",
    "Refusal",
    "check",
    "explain",
    "migrate_document",
    "parse",
    "plans",
    "resolve",
]

__version__ = "0.1.0"


def _lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a `__getattr__` for `package` that imports each of the names in `homes` from `module:name`."""

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, attribute = homes[name].partition(":")
        home = importlib.import_module(module)
        return getattr(home, attribute) if attribute else home

    return load


__getattr__ = _lazily(
    __name__,
    {
        "Checked": "migrate_spec.validation:Checked",
        "Document": "transforms.document:Document",
        "Finding": "transforms.finding:Finding",
        "Outcome": "migrate_spec.migrate:Outcome",
        "Refusal": "migrate_spec.migrate:Refusal",
        "check": "migrate_spec.validation:check",
        "explain": "migrate_spec.resolution:explain",
        "migrate_document": "migrate_spec.migrate:run",
        "parse": "transforms.document:parse",
        "plans": "migrate_spec.plans",
        "resolve": "migrate_spec.resolution:phase",
    },
)


def __dir__() -> list[str]:
    return __all__
