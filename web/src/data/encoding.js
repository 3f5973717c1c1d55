// Reads the rows of a run: base64 of a zlib stream of LEB128 numbers.

/** A problem of the file, with a text for the reader of the page. */
export class DamagedFile extends Error {}

/** @returns {Uint8Array} */
export function bytesOfBase64(text) {
  try {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
    return bytes;
  } catch {
    throw new DamagedFile("The rows of the requests are not valid base64.");
  }
}

/** Inflates a zlib stream. @returns {Promise<Uint8Array>} */
export async function inflate(bytes) {
  if (typeof DecompressionStream === "undefined")
    throw new DamagedFile(
      "This browser has no DecompressionStream, which reads the rows of the " +
        "requests: it is too old. Chromium 80, Firefox 113 and Safari 16.4 have it.",
    );
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  try {
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new DamagedFile("The compressed rows of the requests are cut or damaged.");
  }
}

/** 0, -1, 1, -2, ... for 0, 1, 2, 3, ... */
const unzigzag = (code) => (code % 2 ? -(code + 1) / 2 : code / 2);

/** Reads LEB128 numbers: seven bits per byte, the lowest first, the top bit: more follow. */
export class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  /** Numbers have up to 53 bits. */
  varint() {
    const bytes = this.bytes;
    let byte = bytes[this.at++];
    if (byte < 128) return byte;
    let value = 0,
      unit = 1;
    for (;;) {
      if (byte === undefined) throw new DamagedFile("The rows of the requests end too early.");
      value += (byte & 127) * unit;
      if (byte < 128) break;
      unit *= 128;
      if (unit > 2 ** 56)
        throw new DamagedFile("The rows of the requests have a number that is too large.");
      byte = bytes[this.at++];
    }
    return value;
  }

  zigzag() {
    return unzigzag(this.varint());
  }
}

/**
 * Reads one column without its scale. Missing values of an "optional" column become NaN. The values
 * of a column that is relative to another are stored as zigzag of the difference; a missing value
 * of the other counts as 0.
 * @param {Reader} reader
 * @param {{name: string, type: string}} column
 * @param {Float64Array | undefined} base  the other column, without its scale
 * @returns {Float64Array}
 */
export function readColumn(reader, column, count, base) {
  const values = new Float64Array(count);
  const origin = (i) => base[i] || 0;
  if (column.type === "delta") {
    let before = 0;
    for (let i = 0; i < count; ++i) values[i] = before += reader.zigzag();
  } else if (column.type === "plain") {
    for (let i = 0; i < count; ++i)
      values[i] = base ? origin(i) + reader.zigzag() : reader.varint();
  } else if (column.type === "optional") {
    for (let i = 0; i < count; ++i) {
      const code = reader.varint();
      values[i] = code === 0 ? NaN : base ? origin(i) + unzigzag(code - 1) : code - 1;
    }
  } else {
    throw new DamagedFile(
      `A newer inferbench wrote this page: its column ${column.name} has the ` +
        `unknown type ${column.type}.`,
    );
  }
  return values;
}

/** @returns values * scale, as a new array if there is a scale */
export function scaled(values, scale = 1) {
  if (scale === 1) return values;
  // Dividing by 1000 gives the double that is nearest to the decimal number; multiplying by 0.001
  // does not always.
  const divisor = Math.round(1 / scale);
  const divides = scale < 1 && Math.abs(divisor * scale - 1) < 1e-12;
  return divides ? values.map((value) => value / divisor) : values.map((value) => value * scale);
}
