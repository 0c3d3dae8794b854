"""The starting files that `init` writes."""
