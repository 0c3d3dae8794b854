"""Hostile documents: seeds, what is done to them, and what must hold of every one."""
