// On a page about judging: below each session that defines a function and judges it, a link that
// opens the workbench with this code.

import { html } from "../explorers/parts/elements.js";
import { pack } from "./link.js";

const JUDGED = /posenc\.(compare|identify)\((\w+)(?:, "([\w.-]+)")?\)/;
const PROMPT = /^(?:>>>|\.\.\.) ?/;

/** The functions that a session defines, as a file with the one that it judges, or null. */
function extract(session) {
  const lines = session.split("\n");
  const judged = JUDGED.exec(session);
  const first = judged && lines.findIndex((line) => line.startsWith(`>>> def ${judged[2]}(`));
  if (!judged || first < 0) return null;
  let last = first + 1;
  while (lines[last]?.startsWith("...")) last += 1;
  const code = lines.slice(first, last).map((line) => line.replace(PROMPT, ""));
  const imports = code.join().includes("posenc.") ? "import numpy as np\nimport posenc" : "import numpy as np";
  return { text: `${imports}\n\n${code.join("\n")}\n`, reference: judged[3] ?? "identify", config: "" };
}

const { href } = document.querySelector("a.judge-here");
for (const code of document.querySelectorAll("article pre > code")) {
  const found = extract(code.textContent);
  const fragment = found && (await pack("code", found));
  if (fragment) code.closest(".highlight").after(html("p", {}, html("a", { href: href + fragment }, "Judge this code in your browser")));
}
