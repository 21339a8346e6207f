"""Without PyTorch, `posenc.torch` says what it needs, and nothing else needs it."""

from tests.without import loaded_with_the_package, told_without


def test_missing_pytorch_names_the_extra_to_install():
    told = told_without("torch")

    assert 'ImportError: posenc.torch needs PyTorch: pip install "posenc[torch]"' in told


def test_the_package_does_not_import_it():
    assert not loaded_with_the_package("torch")
