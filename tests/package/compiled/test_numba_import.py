"""Without numba, `posenc.numba` says what it needs, and nothing else needs it."""

from tests.without import get_import_error, is_loaded_with_package


def test_missing_numba_names_the_extra_to_install():
    told = get_import_error("numba")

    assert "ImportError: posenc.numba needs numba: pip install numba" in told


def test_the_package_does_not_import_it():
    assert not is_loaded_with_package("numba")
