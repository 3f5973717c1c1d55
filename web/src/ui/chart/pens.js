// Two ways to draw the same shapes: on a canvas and as SVG. Lengths are CSS pixels.

const escape = (text) =>
  String(text)
    .replace(/[&<>"]/g, (c) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[c])
    // Characters that XML forbids would make the file unreadable.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
const short = (value) => (Math.round(value * 100) / 100).toString();

/** The outline of a marker around (x, y) as a list of closed polygons, or null for a circle. */
function outline(marker, x, y, r) {
  switch (marker) {
    case "square":
      return [
        [x - r, y - r],
        [x + r, y - r],
        [x + r, y + r],
        [x - r, y + r],
      ];
    case "diamond":
      return [
        [x, y - 1.3 * r],
        [x + 1.3 * r, y],
        [x, y + 1.3 * r],
        [x - 1.3 * r, y],
      ];
    case "triangle":
      return [
        [x, y - 1.2 * r],
        [x + 1.2 * r, y + r],
        [x - 1.2 * r, y + r],
      ];
    default:
      return null;
  }
}

export class CanvasPen {
  /** @param {CanvasRenderingContext2D} context  @param {number} ratio  device pixels per CSS pixel */
  constructor(context, ratio) {
    this.c = context;
    this.ratio = ratio;
  }

  begin(x, y, width, height) {
    this.c.save();
    this.c.scale(this.ratio, this.ratio);
    this.c.beginPath();
    this.c.rect(x, y, width, height);
    this.c.clip();
  }

  end() {
    this.c.restore();
  }

  /** lines: lists of [x0, y0, x1, y1, ...] */
  lines(lines, colour, width, dash = null, alpha = 1) {
    const c = this.c;
    c.globalAlpha = alpha;
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.lineJoin = "round";
    c.setLineDash(dash ?? []);
    c.beginPath();
    for (const line of lines) {
      c.moveTo(line[0], line[1]);
      for (let i = 2; i < line.length; i += 2) c.lineTo(line[i], line[i + 1]);
    }
    c.stroke();
    c.setLineDash([]);
    c.globalAlpha = 1;
  }

  /** polygons: lists of [x0, y0, ...] */
  fill(polygons, colour, alpha = 1) {
    const c = this.c;
    c.globalAlpha = alpha;
    c.fillStyle = colour;
    c.beginPath();
    for (const polygon of polygons) {
      c.moveTo(polygon[0], polygon[1]);
      for (let i = 2; i < polygon.length; i += 2) c.lineTo(polygon[i], polygon[i + 1]);
      c.closePath();
    }
    c.fill();
    c.globalAlpha = 1;
  }

  /** places: [x0, y0, x1, y1, ...] */
  markers(places, marker, size, colour, alpha = 1) {
    const c = this.c;
    const r = size / 2;
    c.globalAlpha = alpha;
    c.fillStyle = c.strokeStyle = colour;
    c.lineWidth = 1.5;
    c.beginPath();
    for (let i = 0; i < places.length; i += 2) {
      const x = places[i],
        y = places[i + 1];
      if (marker === "cross") {
        (c.moveTo(x - r, y - r),
          c.lineTo(x + r, y + r),
          c.moveTo(x - r, y + r),
          c.lineTo(x + r, y - r));
        continue;
      }
      const corners = outline(marker, x, y, r);
      if (corners) {
        corners.forEach(([a, b], k) => (k ? c.lineTo(a, b) : c.moveTo(a, b)));
        c.closePath();
      } else if (size <= 2.5) {
        c.rect(x - r, y - r, size, size);
      } else {
        c.moveTo(x + r, y);
        c.arc(x, y, r, 0, 2 * Math.PI);
      }
    }
    if (marker === "ring" || marker === "cross") c.stroke();
    else c.fill();
    c.globalAlpha = 1;
  }

  /** halo: a colour around the letters, so that they can be read on marks */
  text(x, y, text, colour, {align = "left", size = 11, weight = "normal", halo = null} = {}) {
    const c = this.c;
    c.font = `${weight} ${size}px system-ui, sans-serif`;
    c.fillStyle = colour;
    c.textAlign = align === "middle" ? "center" : align;
    c.textBaseline = "alphabetic";
    if (halo) {
      c.strokeStyle = halo;
      c.lineWidth = 3;
      c.lineJoin = "round";
      c.strokeText(text, x, y);
    }
    c.fillText(text, x, y);
  }
}

export class SvgPen {
  constructor(width, height, title) {
    this.parts = [];
    this.width = width;
    this.height = height;
    this.title = title;
    this.clips = 0;
    // Several drawings may be in one document.
    this.id = `c${(SvgPen.made = (SvgPen.made ?? 0) + 1)}`;
  }

  begin(x, y, width, height) {
    const id = `${this.id}-${++this.clips}`;
    this.parts.push(
      `<clipPath id="${id}"><rect x="${short(x)}" y="${short(y)}" width="${short(width)}" ` +
        `height="${short(height)}"/></clipPath><g clip-path="url(#${id})">`,
    );
  }

  end() {
    this.parts.push("</g>");
  }

  static #path(line, closed) {
    let text = `M${short(line[0])} ${short(line[1])}`;
    for (let i = 2; i < line.length; i += 2) text += `L${short(line[i])} ${short(line[i + 1])}`;
    return closed ? `${text}Z` : text;
  }

  lines(lines, colour, width, dash = null, alpha = 1) {
    if (!lines.length) return;
    const d = lines.map((line) => SvgPen.#path(line, false)).join("");
    this.parts.push(
      `<path d="${d}" fill="none" stroke="${escape(colour)}" stroke-width="${width}" stroke-linejoin="round"` +
        (dash ? ` stroke-dasharray="${dash.join(" ")}"` : "") +
        (alpha < 1 ? ` stroke-opacity="${short(alpha)}"` : "") +
        "/>",
    );
  }

  fill(polygons, colour, alpha = 1) {
    if (!polygons.length) return;
    const d = polygons.map((polygon) => SvgPen.#path(polygon, true)).join("");
    this.parts.push(
      `<path d="${d}" fill="${escape(colour)}"${alpha < 1 ? ` fill-opacity="${short(alpha)}"` : ""}/>`,
    );
  }

  markers(places, marker, size, colour, alpha = 1) {
    if (!places.length) return;
    const r = size / 2;
    let d = "";
    let stroked = marker === "ring" || marker === "cross";
    for (let i = 0; i < places.length; i += 2) {
      const x = places[i],
        y = places[i + 1];
      const corners = outline(marker, x, y, r);
      if (marker === "cross")
        d += `M${short(x - r)} ${short(y - r)}l${size} ${size}m0 ${-size}l${-size} ${size}`;
      else if (corners) d += SvgPen.#path(corners.flat(), true);
      else if (marker === "ring")
        d += `M${short(x - r)} ${short(y)}a${r} ${r} 0 1 0 ${size} 0a${r} ${r} 0 1 0 ${-size} 0`;
      else d += `M${short(x)} ${short(y)}h0`; // a dot is a line of no length with round ends
    }
    const opacity = alpha < 1 ? ` opacity="${short(alpha)}"` : "";
    if (!stroked && !outline(marker, 0, 0, 1))
      this.parts.push(
        `<path d="${d}" stroke="${escape(colour)}" stroke-width="${size}" stroke-linecap="round"${opacity}/>`,
      );
    else if (stroked)
      this.parts.push(
        `<path d="${d}" fill="none" stroke="${escape(colour)}" stroke-width="1.5"${opacity}/>`,
      );
    else this.parts.push(`<path d="${d}" fill="${escape(colour)}"${opacity}/>`);
  }

  text(x, y, text, colour, {align = "left", size = 11, weight = "normal", halo = null} = {}) {
    const anchor = {left: "start", middle: "middle", right: "end"}[align];
    this.parts.push(
      `<text x="${short(x)}" y="${short(y)}" fill="${escape(colour)}" text-anchor="${anchor}" font-size="${size}"` +
        (weight === "normal" ? "" : ` font-weight="${weight}"`) +
        (halo
          ? ` paint-order="stroke" stroke="${escape(halo)}" stroke-width="3" stroke-linejoin="round"`
          : "") +
        `>${escape(text)}</text>`,
    );
  }

  toString() {
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}" ` +
      `viewBox="0 0 ${this.width} ${this.height}" font-family="system-ui, sans-serif" role="img">` +
      `<title>${escape(this.title)}</title>${this.parts.join("")}</svg>`
    );
  }
}
