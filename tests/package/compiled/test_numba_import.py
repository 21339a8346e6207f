"""Without numba, `posenc.numba` says what it needs, and nothing else needs it."""

from tests.without import loaded_with_the_package, told_without


def test_missing_numba_names_the_extra_to_install():
    told = told_without("numba")

    assert 'ImportError: posenc.numba needs numba: pip install "posenc[numba]"' in told


def test_the_package_does_not_import_it():
    assert not loaded_with_the_package("numba")
