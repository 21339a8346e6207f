"""Golden vectors: exact numbers that a port in any language can be compared with.

Every real number is computed with 80 digits and then rounded once, to the nearest number of
its type. No float takes part, so the bytes are the same on every machine, whatever its sine.

Letters in this module
    p  position    ω  angular frequency, radians per position    i  index of a pair
    d  channels    u  unit roundoff of a dtype                   t  ln(1/ω)
"""

from posenc.golden.case_list import Case, cases
from posenc.golden.files import write

__all__ = ["Case", "cases", "write"]
