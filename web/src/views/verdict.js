// May the figures be used, and were the goals met?
import {namesText, scopeOf} from "../analysis/client-scope.js";
import {incompleteness} from "../analysis/incomplete.js";
import {labels} from "../analysis/side-by-side.js";
import {answersCard, clientCard, clientKind, goalsCard, requestsCard, runCard} from "./verdict-cards.js";

function command(run, ui, name) {
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
  const line = ui.el("div", {class: "command"}, text, button);
  return name === null ? line : ui.el("div", {}, ui.el("h3", {class: "apart"}, `Command of ${name}`), line);
}

const goalColumns = [
  {
    key: "goals",
    label: "Goals passed",
    value: (run) => (run.facts.thresholds ?? []).filter((goal) => goal.passed).length,
    format: (n, run) =>
      run.facts.thresholds?.length ? `${n} of ${run.facts.thresholds.length}` : "–",
  },
  {
    key: "certain",
    label: "Goals decided for certain",
    help: "Goals for which the run has enough independent requests to say passed or failed with confidence",
    value: (run) => (run.facts.thresholds ?? []).filter((goal) => goal.certain).length,
    format: (n, run) => (run.facts.thresholds?.length ? `${n}` : "–"),
  },
];

/** The verdict on the client of a run, with the figures that it is about. */
function verdictOf(run) {
  const {client} = run.facts;
  const scope = scopeOf(run);
  return scope !== null ? `INVALID for: ${namesText(scope.spoiled, 1)}`
    : client?.verdict ?? (client ? "not known" : "not observed");
}

function allRuns(element, report, ui) {
  const names = labels(report.runs);
  const anyGoal = report.runs.some((run) => run.facts.thresholds?.length > 0);
  const missing = (run) => incompleteness(run, ui.format.count);
  ui.table(element, {
    caption: "Verdicts of all runs",
    search: false,
    rows: report.runs,
    csv: false,
    pageSize: 12,
    pick: (run) => ui.selectRun(run),
    rowClass: (run) => {
      const kind = clientKind(run.facts.client);
      return kind !== "bad" && missing(run) !== null ? "warn" : kind;
    },
    columns: [
      {key: "title", label: "Run", text: true, value: (run) => names[run.index]},
      {
        key: "client",
        label: "Client",
        text: true,
        value: verdictOf,
      },
      ...(report.runs.some((run) => missing(run) !== null)
        ? [{key: "missing", label: "Complete", text: true, value: (run) => missing(run) ?? "yes"}]
        : []),
      ...(anyGoal ? goalColumns : []),
      {
        key: "ok",
        label: "OK",
        value: (run) => run.metric("completed")?.value ?? run.facts.accounting?.ok,
        format: ui.format.count,
      },
      {
        key: "failed",
        label: "Failed",
        value: (run) => run.facts.accounting?.failed ?? run.metric("failed")?.value,
        format: ui.format.count,
      },
      ...(report.runs.some((run) => run.facts.accounting?.cancelled > 0)
        ? [
            {
              key: "cancelled",
              label: "Cancelled",
              help: "By the end of the run; they are neither OK nor failed",
              value: (run) => run.facts.accounting?.cancelled,
              format: ui.format.count,
            },
          ]
        : []),
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
  namesRun: true,
  available: () => true,
  async draw(element, report, ui) {
    const run = ui.run();
    const name = report.runs.length > 1 ? labels(report.runs)[run.index] : null;
    // Without its name a card of one run looks like a statement on all runs.
    const named = (card) => {
      if (name !== null) card.querySelector("h3").append(ui.el("span", {class: "detail"}, ` of ${name}`));
      return card;
    };
    const last = named(runCard(run, ui));
    const answers = answersCard(run, ui);
    if (name !== null) {
      allRuns(element, report, ui);
      element.append(ui.el("h3", {class: "of-run"}, `Run ${name}`));
      ui.note(element, "A row of the table, or the choice at the top of the page, shows another run.");
    }
    element.append(
      ui.el(
        "div",
        {class: "cards"},
        named(clientCard(run, ui)),
        named(goalsCard(run, ui)),
        named(requestsCard(run, ui)),
        ...(answers === null ? [] : [named(answers)]),
        last,
      ),
    );
    const line = command(run, ui, name);
    if (line) element.append(line);
    if (!run.facts.steady?.found) return;
    try {
      await run.load();
    } catch {
      return; // the sections that show the rows tell it
    }
    last.replaceWith(named(runCard(run, ui)));
  },
};
