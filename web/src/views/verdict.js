// May the figures be used, and were the goals met?
import {clientCard, clientKind, goalsCard, requestsCard, runCard} from "./verdict-cards.js";

function command(run, ui) {
  if (!run.command) return null;
  const text = ui.el("pre", {}, run.command);
  const button = ui.el("button", {type: "button", class: "small", onclick: copy}, "copy");
  async function copy() {
    try {
      await navigator.clipboard.writeText(run.command);
    } catch {
      // Without the right to use the clipboard the text is selected, ready for the user to copy.
      getSelection().selectAllChildren(text);
      document.execCommand("copy");
    }
    button.textContent = "copied";
    setTimeout(() => (button.textContent = "copy"), 1500);
  }
  return ui.el("div", {class: "command"}, text, button);
}

function allRuns(element, report, ui) {
  ui.table(element, {
    caption: "Verdicts of all runs",
    search: false,
    rows: report.runs,
    csv: false,
    pageSize: 12,
    pick: (run) => ui.selectRun(run),
    rowClass: (run) => clientKind(run.facts.client),
    columns: [
      {key: "title", label: "Run", text: true},
      {
        key: "client",
        label: "Client",
        text: true,
        value: (run) => run.facts.client?.verdict ?? "not observed",
      },
      {
        key: "goals",
        label: "Goals passed",
        value: (run) => (run.facts.thresholds ?? []).filter((goal) => goal.passed).length,
        format: (n, run) =>
          run.facts.thresholds?.length ? `${n} of ${run.facts.thresholds.length}` : "–",
      },
      {
        key: "certain",
        label: "certain",
        value: (run) => (run.facts.thresholds ?? []).filter((goal) => goal.certain).length,
      },
      {
        key: "ok",
        label: "OK",
        value: (run) => run.metric("completed")?.value ?? run.facts.accounting?.ok,
        format: ui.format.count,
      },
      {
        key: "failed",
        label: "Failed",
        value: (run) => run.metric("failed")?.value ?? run.facts.accounting?.failed,
        format: ui.format.count,
      },
      {
        key: "duration",
        label: "Duration",
        unit: "s",
        value: (run) => run.metric("duration")?.value,
      },
      {
        key: "steady",
        label: "Steady requests",
        value: (run) => (run.facts.steady?.found ? run.facts.steady.requests : NaN),
        format: ui.format.count,
      },
    ],
  });
}

/** @type {import("../ui/index.js").View} */
export default {
  id: "verdict",
  title: "Verdict",
  question: "May these figures be used, and were the goals met?",
  early: true,
  available: () => true,
  draw(element, report, ui) {
    const run = ui.run();
    element.append(
      ui.el(
        "div",
        {class: "cards"},
        clientCard(run, ui),
        goalsCard(run, ui),
        requestsCard(run, ui),
        runCard(run, ui),
      ),
    );
    const line = command(run, ui);
    if (line) element.append(line);
    if (report.runs.length > 1) allRuns(element, report, ui);
  },
};
