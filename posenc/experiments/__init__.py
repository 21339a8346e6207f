"""Experiments: what small models learn, with and without positions.

Each experiment trains small transformers from several seeds on a task with an exact answer.
The results come with the package, and reading them needs only NumPy:

    posenc.experiments.load("order")

Repeating one needs `pip install '.[experiments]'` in a clone of the project, and a command:

    python -m posenc.experiments order --out FOLDER

The models are tiny and the tasks artificial. They show what *can* happen when a model
learns, and refute sentences with "never" or "always"; of large models they prove nothing.
"""

from posenc.experiments.results import Result, load

__all__ = ["Result", "load"]
