// Texts beside points, where they cover neither another text nor a labelled point.

const size = 10;
const lineHeight = 12;
const letter = 5.9; // about the mean width of a letter
const distance = 6;
const directions = [
  [1, -1],
  [-1, -1],
  [1, 1],
  [-1, 1],
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
];
// Finding room takes time in proportion to the square of the number.
const most = 400;

const beside = (at, direction, length) =>
  direction > 0 ? at + distance : direction < 0 ? at - distance - length : at - length / 2;
const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/**
 * Places for the labels of points.
 * @param {{x: number, y: number, text: string}[]} named
 * @param {{left: number, top: number, width: number, height: number}} plot
 * @returns {{x: number, y: number, lines: string[]}[]} left and base of the first line; labels
 *     without room are missing
 */
export function labelPlaces(named, plot) {
  const taken = named.slice(0, most).map(({x, y}) => [x - 3, y - 3, x + 3, y + 3]);
  const placed = [];
  for (const {x, y, text} of named.slice(0, most)) {
    const lines = text.split("\n");
    const width = letter * Math.max(...lines.map((line) => line.length));
    const height = lineHeight * lines.length;
    for (const [dx, dy] of directions) {
      const left = beside(x, dx, width),
        top = beside(y, dy, height);
      const box = [left, top, left + width, top + height];
      const inside =
        box[0] >= plot.left &&
        box[1] >= plot.top &&
        box[2] <= plot.left + plot.width &&
        box[3] <= plot.top + plot.height;
      if (!inside || taken.some((each) => overlap(each, box))) continue;
      taken.push(box);
      placed.push({x: left, y: top + size - 1, lines});
      break;
    }
  }
  return placed;
}

export function drawLabels(pen, plot, named) {
  if (!named.length) return;
  const colour = plot.colour("text"),
    halo = plot.colour("background");
  for (const {x, y, lines} of labelPlaces(named, plot))
    lines.forEach((line, i) => pen.text(x, y + i * lineHeight, line, colour, {size, halo}));
}
