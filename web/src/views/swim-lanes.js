// Every request in a lane over time: where did its time go?

import {answerOf} from "../analysis/client-verdict.js";
import {reasonWithoutRows} from "../analysis/no-rows.js";
import {middleOf, serverAt, slowest} from "../analysis/reading.js";
import {SwimLanes} from "../lanes/swim-lanes.js";

export {SwimLanes};

/**
 * The slowest request, and what the server did in the middle of its longest part unless the client was
 * late; null: no request succeeded.
 */
export function readingOf(run, format) {
  const found = slowest(run.rows, run.strings, format.ms);
  if (found === null || answerOf(run.facts?.client, format.ms).answer !== "No") return found;
  const server = serverAt(run.facts?.series, middleOf(run.rows, found.row), format);
  return server === "" ? found : {...found, text: `${found.text} ${server}`};
}

/** @type {import("../ui/index.js").View} */
export default {
  id: "swim-lanes",
  title: "Requests in lanes",
  question: "Which request was slow, and where did its time go?",
  available: (report, run) => (run.count > 0 ? true : reasonWithoutRows(run)),
  draw(element, report, ui) {
    const reading = ui.note(element, "");
    const chart = ui.el("div");
    element.append(chart);
    const say = (run) => {
      const found = readingOf(run, ui.format);
      reading.replaceChildren(found === null ? "No request succeeded; each bar ends where its request failed." : found.text, " ");
      if (found === null) return;
      reading.append(ui.el("button", {type: "button", class: "link", onclick: () => lanes.select(found.row, true)}, "Show it"));
    };
    const lanes = new SwimLanes(chart, ui.run(), ui);
    say(ui.run());
    ui.onRun((run) => {
      lanes.setRun(run);
      say(run);
    });
    ui.onShow((argument) => {
      if (Number.isInteger(argument?.row)) lanes.select(argument.row, true);
    });
  },
};
