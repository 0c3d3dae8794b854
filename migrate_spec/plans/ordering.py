"""What waits for what: the one question about order that both kinds of plan ask."""

from __future__ import annotations

from collections.abc import Iterable


def unplaced(count: int, edges: Iterable[tuple[int, int]]) -> list[int]:
    """Return which of the positions below `count` no order places, given edges (waiting, awaited).

    These are the members of each ring and whatever waits for one. An edge to itself is a ring.
    """
    awaited: list[set[int]] = [set() for _ in range(count)]
    waiting: list[list[int]] = [[] for _ in range(count)]
    for at, other in edges:
        if other not in awaited[at]:
            awaited[at].add(other)
            waiting[other].append(at)
    left = [len(others) for others in awaited]
    ready = [at for at in range(count) if not left[at]]
    for at in ready:
        for other in waiting[at]:
            left[other] -= 1
            if not left[other]:
                ready.append(other)
    return sorted(set(range(count)).difference(ready))
