"""Turns run records (docs/records.md) into one self-contained HTML page."""
