"""The translations of `migration.md` 3: each a function from nodes to proposed edits."""
