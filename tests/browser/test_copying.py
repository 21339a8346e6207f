"""What a reader copies is a program."""

import pytest


@pytest.mark.parametrize("path", ["chapters/sinusoidal/", "chapters/relative/"])
def test_what_is_copied_runs(page, address, path):
    """The sessions of a page, copied one by one, are a program without prompts and output."""
    page.goto(address + path)
    sessions = page.locator(".language-pycon.highlight")
    assert sessions.count() > 20

    program = []
    for number in range(sessions.count()):
        session = sessions.nth(number)
        folded = session.locator("xpath=ancestor::details[not(@open)]")
        if folded.count():
            folded.locator("summary").click()
        session.scroll_into_view_if_needed()  # the button comes with the sight of it
        shown = session.locator("code").text_content()
        session.locator("button[data-clipboard-target]").click()
        page.wait_for_function("navigator.clipboard.readText().then(text => text.length > 0)")
        copied = page.evaluate("navigator.clipboard.readText()")
        page.evaluate("navigator.clipboard.writeText('')")
        prompts = [line[4:] for line in shown.splitlines() if line.startswith((">>> ", "... "))]
        assert [line for line in copied.splitlines() if line.strip()] == [
            line for line in prompts if line.strip()
        ]
        if "Traceback" not in shown:
            program.append(copied)

    exec(compile("\n".join(program), path, "exec"), {})
