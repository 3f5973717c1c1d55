// Makes a report file with synthetic data, in the encoding of plugins/reporters/pages.
// Usage: node web/tests/make_report.mjs [--requests N] [--runs N] [--sessions N] [--errors SHARE]
//   [--no-tokens] [--no-series] [--hostile] [--client-limited] [--interrupted] [--axis]
//   [--threshold-fails] [--most-gaps N] [--page FILE] [--out FILE]
// --axis: the runs are points of a sweep over the request rate. --page: the built page (default
// web/pages/report.html). --out: default /tmp/report.html.
import {readFileSync, writeFileSync} from "node:fs";
import {fileURLToPath} from "node:url";
import {parseArgs} from "node:util";

import {columns, encodeRows, fillPage} from "./encode.mjs";
import {makeFacts} from "./facts.mjs";
import {makeMetrics} from "./metrics.mjs";
import {makeRows, randomness} from "./synthetic.mjs";

const started = 1795574073833;

function gapsOf(rows, most, seed) {
  const total = rows.reduce((sum, row) => sum + row.gaps.length, 0);
  const edges = [0, 5, 10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 500, 1000, 5000];
  const counts = new Array(edges.length - 1).fill(0);
  for (const row of rows) {
    for (const gap of row.gaps) {
      let at = 0;
      while (at + 1 < counts.length && gap / 1000 >= edges[at + 1]) ++at;
      ++counts[at];
    }
  }
  const facts = {
    kind: total ? "all" : "none",
    kept: total,
    total,
    histogram: {edges_ms: edges, counts},
  };
  let lists = total ? rows.map((row) => row.gaps) : [];
  if (total > most) {
    const random = randomness(seed);
    const by = rows.map((row, i) => i).sort((a, b) => (rows[b].end ?? 0) - (rows[a].end ?? 0));
    const kept = new Set(by.slice(0, 1000));
    for (let tries = 0; tries < 1000; ++tries) kept.add(Math.floor(random() * rows.length));
    facts.rows = [...kept].sort((a, b) => a - b);
    facts.kind = "some";
    lists = facts.rows.map((i) => rows[i].gaps);
    facts.kept = lists.reduce((sum, list) => sum + list.length, 0);
  }
  return {facts, lists};
}

function makeRun(options, index, blobs) {
  const rate = options.axis ? [5, 10, 20, 30, 40, 50][index % 6] : (options.rate ?? 25);
  const seed = (options.seed ?? 1) + index;
  const slowdown = (options.slowdown ?? 1) * (options.axis ? 1 : 1 + 0.15 * index);
  const {rows, strings} = makeRows({...options, rate, seed, slowdown});
  const id = `rows-${index}`;
  const gaps = gapsOf(rows, options.mostGaps ?? 2e6, seed);
  blobs[id] = encodeRows(rows, gaps.lists);
  const name = `inferbench-20261125-0234${33 + index}-679`;
  const model = options.hostile ? "<script>window.hacked=1</script>" : "meta-llama/Llama-3.1-8B";
  const texts = rows
    .map((row, i) => (row.error ? {row: i, text: "", error: strings.error[row.error - 1]} : null))
    .filter(Boolean)
    .slice(0, 20);
  if (options.hostile && rows.length)
    texts.push({row: 0, prompt: "<b>x</b>", text: "<svg onload=alert(1)>", error: ""});
  const duration = rows.reduce((most, row) => Math.max(most, row.start + (row.end ?? 0)), 0) / 1e6;
  return {
    name,
    label: options.runs > 1 ? `${index ? "candidate" : "baseline"} ${index || ""}`.trim() : "",
    source: `results/${name}.journal`,
    started_unix_ms: started + 600e3 * index,
    finished_unix_ms: started + 600e3 * index + Math.round(duration * 1000),
    interrupted: Boolean(options.interrupted),
    replayed: index > 0,
    description: {
      endpoint_type: "vllm",
      backend: "vllm",
      label: null,
      model_id: model,
      tokenizer_id: model,
      num_prompts: options.requests,
      planned: options.requests,
      request_rate: rate,
      burstiness: 1,
      max_concurrency: index ? 256 : null,
      task: options.tokens === false ? "pooling" : "generation",
      flags: {model, "request-rate": rate, ...(index ? {"max-concurrency": 256} : {})},
    },
    config: {
      run: {seed, "num-runs": 1, "save-result": true},
      server: {"base-url": strings.server},
      backend: {use: "vllm", model, endpoint: "/v1/completions"},
      dataset: {
        use: "random",
        "num-prompts": options.requests,
        "random-input-len": 1024,
        "random-output-len": options.output ?? 128,
        salt: null,
      },
      load: {"request-rate": rate, burstiness: 1, "max-concurrency": index ? 256 : null},
      metrics: {
        "percentile-metrics": ["ttft", "tpot", "itl", "e2el"],
        "metric-percentiles": [50, 90, 99, 99.9],
      },
      reporter: [{use: "console"}, {use: "html"}],
    },
    environment: {
      inferbench: {version: "0.1.0", compiler: "g++ 12.2.0"},
      machine: {
        host: "bench-01",
        system: "Linux 6.8.0-45-generic",
        architecture: "x86_64",
        cpu: "AMD EPYC 9354 32-Core Processor",
        cores: 64,
        memory: "263802112 kB",
      },
      plugins: [
        ["backend", "openai", "9f"],
        ["dataset", "random", "3c"],
        ["reporter", "html", "a1"],
      ].map(([kind, id, digits]) => ({
        kind,
        id,
        version: "0.1.0",
        file: `plugins/${kind}s/${id}.so`,
        sha256: digits.repeat(32),
        sdk: "c++ 0.1.0, g++ 12.2.0",
      })),
    },
    command:
      `inferbench serve --backend vllm --model ${model} --base-url ${strings.server[0]} ` +
      `--dataset-name random --num-prompts ${options.requests} --request-rate ${rate}` +
      (index ? " --max-concurrency 256" : "") +
      " --reporter html",
    axes: options.axis ? {request_rate: rate, tensor_parallel: index < 6 ? 1 : 2} : {},
    point: index,
    metrics: makeMetrics(rows, duration),
    facts: makeFacts(rows, strings, duration, {...options, seed, rate}),
    rows: {id, count: rows.length, columns, strings, gaps: gaps.facts, class_limits_ms: [25, 50]},
    texts,
  };
}

/** Returns {report, blobs}: the JSON of the page and the base64 of each run's rows. */
export function makeReport(options) {
  const blobs = {};
  const runs = [];
  const count = options.runs ?? 1;
  for (let i = 0; i < count; ++i) runs.push(makeRun({...options, runs: count}, i, blobs));
  const title =
    options.title ??
    (options.hostile ? "</title><script>window.hacked=1</script>" : "vllm at 25 req/s");
  const figure = (run, name) => run.metrics.find((metric) => metric.name === name)?.value ?? null;
  return {
    report: {
      format: 1,
      generator: "inferbench 0.1.0",
      title,
      kind: count > 1 ? "table" : "run",
      ...(options.facts ? {facts: options.facts} : {}),
      texts: 0,
      axes: options.axis
        ? [
            {name: "request_rate", unit: "req/s"},
            {name: "tensor_parallel", unit: "1"},
          ]
        : [],
      points:
        count > 1
          ? runs.map((run, i) => ({
              axes: run.axes,
              runs: [i],
              figures: run.metrics.map((metric) => ({
                name: metric.name,
                statistic: "mean",
                unit: metric.unit,
                value: metric.value,
                low: metric.value === null ? null : metric.value * 0.97,
                high: metric.value === null ? null : metric.value * 1.03,
                runs: 1,
              })),
              facts: {
                unstable:
                  (figure(run, "request_throughput") ?? 0) < 0.9 * run.config.load["request-rate"],
              },
            }))
          : [],
      runs,
    },
    blobs,
  };
}

/** Returns the text of a page with a synthetic report. */
export function makePage(options, page) {
  const {report, blobs} = makeReport(options);
  return fillPage(page, report, blobs);
}

export const builtPage = fileURLToPath(new URL("../pages/report.html", import.meta.url));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const {values} = parseArgs({
    options: {
      requests: {type: "string", default: "2000"},
      runs: {type: "string", default: "1"},
      sessions: {type: "string", default: "0"},
      errors: {type: "string", default: "0.01"},
      seed: {type: "string", default: "1"},
      rate: {type: "string"},
      output: {type: "string"},
      "most-gaps": {type: "string", default: "2000000"},
      "no-tokens": {type: "boolean"},
      "no-series": {type: "boolean"},
      hostile: {type: "boolean"},
      "client-limited": {type: "boolean"},
      interrupted: {type: "boolean"},
      axis: {type: "boolean"},
      "threshold-fails": {type: "boolean"},
      page: {type: "string", default: builtPage},
      out: {type: "string", default: "/tmp/report.html"},
    },
  });
  const number = (text) => (text === undefined ? undefined : Number(text));
  const text = makePage(
    {
      requests: number(values.requests),
      runs: number(values.runs),
      sessions: number(values.sessions),
      errors: number(values.errors),
      seed: number(values.seed),
      rate: number(values.rate),
      output: number(values.output),
      mostGaps: number(values["most-gaps"]),
      tokens: !values["no-tokens"],
      series: !values["no-series"],
      hostile: values.hostile,
      clientLimited: values["client-limited"],
      interrupted: values.interrupted,
      axis: values.axis,
      thresholdFails: values["threshold-fails"],
    },
    readFileSync(values.page, "utf8"),
  );
  writeFileSync(values.out, text);
  console.log(`${values.out}: ${text.length} bytes`);
}
