// Runs that measured starts, as `inferbench sweep startup` gives them to the page, for tests.

const figure = (name, label, value, count) => ({name, title: label, label, unit: "s", value, median: value, count,
  min: value - 1, max: value + 1, std: 1, percentiles: [[10, value], [99, value]],
  flags: {summary: true, upstream: true, selected: true}});

/**
 * @param {string} label
 * @param {{cold: number, warm: number, phases?: object, facts?: any}} times  means in seconds; phases: of
 *     both kinds of starts; facts: the fact `startup`
 */
export function startRun(label, {cold, warm, phases = {}, facts = {}}) {
  const metrics = [figure("cold_startup_time", "Cold start", cold, 3), figure("warm_startup_time", "Warm start", warm, 5),
    ...Object.entries(phases).flatMap(([name, value]) => [figure(`cold_phase_${name}`, `Cold start, ${name}`, value, 3),
      figure(`warm_phase_${name}`, `Warm start, ${name}`, value, 5)])];
  return {name: label, label, title: label, started_unix_ms: 1, metrics, intervals: [], config: {}, description: {}, environment: {},
    interrupted: false, count: 0, total: 0, source: "", facts: {startup: facts},
    metric: (name) => metrics.find((each) => each.name === name)};
}
