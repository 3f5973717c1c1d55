// The page of the reporter timeline: the swim lanes alone, in the whole window.
import {reasonWithoutRows} from "./analysis/no-rows.js";
import {makeHeader, showMessage} from "./app/page.js";
import {contentOf} from "./app/text.js";
import {readReport} from "./data/model.js";
import {createUi, makeTimeRange} from "./ui/create.js";
import {el} from "./ui/el.js";
import {makeTheme} from "./ui/theme.js";
import {SwimLanes} from "./lanes/swim-lanes.js";

const root = document.getElementById("app");

async function start() {
  const report = readReport(contentOf);
  const run = report.runs[0];
  if (!run) return showMessage(root, report.title, "This timeline has no run.");
  const theme = makeTheme();
  const body = el("main", {class: "whole"});
  document.documentElement.classList.add("timeline");
  root.replaceChildren(makeHeader(report, theme), body);
  const ui = createUi({
    theme,
    timeRange: makeTimeRange(),
    selected: () => run,
    select() {},
    show() {},
    shown() {},
  });
  await run.load();
  if (run.count === 0) ui.note(body, reasonWithoutRows(run));
  else new SwimLanes(body, run, ui, {fill: true, packed: false, nested: false});
  addEventListener("beforeprint", () => (theme.print(true), ui.print(true)));
  addEventListener("afterprint", () => (ui.print(false), theme.print(false)));
  document.documentElement.dataset.ready = "";
  performance.mark("ready");
}

start().catch((error) => {
  console.error(error);
  showMessage(root, "The timeline cannot be shown", error.message);
});
