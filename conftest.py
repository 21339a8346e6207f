"""Collect every example that a reader can see: pages, README and docstrings."""

from examples import docstrings, pages

pytest_collect_file = (pages + docstrings).pytest()
