"""Measurements, each against something run in the same minute."""
