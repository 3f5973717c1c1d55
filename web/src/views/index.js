// All views of the report, in the order in which the page shows them.
import classes from "./classes.js";
import clientHealth from "./client-health.js";
import ecdfTail from "./ecdf-tail.js";
import errors from "./errors.js";
import frontier from "./frontier.js";
import headline from "./headline.js";
import latencyOverTime from "./latency-over-time.js";
import provenance from "./provenance.js";
import scatter from "./scatter.js";
import serverSeries from "./server-series.js";
import sideBySide from "./side-by-side.js";
import swimLanes from "./swim-lanes.js";
import throughputConcurrency from "./throughput-concurrency.js";
import tokenGaps from "./token-gaps.js";
import verdict from "./verdict.js";

/** @type {import("../ui/index.js").View[]} */
export default [
  verdict,
  headline,
  latencyOverTime,
  throughputConcurrency,
  sideBySide,
  ecdfTail,
  frontier,
  swimLanes,
  errors,
  clientHealth,
  scatter,
  serverSeries,
  tokenGaps,
  classes,
  provenance,
];
