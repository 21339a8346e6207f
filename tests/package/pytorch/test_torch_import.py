"""Without PyTorch, `posenc.torch` says what it needs, and nothing else needs it."""

from tests.without import get_import_error, is_loaded_with_package


def test_missing_pytorch_names_the_extra_to_install():
    told = get_import_error("torch")

    assert "ImportError: posenc.torch needs PyTorch: pip install torch" in told


def test_the_package_does_not_import_it():
    assert not is_loaded_with_package("torch")
