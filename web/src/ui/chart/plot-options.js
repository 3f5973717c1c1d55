// The options of uPlot for a chart whose series are drawn by marks.js.

const font = "11px system-ui, sans-serif";
// Axes of one column of charts have the same width, unless a text is longer.
const leastAxisWidth = 58;

/** Own ticks of an axis: those of the spec, or those of its shape. */
function ticksOf(axis, most) {
  const {ticks} = axis.own;
  const own = axis.splits ?? (ticks ? (low, high) => ticks(low, high, most()) : null);
  return own ? {splits: (u, i, low, high) => own(low, high), filter: (u, splits) => splits} : {};
}

/**
 * @param {object} spec  of normalise()
 * @param {object} chart
 * @param {number} chart.width
 * @param {(name: string) => () => string} chart.colour
 * @param {() => [number, number]} chart.rangeX
 * @param {(scale: string) => [number, number]} chart.rangeY
 * @param {(u: object) => void} chart.below  draws below the axes
 * @param {(u: object) => void} chart.above  draws above the axes
 * @param {(from: number, to: number) => void} chart.selected
 * @param {() => void} chart.reset
 */
export function plotOptions(spec, chart) {
  const {colour} = chart;
  const shaped = ({own}) => ({distr: own.distr, fwd: own.to, bwd: own.from});
  const scales = {x: {time: false, ...shaped(spec.x), range: chart.rangeX}};
  for (const axis of spec.y)
    scales[axis.scale] = {...shaped(axis), range: () => chart.rangeY(axis.scale)};

  const common = {stroke: colour("muted"), font, ticks: {show: false}, border: {show: false}};
  const grid = {show: true, stroke: colour("grid"), width: 1};
  const values = (axis) => (u, splits) => splits.map((v) => (v === null ? "" : axis.format(v)));
  const axes = [
    {
      ...common,
      scale: "x",
      size: 36,
      gap: 4,
      space: 70,
      values: values(spec.x),
      grid,
      ...ticksOf(spec.x, () => chart.width / 70),
    },
  ];
  spec.y.forEach((axis, i) =>
    axes.push({
      ...common,
      scale: axis.scale,
      side: i ? 1 : 3,
      gap: 6,
      space: 34,
      values: values(axis),
      size: (u, texts) => {
        const longest = Math.max(0, ...(texts ?? []).map((text) => text?.length ?? 0));
        return Math.max(leastAxisWidth, 16 + 6.4 * longest);
      },
      grid: {...grid, show: i === 0},
      ...ticksOf(axis, () => spec.height / 30),
    }),
  );

  const cursor = {
    y: false,
    points: {show: false},
    drag: {x: true, y: false, setScale: false, dist: 4},
    bind: {dblclick: () => () => (chart.reset(), null)},
  };
  if (spec.x.time) {
    // Charts over time share the place of the pointer, and no selection.
    cursor.sync = {
      key: "time",
      setSeries: false,
      scales: ["x", null],
      filters: {pub: (type) => type === "mousemove" || type === "mouseleave"},
    };
  }
  return {
    width: chart.width,
    height: spec.height,
    scales,
    axes,
    cursor,
    legend: {show: false},
    padding: [22, 14, 0, 0],
    // uPlot's own series draw nothing.
    series: [
      {},
      ...spec.y.map((axis) => ({
        scale: axis.scale,
        paths: () => null,
        points: {show: false},
      })),
    ],
    hooks: {
      drawClear: [chart.below],
      draw: [chart.above],
      setSelect: [
        (u) => {
          const {left, width} = u.select;
          if (width >= 4) chart.selected(u.posToVal(left, "x"), u.posToVal(left + width, "x"));
        },
      ],
    },
  };
}
