"""When a page has nothing left to do."""

# Nothing is left to be drawn, or to be run before what is least urgent.
IDLE = """async () => {
  for (let count = 0; count < 2; count++) await new Promise(requestAnimationFrame);
  await scheduler.postTask(() => {}, {priority: "background"});
}"""
