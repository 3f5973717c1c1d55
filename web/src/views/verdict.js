// May the figures be used, and were the goals met?
import {namesText, scopeOf} from "../analysis/client-scope.js";
import {incompleteness} from "../analysis/incomplete.js";
import {allStarts, isStart, startFigures} from "../analysis/no-rows.js";
import {hasInterval, scoresOf} from "../analysis/scores.js";
import {labels} from "../analysis/side-by-side.js";
import {answersCard} from "./answers-card.js";
import {startsCard, timesCards} from "./start-cards.js";
import {clientCard, clientKind, goalsCard, requestsCard, runCard} from "./verdict-cards.js";

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

/** How right the answers are, with the interval; only if a run has a scorer. */
function scoreColumns(report, {percent}) {
  if (!report.runs.some((run) => scoresOf(run)?.scored > 0)) return [];
  const text = (mean, run) => {
    const scores = scoresOf(run);
    if (!Number.isFinite(mean)) return "–";
    return hasInterval(scores) ? `${percent(mean)} [${percent(scores.low)} to ${percent(scores.high)}]` : percent(mean);
  };
  return [{key: "correct", label: "Correct answers", help: "Mean score of the answers that the scorer has scored, with its interval",
    value: (run) => scoresOf(run)?.mean ?? NaN, format: text}];
}

/** Runs of starts have no requests and nothing of the client: their times are shown. */
function allStartRuns(element, report, ui) {
  const names = labels(report.runs);
  const times = startFigures.filter((name) => report.runs.some((run) => run.metric(name)));
  const missing = (run) => incompleteness(run, ui.format.count);
  ui.table(element, {
    caption: "Starts of all runs", search: false, rows: report.runs, csv: false, pageSize: 12,
    pick: (run) => ui.selectRun(run),
    rowClass: (run) => missing(run) === null ? "" : "warn",
    columns: [
      {key: "title", label: "Run", text: true, value: (run) => names[run.index]},
      ...times.flatMap((name) => {
        const state = name.startsWith("cold") ? "cold" : "warm";
        return [{key: name, label: `Mean ${state} start`, unit: "s", value: (run) => run.metric(name)?.value ?? NaN},
          {key: `${name}.count`, label: `${state === "cold" ? "Cold" : "Warm"} starts`,
            value: (run) => run.metric(name)?.count ?? NaN, format: ui.format.count}];
      }),
      ...(report.runs.some((run) => missing(run) !== null)
        ? [{key: "missing", label: "Complete", text: true, value: (run) => missing(run) ?? "yes"}] : []),
    ],
  });
}

function allRuns(element, report, ui) {
  if (allStarts(report)) {
    allStartRuns(element, report, ui);
    return;
  }
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
      ...scoreColumns(report, ui.format),
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

/** The cards of a run; the last of them is that of the run itself. */
function cardsOf(run, ui) {
  if (isStart(run))
    return [...timesCards(run, ui), ...(run.facts.thresholds?.length > 0 ? [goalsCard(run, ui)] : []), startsCard(run, ui)];
  return [clientCard(run, ui), goalsCard(run, ui), requestsCard(run, ui), answersCard(run, ui), runCard(run, ui)]
    .filter((card) => card !== null);
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
    const cards = cardsOf(run, ui).map(named);
    if (name !== null) {
      allRuns(element, report, ui);
      element.append(ui.el("h3", {class: "of-run"}, `Run ${name}`));
      ui.note(element, "A row of the table, or the choice at the top of the page, shows another run.");
    }
    element.append(ui.el("div", {class: cards.length > 4 ? "cards many" : "cards"}, cards));
    const line = command(run, ui, name);
    if (line) element.append(line);
    if (!run.facts.steady?.found) return;
    try {
      await run.load();
    } catch {
      return; // the sections that show the rows tell it
    }
    cards[cards.length - 1].replaceWith(named(runCard(run, ui)));
  },
};
