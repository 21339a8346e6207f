"""What a reader copies: sessions, and the citation of a page."""

from tests.browser.copying import click_copy_button

PAGE = "chapters/relative/"


def test_copied_sessions_are_a_program(page, address):
    """Without prompts and without output; and it runs."""
    page.goto(address + PAGE)
    page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    code = ".language-pycon.highlight, .implementation .language-python.highlight"
    sessions = page.locator(code).element_handles()
    assert len(sessions) > 20

    program = []
    for session in sessions:
        shown = session.query_selector("code").text_content()
        copied = click_copy_button(page, session)
        lines = shown.splitlines()
        if lines[0].startswith(">>> "):
            lines = [line[4:] for line in lines if line.startswith((">>> ", "... "))]
        assert copied.split() == "\n".join(lines).split()
        if "Traceback" not in shown:
            program.append(copied)
    exec(compile("\n".join(program), PAGE, "exec"), {})


def test_the_citation_is_copied(page, address):
    page.goto(address + PAGE)
    cite = page.locator("details.cite")
    cite.locator("summary").click()
    copied = click_copy_button(page, cite.element_handle())

    assert copied.strip() == cite.locator("code").text_content().strip()
    assert copied.startswith("@incollection{posenc-relative,")
