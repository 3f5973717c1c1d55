// The views of the report, in the order in which the page shows them.
import {searchOf} from "../analysis/load-search.js";
import {comparisonOf} from "../analysis/paired-comparison.js";
import {mostSides, sideCount} from "../analysis/what-changed.js";
import classes from "./classes.js";
import clientHealth from "./client-health.js";
import ecdfTail from "./ecdf-tail.js";
import errors from "./errors.js";
import frontier from "./frontier.js";
import headline from "./headline.js";
import loadSearch from "./load-search.js";
import latencyOverTime from "./latency-over-time.js";
import pairedComparison from "./paired-comparison.js";
import provenance from "./provenance.js";
import scatter from "./scatter.js";
import serverSeries from "./server-series.js";
import sideBySide from "./side-by-side.js";
import swimLanes from "./swim-lanes.js";
import throughputConcurrency from "./throughput-concurrency.js";
import tokenGaps from "./token-gaps.js";
import verdict from "./verdict.js";
import whatChanged from "./what-changed.js";

/** The views of a page of one run. @type {import("../ui/index.js").View[]} */
const views = [
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

/**
 * The view with the conclusion of the command that made the runs, or null. The runs of a search differ
 * in load on purpose, and a comparison has verdicts with known error rates, so such a page does not
 * have the view what-changed, which calls a run faster without such a rate.
 */
const conclusionView = (report) => searchOf(report) !== null ? loadSearch
  : comparisonOf(report) !== null ? pairedComparison : null;

/**
 * The views of a page. With several runs their comparison comes first; of a sweep the frontier says
 * more than its runs side by side.
 * @param {import("../data/model.js").Report} report
 * @returns {import("../ui/index.js").View[]}
 */
export function viewsOf(report) {
  const conclusion = conclusionView(report);
  if (report.runs.length < 2) return conclusion === null ? views : [conclusion, ...views];
  const sweep = sideCount(report) > mostSides && frontier.available(report) === true;
  const first = [conclusion ?? whatChanged, verdict, ...(sweep ? [frontier] : []), sideBySide];
  return [...first, ...views.filter((view) => !first.includes(view))];
}
