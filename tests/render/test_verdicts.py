"""The claims, each in one line under its verdict."""

from check.page_source import read_page
from check.paths import DOCS
from render import verdicts

CLAIMS = DOCS / "reference/claims.md"
PAGE = """
/// claim | It is $x$
    attrs: {id: claim-x}

**Wrong.** One meets it.
///

/// claim | It is told
    attrs: {id: claim-told}

**Imprecise.** One meets it.
///

/// claim | It is
    attrs: {id: claim-is}

**Wrong.** So.
///
"""


def test_claims_stand_under_their_verdicts():
    assert verdicts.render_claim_list(PAGE) == (
        "Wrong:\n\n- [It is $x$](#claim-x)\n- [It is](#claim-is)\n\n"
        "Imprecise:\n\n- [It is told](#claim-told)"
    )


def test_no_claim_of_the_page_is_left_out():
    text = read_page(CLAIMS)

    assert verdicts.MARK in text
    assert verdicts.render_claim_list(text).count("\n- [") == text.count("\n/// claim | ") > 30
