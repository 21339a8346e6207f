"""Without numba, `posenc.numba` says what it needs, and nothing else needs it."""

import subprocess
import sys


def test_without_numba_the_import_says_what_to_install():
    code = "import sys; sys.modules['numba'] = None; import posenc.numba"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert 'ImportError: posenc.numba needs numba: pip install "posenc[numba]"' in done.stderr


def test_the_package_does_not_import_it():
    code = "import posenc, sys; sys.exit('numba' in sys.modules or 'posenc.numba' in sys.modules)"

    subprocess.run([sys.executable, "-c", code], check=True)
