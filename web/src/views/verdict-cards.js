// The cards of the verdict: client, goals, requests and run.
import {namesText, scopeOf} from "../analysis/client-scope.js";
import {damageSentence} from "../analysis/incomplete.js";
import {lacksRows, reasonWithoutRows, requestsOf} from "../analysis/no-rows.js";
import {steadyDoubt} from "../analysis/steady-doubt.js";
import {card, cut} from "./card.js";

const clientKinds = {VALID: "good", SUSPECT: "warn", INVALID: "bad"};

/** "1 request", "2 requests" */
const plural = (n, word, text) => `${text} ${word}${n === 1 ? "" : "s"}`;

/** @returns {"good"|"warn"|"bad"|"note"} */
export function clientKind(client) {
  return clientKinds[client?.verdict] ?? "note";
}

export function clientCard(run, ui) {
  const {client} = run.facts;
  if (!client)
    return card(
      ui,
      "",
      "Client",
      "not observed",
      ui.el("p", {class: "detail"}, "The run has no record of the client's own delays."),
    );
  const worst = client.worst_error_bound;
  const lines = [];
  if (worst && Number.isFinite(worst.ms))
    lines.push(
      ui.el(
        "p",
        {},
        `The client's own error is at most ${ui.format.atMost(worst.ms, "ms")}, on ${worst.figure}.`,
      ),
    );
  for (const reason of client.reasons ?? []) lines.push(ui.el("p", {}, reason));
  const scope = scopeOf(run);
  if (scope !== null) lines.push(ui.el("p", {}, scope.rest));
  // The causes are sentences of advice: they would make the strip higher than the figures below it.
  const causes = client.causes ?? [];
  if (causes.length > 0)
    lines.push(
      ui.el(
        "details",
        {},
        ui.el("summary", {class: "detail"}, plural(causes.length, "observed cause", ui.format.count(causes.length))),
        ...causes.map((cause) => ui.el("p", {class: "detail"}, String(cause))),
      ),
    );
  if (client.answers_without_bound > 0)
    lines.push(
      ui.el(
        "p",
        {class: "detail"},
        `${plural(client.answers_without_bound, "answer", ui.format.count(client.answers_without_bound))} without a bound.`,
      ),
    );
  const {verdict} = client;
  if (!verdict)
    lines.unshift(ui.el("p", {}, "The journal has no end, so the client has no verdict."));
  return card(
    ui,
    clientKind(client),
    "Client",
    verdict === "VALID"
      ? "VALID: kept up"
      : verdict === "INVALID"
        ? scope === null
          ? "INVALID: do not use"
          : `INVALID for: ${namesText(scope.spoiled)}`
        : verdict
          ? String(verdict)
          : "not known",
    ...lines,
  );
}

/** "good": passed, certain; "warn": passed or failed by the figure alone; "bad": failed. */
function goalKind(goal) {
  if (!goal.passed) return "bad";
  return goal.certain ? "good" : "warn";
}

/** The observations behind a goal: "n = 2,000, effective 1,600". */
function observations(goal, format) {
  if (!Number.isFinite(goal.count)) return "";
  const effective =
    Number.isFinite(goal.effective_count) && Math.floor(goal.effective_count) !== goal.count
      ? `, effective ${format.effective(goal.effective_count)}`
      : "";
  return `n = ${format.count(goal.count)}${effective}`;
}

const probeKinds = {passed: "good", failed: "bad"};

/** The goals of a run that `inferbench find` made; null for another run. Whether the load passed also depends on the client. */
function probeCard(run, ui) {
  const {probe} = run.facts;
  if (!Array.isArray(probe?.goals)) return null;
  const items = probe.goals.map((goal) =>
    ui.el("li", {}, ui.el("span", {}, `${goal?.verdict}: `), ui.el("span", {class: "detail"}, String(goal?.text ?? ""))),
  );
  return card(ui, probeKinds[probe.verdict] ?? "warn", "Goals", `${probe.verdict} by its requests`, ui.el("ul", {}, ...items));
}

export function goalsCard(run, ui) {
  const ofSearch = probeCard(run, ui);
  if (ofSearch !== null) return ofSearch;
  const goals = run.facts.thresholds ?? [];
  if (goals.length === 0)
    return card(
      ui,
      "",
      "Goals",
      "none set",
      ui.el(
        "p",
        {class: "detail"},
        "--threshold GOAL, such as ttft.p99<200ms, makes the run pass or fail.",
      ),
    );
  const failed = goals.filter((goal) => !goal.passed).length;
  const unsure = goals.filter((goal) => goal.passed && !goal.certain).length;
  const {format} = ui;
  const items = goals.map((goal) => {
    const kind = goalKind(goal);
    const value =
      goal.value === null || goal.value === undefined
        ? "no value"
        : format.unit(goal.value, goal.unit);
    const certain = goal.certain ? "certain" : "not certain";
    return ui.el(
      "li",
      {},
      ui.el("span", {class: `sign ${kind}`, "aria-hidden": "true"}, goal.passed ? "✓" : "✗"),
      ui.el("code", {}, goal.goal),
      " ",
      ui.el("span", {}, `${goal.passed ? "passed" : "failed"}: `),
      ui.el("b", {"data-value": goal.value, dataset: {goal: goal.goal}}, value),
      ui.el(
        "span",
        {class: "detail"},
        [certain, observations(goal, format), goal.reason].filter(Boolean).join("; "),
      ),
    );
  });
  const big = failed
    ? `${failed} of ${goals.length} failed`
    : unsure
      ? `all passed, ${unsure} not certain`
      : goals.length === 1
        ? "passed, certain"
        : "all passed, certain";
  return card(ui, failed ? "bad" : unsure ? "warn" : "good", "Goals", big, ui.el("ul", {}, items));
}

export function requestsCard(run, ui) {
  const {format} = ui;
  const accounting = run.facts.accounting ?? {};
  const ok = accounting.ok ?? run.metric("completed")?.value ?? 0;
  const failed = accounting.failed ?? run.metric("failed")?.value ?? 0;
  const sent = accounting.sent ?? ok + failed;
  const share = sent > 0 ? failed / sent : 0;
  const kind = sent === 0 || ok === 0 ? "bad" : failed > 0 ? "warn" : "good";
  const lines = [
    ui.el(
      "p",
      {},
      "sent ",
      ui.el("b", {dataset: {fact: "sent"}, "data-value": sent}, format.count(sent)),
      " = ok ",
      ui.el("b", {dataset: {fact: "ok"}, "data-value": ok}, format.count(ok)),
      " + failed ",
      ui.el("b", {dataset: {fact: "failed"}, "data-value": failed}, format.count(failed)),
      accounting.cancelled > 0 ? ` + cancelled ${format.count(accounting.cancelled)}` : "",
    ),
  ];
  if (accounting.never_sent > 0)
    lines.push(
      ui.el(
        "p",
        {},
        `${format.count(accounting.never_sent)} of ${format.count(accounting.planned)} planned were never sent.`,
      ),
    );
  if (accounting.not_recorded > 0)
    lines.push(
      ui.el(
        "p",
        {},
        `${plural(accounting.not_recorded, "request", format.count(accounting.not_recorded))} not recorded: it is unknown whether they were sent.`,
      ),
    );
  const first = run.facts.errors?.[0];
  if (first)
    lines.push(
      ui.el(
        "p",
        {class: "detail"},
        `most frequent: ${cut(String(first.first ?? first.class), 140)} (${format.count(first.count)})`,
      ),
    );
  const big =
    sent === 0
      ? "none sent"
      : failed === 0
        ? `${plural(ok, "request", format.count(ok))}, no error`
        : ok === 0
          ? "all failed"
          : `${format.percent(share)} failed`;
  return card(ui, kind, "Requests", big, ...lines);
}

export function runCard(run, ui) {
  const {format} = ui;
  const duration = run.metric("duration")?.value;
  const {steady, journal_damage: damage} = run.facts;
  const lines = [];
  let kind = "good";
  if (steady?.found) {
    lines.push(
      ui.el(
        "p",
        {},
        `Steady from ${format.time(steady.begin_s)} to ${format.time(steady.end_s)}: ${plural(steady.requests, "request", format.count(steady.requests))} (${steady.method}).`,
      ),
    );
    // The rows are there when the card is drawn a second time.
    const doubt = steadyDoubt(run, format);
    if (doubt !== null) {
      kind = "warn";
      lines.push(ui.el("p", {dataset: {doubt: "steady"}}, doubt));
    }
  } else if (steady) {
    kind = "warn";
    lines.push(ui.el("p", {}, `No steady state: ${steady.reason ?? "none was found"}.`));
  }
  if (run.replayed)
    lines.push(ui.el("p", {class: "detail"}, `Reported again from ${run.source || "a journal"}.`));
  if (damage) {
    kind = "warn";
    lines.push(ui.el("p", {}, damageSentence(damage, format.count)));
  }
  if (run.interrupted) {
    kind = "warn";
    lines.unshift(
      ui.el("p", {}, "The run was stopped before its end; the figures are those of its beginning."),
    );
  }
  if (run.total > run.count)
    lines.push(
      ui.el(
        "p",
        {},
        `The page has ${format.count(run.count)} of ${format.count(run.total)} requests: the ` +
          "slowest, and others drawn by lot. The figures are those of all requests.",
      ),
    );
  const requests = requestsOf(run);
  const sample = requests
    ? `${plural(requests, "request", format.count(requests))} in ${format.time(duration)}`
    : "no request";
  if (requests === 0) kind = "bad";
  else if (lacksRows(run)) lines.push(ui.el("p", {}, reasonWithoutRows(run)));
  return card(
    ui,
    kind,
    "Run",
    run.interrupted ? `interrupted after ${format.time(duration)}` : sample,
    ...lines,
  );
}
