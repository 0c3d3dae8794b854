"""The two kinds of plan that workflows execute: `standard_v1` and service plans."""
