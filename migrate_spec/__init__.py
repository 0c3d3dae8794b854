"""fishhawk: check, resolve and migrate the files that govern agent workflows."""

from __future__ import annotations

__version__ = "0.1.0"
