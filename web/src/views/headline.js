// The figures of the run, and what the sample can certify of them.
import {certaintyOf} from "../analysis/certainty.js";
import {isEmpty, isSilent} from "../analysis/side-by-side.js";

const isSummary = (metric) => metric.flags?.summary;

function scalars(run, ui, runs) {
  const list = ui.el("dl", {class: "scalars"});
  for (const metric of run.metrics.filter((each) => !isSummary(each))) {
    if (metric.value === null || metric.value === undefined) continue;
    if (isSilent(metric.name, runs)) continue;
    const {format} = ui;
    const text =
      metric.unit === "ms"
        ? format.ms(metric.value)
        : Number.isInteger(metric.value)
          ? format.count(metric.value)
          : format.number(metric.value);
    const unit = metric.unit === "ms" ? "" : format.unitLabel(metric.unit);
    list.append(
      ui.el(
        "div",
        {title: metric.help},
        ui.el("dt", {}, metric.title),
        ui.el(
          "dd",
          {dataset: {metric: metric.name}, "data-value": metric.value},
          text,
          unit ? ui.el("small", {}, ` ${unit}`) : null,
        ),
      ),
    );
  }
  return list;
}

/** All percentiles of the metrics, ascending; the median has a column of its own. */
function percentilesOf(metrics) {
  const found = new Set();
  for (const metric of metrics)
    for (const [p] of metric.percentiles ?? []) if (p !== 50) found.add(p);
  return [...found].sort((a, b) => a - b);
}

function valueCell(ui, metric, statistic, value, certain, confidence) {
  const {format} = ui;
  if (value === null || value === undefined || isEmpty(metric)) return ui.el("td", {class: "muted"}, "–");
  const uncertain = certain !== null && certain.bound === null;
  const cell = ui.el(
    "td",
    {
      class: uncertain ? "uncertain" : null,
      dataset: {metric: metric.name, statistic},
      "data-value": value,
    },
    ui.el("span", {}, format.figure(value)),
  );
  if (certain === null) return cell;
  if (uncertain) {
    const text =
      certain.count < certain.needed
        ? `needs n ≥ ${format.count(certain.needed)}`
        : "not certified";
    cell.append(ui.el("small", {}, text));
    cell.title =
      `The sample has ${format.count(certain.count)} values` +
      (certain.effective === null
        ? "; "
        : `, worth ${format.effective(certain.effective)} independent ones; `) +
      `it cannot bound this percentile with ${format.percent(confidence)} confidence.`;
  } else {
    cell.append(
      ui.el(
        "small",
        {dataset: {bound: statistic}, "data-value": certain.bound},
        `≤ ${format.atMost(certain.bound)}`,
      ),
    );
    cell.title = `With ${format.percent(confidence)} confidence the true percentile is at most ${format.exact(certain.bound)} ${format.unitLabel(metric.unit)}.`;
  }
  return cell;
}

function summaries(run, ui) {
  const {format, el} = ui;
  const metrics = run.metrics.filter((metric) => isSummary(metric));
  const {certainty, client} = run.facts;
  const confidence = certainty?.confidence ?? 0.99;
  const percentiles = percentilesOf(metrics);
  const bounds = client?.error_bound_ms ?? {};
  const heads = ["mean", "std", "min", "median", ...percentiles.map(format.percentile), "max"];
  const head = el(
    "tr",
    {},
    el("th", {class: "text", scope: "col"}, "Figure"),
    el("th", {scope: "col"}, "n", certainty ? el("small", {}, " (effective)") : null),
    heads.map((text) => el("th", {scope: "col"}, text)),
    client
      ? el(
          "th",
          {
            scope: "col",
            title:
              "The largest error of the mean, median and percentiles that the client itself can have caused.",
          },
          "client error ≤",
        )
      : null,
  );
  const lines = metrics.map((metric) => {
    const figure = certainty?.figures?.[metric.name];
    const line = el(
      "tr",
      {},
      el(
        "th",
        {scope: "row", class: "text", title: metric.help},
        metric.label,
        el("small", {}, `${metric.title}, ${format.unitLabel(metric.unit)}`),
      ),
      el(
        "td",
        {dataset: {metric: metric.name, statistic: "count"}, "data-value": metric.count},
        format.count(metric.count),
        Number.isFinite(figure?.effective_count)
          ? el("small", {}, `(${format.effective(figure.effective_count)})`)
          : null,
      ),
    );
    const cell = (statistic, value, percentile) =>
      line.append(
        valueCell(
          ui,
          metric,
          statistic,
          value,
          percentile === undefined || metric.count === 0
            ? null
            : certaintyOf(certainty, metric.name, percentile),
          confidence,
        ),
      );
    cell("mean", metric.value);
    cell("std", metric.std);
    cell("min", metric.min);
    cell("median", metric.median, 50);
    for (const p of percentiles)
      cell(`p${p}`, metric.percentiles?.find(([each]) => each === p)?.[1], p);
    cell("max", metric.max);
    if (client) {
      const worst = Math.max(...Object.values(bounds[metric.name] ?? {}).filter(Number.isFinite));
      line.append(
        el(
          "td",
          {class: Number.isFinite(worst) ? null : "muted"},
          Number.isFinite(worst) ? format.atMost(worst, "ms") : "–",
        ),
      );
    }
    return line;
  });
  return el(
    "div",
    {class: "table-scroll", tabindex: 0, role: "region", "aria-label": "Latencies"},
    el(
      "table",
      {class: "headline"},
      el("caption", {class: "for-readers"}, "Latencies with percentiles and their bounds"),
      el("thead", {}, head),
      el("tbody", {}, lines),
    ),
  );
}

/** The figure of the whole run that a figure of the steady window is compared with. */
function wholeOf(metric, statistic) {
  if (!metric || isEmpty(metric)) return NaN;
  if (statistic === "value" || statistic === "mean") return metric.value;
  const p = Number(/^p([\d.]+)$/.exec(statistic)?.[1] ?? (statistic === "median" ? 50 : NaN));
  return (p === 50 ? metric.median : metric.percentiles?.find(([each]) => each === p)?.[1]) ?? NaN;
}

/** One line of the steady table for each figure; below each value the whole run's. */
function steadyTable(element, run, ui) {
  const {steady} = run.facts;
  if (!steady?.found) return;
  const {format, el} = ui;
  const figures = Object.entries(steady.figures ?? {});
  const lists = figures.filter(([, figure]) => figure !== null && typeof figure === "object");
  const statistics = [...new Set(lists.flatMap(([, figure]) => Object.keys(figure)))];
  const cell = (metric, name, statistic, value, columns) => {
    if (typeof value !== "number") return el("td", {class: "muted"}, "–");
    const whole = wholeOf(metric, statistic);
    return el(
      "td",
      {colspan: columns, dataset: {steady: name, statistic}, "data-value": value},
      format.figure(value),
      el(
        "small",
        {},
        Number.isNaN(whole) ? "" : `${format.figure(whole)} (${format.ratio(value / whole)})`,
      ),
    );
  };
  const lines = figures.map(([name, figure]) => {
    const metric = run.metric(name);
    const label = el(
      "th",
      {scope: "row", class: "text"},
      metric?.label ?? name.replaceAll("_", " "),
      el("small", {}, format.unitLabel(metric?.unit ?? "")),
    );
    return el(
      "tr",
      {},
      label,
      figure !== null && typeof figure === "object"
        ? statistics.map((statistic) => cell(metric, name, statistic, figure[statistic]))
        : [cell(metric, name, "value", figure), statistics.slice(1).map(() => el("td"))],
    );
  });
  const right = el(
    "div",
    {},
    el(
      "h3",
      {class: "apart"},
      `Steady window: ${format.time(steady.begin_s)} to ${format.time(steady.end_s)}, ${format.count(steady.requests)} requests (${steady.method})`,
    ),
    el(
      "div",
      {
        class: "table-scroll",
        tabindex: 0,
        role: "region",
        "aria-label": "Figures of the steady window",
      },
      el(
        "table",
        {class: "headline"},
        el("caption", {class: "for-readers"}, "Figures of the steady window"),
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", {class: "text", scope: "col"}, "Figure"),
            (statistics.length ? statistics : ["value"]).map((name) =>
              el("th", {scope: "col"}, name.replace(/^p/, "P")),
            ),
          ),
        ),
        el("tbody", {}, lines),
      ),
    ),
  );
  ui.note(right, "Small: the whole run, and the ratio of the steady window to it.");
  element.append(right);
}

/** @type {import("../ui/index.js").View} */
export default {
  id: "headline",
  title: "Figures",
  question: "How fast was the server, and how sure are the percentiles?",
  early: true,
  available: (report, run) =>
    run.metrics.length > 0 ? true : "The file has no figures of this run.",
  draw(element, report, ui) {
    const run = ui.run();
    element.append(scalars(run, ui, report.runs));
    if (!run.metrics.some(isSummary)) return;
    const beside = ui.el("div", {class: "beside"});
    const left = ui.el("div", {}, summaries(run, ui));
    beside.append(left);
    element.append(beside);
    const {certainty} = run.facts;
    if (certainty)
      ui.note(
        left,
        `n: values; effective: the number of independent values that they are worth, because neighbours resemble each other. ` +
          `“≤”: upper bound of the true percentile with ${ui.format.percent(certainty.confidence)} confidence. ` +
          `Grey: the sample is too small to bound this percentile.`,
      );
    steadyTable(beside, run, ui);
  },
};
