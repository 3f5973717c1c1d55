// Where the figures come from, and the data themselves.
import {requestColumns, requestRow} from "../analysis/request-table.js";

function pairs(ui, entries) {
  const list = ui.el("dl", {class: "pairs"});
  for (const [name, value] of entries)
    if (value !== null && value !== undefined && value !== "")
      list.append(ui.el("dt", {}, name), ui.el("dd", {}, String(value)));
  return list;
}

/** Entries of nested objects as [["a.b", value], ...]. */
function flat(object, prefix = "") {
  return Object.entries(object ?? {}).flatMap(([key, value]) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? flat(value, `${prefix}${key} `)
      : [[prefix + key, Array.isArray(value) ? JSON.stringify(value) : value]],
  );
}

function tree(ui, value, key, depth = 0) {
  const label = ui.el("span", {class: "key"}, key);
  if (value === null || typeof value !== "object")
    return ui.el("div", {class: "leaf"}, label, `: ${JSON.stringify(value)}`);
  const entries = Object.entries(value);
  if (
    entries.length === 0 ||
    (Array.isArray(value) && entries.every(([, each]) => each === null || typeof each !== "object"))
  )
    return ui.el("div", {class: "leaf"}, label, `: ${JSON.stringify(value)}`);
  return ui.el(
    "details",
    {open: depth < 2},
    ui.el("summary", {}, label),
    entries.map(([name, each]) => tree(ui, each, name, depth + 1)),
  );
}

function seeds(config) {
  return flat(config).filter(([name]) => /(^|[ -])seed$/.test(name));
}

function downloads(element, report, run, ui) {
  const base = run.name || "inferbench";
  const rows = () => Array.from({length: run.rows.count}, (_, i) => requestRow(run, i));
  const button = (text, f) => ui.el("button", {type: "button", class: "small", onclick: f}, text);
  element.append(
    ui.el(
      "div",
      {class: "actions"},
      button("requests as CSV", () =>
        ui.download(
          `${base}.requests.csv`,
          "text/csv",
          ui.csv([
            requestColumns.map((column) => column.name),
            ...rows().map((row) => requestColumns.map((column) => row[column.name])),
          ]),
        ),
      ),
      button("requests as JSON lines", () =>
        ui.download(
          `${base}.requests.jsonl`,
          "application/x-ndjson",
          rows()
            .map((row, i) => {
              const gaps = run.rows.gapsOf(i);
              return JSON.stringify(gaps ? {...row, gaps_ms: Array.from(gaps)} : row);
            })
            .join("\n") + "\n",
        ),
      ),
      button("report as JSON", () =>
        ui.download(
          `${base}.report.json`,
          "application/json",
          JSON.stringify(report.file, null, 1),
        ),
      ),
    ),
  );
}

function requests(element, run, ui) {
  if (run.rows.count === 0) return;
  const indices = Int32Array.from({length: run.rows.count}, (_, i) => i);
  const cache = new Map();
  const row = (i) => {
    if (!cache.has(i)) {
      if (cache.size > 5000) cache.clear();
      cache.set(i, requestRow(run, i));
    }
    return cache.get(i);
  };
  const {format} = ui;
  element.append(ui.el("h3", {}, "Requests"));
  ui.table(element, {
    caption: "Requests",
    rows: indices,
    pageSize: 15,
    search: true,
    pick: (i) => ui.show("swim-lanes", {row: i}),
    rowClass: (i) => (run.rows.ok(i) ? "" : "bad"),
    columns: requestColumns
      .filter((column) => column.shown)
      .map((column) => ({
        key: column.name,
        label: column.label,
        unit: column.unit,
        help: column.help,
        text: column.text,
        exact: !column.text,
        value: (i) => row(i)[column.name],
        format: (value) =>
          value === null
            ? "–"
            : typeof value !== "number"
              ? cut(String(value))
              : column.unit === "ms"
                ? format.figure(value)
                : format.count(value),
      })),
  });
}

const cut = (text) => (text.length > 90 ? `${text.slice(0, 90)}…` : text);

function texts(element, run, ui) {
  if (!run.texts.length) return;
  element.append(ui.el("h3", {}, "Texts"));
  ui.table(element, {
    caption: "Texts of requests",
    rows: run.texts,
    pageSize: 5,
    pick: (text) => ui.show("swim-lanes", {row: text.row}),
    columns: [
      {
        key: "row",
        label: "Request",
        value: (text) => run.rows.sequence[text.row] ?? text.row,
        format: ui.format.count,
      },
      ...["prompt", "text", "error"]
        .filter((key) => run.texts.some((text) => text[key]))
        .map((key) => ({
          key,
          label: {prompt: "Prompt", text: "Answer", error: "Error"}[key],
          text: true,
          wide: true,
          value: (text) => text[key] ?? "",
        })),
    ],
  });
}

/** @type {import("../ui/index.js").View} */
export default {
  id: "provenance",
  title: "Provenance and raw data",
  question: "Where do these figures come from, and what are the data behind them?",
  available: () => true,
  draw(element, report, ui) {
    const run = ui.run();
    const {format, el} = ui;
    downloads(element, report, run, ui);
    const plugins = run.environment.plugins ?? [];
    const environment = Object.fromEntries(
      Object.entries(run.environment).filter(([name]) => name !== "plugins"),
    );
    const left = el(
      "div",
      {},
      el("h3", {}, "Run"),
      pairs(ui, [
        ["name", run.name],
        ["label", run.label],
        ["source", run.source],
        ["started", format.date(run.started_unix_ms)],
        ["ended", format.date(run.finished_unix_ms)],
        ["written by", report.generator],
        ["interrupted", run.interrupted ? "yes" : "no"],
        ["from a journal", run.replayed ? "yes" : "no"],
        ...flat(run.description),
        ...seeds(run.config),
        ...flat(run.axes),
      ]),
    );
    const right = el("div", {}, el("h3", {}, "Environment"), pairs(ui, flat(environment)));
    element.append(el("div", {class: "columns"}, left, right));
    if (plugins.length) {
      element.append(el("h3", {}, "Plugins"));
      ui.table(element, {
        caption: "Plugins",
        rows: plugins,
        search: false,
        pageSize: 50,
        columns: [
          {key: "kind", label: "Kind", text: true},
          {key: "id", label: "Plugin", text: true},
          {key: "version", label: "Version", text: true},
          {key: "sdk", label: "SDK", text: true},
          {key: "file", label: "File", text: true, wide: true},
          {
            key: "sha256",
            label: "SHA-256",
            text: true,
            node: (value) =>
              el(
                "code",
                {title: value, dataset: {value}},
                value ? `${String(value).slice(0, 16)}…` : "–",
              ),
          },
        ],
      });
    }
    element.append(
      el(
        "details",
        {class: "block"},
        el("summary", {}, "Configuration"),
        el(
          "div",
          {class: "tree"},
          Object.entries(run.config).map(([key, value]) => tree(ui, value, key)),
        ),
      ),
    );
    requests(element, run, ui);
    texts(element, run, ui);
  },
};
