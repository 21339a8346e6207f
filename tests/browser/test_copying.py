"""What a reader copies is a program."""

import pytest

from tests.browser.idle import PATIENCE
from tests.browser.visits import arrived

# Bring a session into sight, where it gets its button; press what is in the button's middle, and
# return what is shown and what was copied.
COPY = """async (session, patience) => {
  for (let fold = session; fold = fold.closest("details:not([open])");) fold.open = true;
  const show = (what) => what?.scrollIntoView({block: "center", behavior: "instant"});
  const end = performance.now() + patience * 1000;
  const until = async (condition) => {
    for (let found; ;) {
      if ((found = await condition())) return found;
      if (performance.now() > end) throw Error(`in vain: ${condition}`);
      await new Promise(requestAnimationFrame);
    }
  };
  await navigator.clipboard.writeText("");
  const button = await until(() => {
    show(session); // again and again, since what comes to life above may move it away
    return session.querySelector("button[data-clipboard-target]");
  });
  show(button);
  const {left, top, width, height} = button.getBoundingClientRect();
  const pressed = document.elementFromPoint(left + width / 2, top + height / 2);
  if (!button.contains(pressed)) throw Error(`over the button: ${pressed?.outerHTML}`);
  pressed.click();
  return [session.querySelector("code").textContent,
          await until(() => navigator.clipboard.readText())];
}"""


@pytest.mark.parametrize("path", ["chapters/sinusoidal/", "chapters/relative/"])
def test_what_is_copied_runs(page, address, path):
    """The sessions of a page, copied one by one, are a program without prompts and output."""
    page.goto(address + path)
    arrived(page)
    sessions = page.locator(".language-pycon.highlight").element_handles()
    assert len(sessions) > 20

    program = []
    for session in sessions:
        shown, copied = session.evaluate(COPY, PATIENCE)
        prompts = [line[4:] for line in shown.splitlines() if line.startswith((">>> ", "... "))]
        assert [line for line in copied.splitlines() if line.strip()] == [
            line for line in prompts if line.strip()
        ]
        if "Traceback" not in shown:
            program.append(copied)

    exec(compile("\n".join(program), path, "exec"), {})
