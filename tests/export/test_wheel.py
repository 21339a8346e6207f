"""The wheel of the package: it is reproducible and has all modules."""

import zipfile

from check.paths import PACKAGE, ROOT
from export import wheel


def test_the_wheel_is_the_same_bytes_each_time(tmp_path, monkeypatch):
    first = wheel.build_wheel().read_bytes()
    monkeypatch.setattr(wheel, "FOLDER", tmp_path)

    assert wheel.build_wheel().read_bytes() == first
    with zipfile.ZipFile(wheel.build_wheel()) as packed:
        names = set(packed.namelist())
    modules = {path.relative_to(ROOT).as_posix() for path in PACKAGE.rglob("*.py")}
    assert modules <= names
    assert "posenc/py.typed" in names
    data = {f"posenc/trained/data/{name}" for name in ("minilm.npz", "LICENSE-APACHE-2.0")}
    assert data <= names
