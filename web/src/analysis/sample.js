// What a view says if the file has the rows of only some requests.

/**
 * @param {import("../data/model.js").Run} run
 * @param {(n: number) => string} count  the text of a number
 * @returns {string} "" if all requests have a row
 */
export function sampleText(run, count) {
  if (!(run.total > run.count)) return "";
  return `This file has the single times of ${count(run.count)} of the ${count(run.total)} requests: some drawn by lot, and the ` +
    "slowest. Slow requests are therefore more frequent here than in the run.";
}
