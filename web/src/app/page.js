// The page: header, contents, and the sections of the views.
import {labels} from "../analysis/side-by-side.js";
import {el} from "../ui/el.js";
import {format} from "../ui/format.js";
import {makeTimeRange} from "../ui/create.js";
import {makeTheme} from "../ui/theme.js";
import {Section} from "./section.js";

const sunAndMoon = "◐";

/** The head of the page, also of the timeline page. */
export function makeHeader(report, theme, tools = []) {
  const run = report.runs[0];
  const facts = [];
  if (report.runs.length > 1) facts.push(`${report.runs.length} runs`);
  else if (run?.description?.model_id) facts.push(String(run.description.model_id));
  const started = Math.min(...report.runs.map((each) => each.started_unix_ms).filter(Number.isFinite));
  if (Number.isFinite(started))
    facts.push(`${report.runs.length > 1 ? "first started " : ""}${format.date(started)}`);
  facts.push(report.generator);
  const button = el(
    "button",
    {
      type: "button",
      class: "small",
      title: "Light or dark theme",
      "aria-label": "Light or dark theme",
      onclick: () => theme.toggle(),
    },
    `${sunAndMoon} theme`,
  );
  return el(
    "header",
    {class: "page-head"},
    el("div", {class: "page-name"}, el("h1", {}, report.title), el("p", {}, facts.join(" · "))),
    el("div", {class: "page-tools"}, ...tools, button),
  );
}

/** A message in the place of the page, which is never blank. */
export function showMessage(root, title, text) {
  root.replaceChildren(
    el("main", {class: "message", role: "alert"}, el("h1", {}, title), el("p", {}, text)),
  );
}

/** @param {import("../ui/index.js").View[]} views */
export function makePage(root, report, views) {
  document.title = report.title;
  const theme = makeTheme();
  const timeRange = makeTimeRange();
  let selected = report.runs[0];
  const sections = new Map();

  function select(run) {
    if (run === selected) return;
    selected = run;
    if (picker) picker.value = String(run.index);
    timeRange.set(null);
    for (const section of sections.values()) section.runChanged(run);
    markContents();
    watch();
  }
  const page = {
    theme,
    timeRange,
    selected: () => selected,
    select,
    show: (id, argument) => sections.get(id)?.show(argument),
  };

  let picker = null;
  const tools = [];
  if (report.runs.length > 1) {
    picker = el(
      "select",
      {onchange: () => select(report.runs[Number(picker.value)])},
      labels(report.runs).map((name, i) => el("option", {value: i}, name)),
    );
    tools.push(el("label", {class: "choice"}, "details of run ", picker));
  }
  tools.push(
    el("button", {type: "button", class: "small", onclick: () => window.print()}, "print"),
  );

  for (const view of views) sections.set(view.id, new Section(view, report, page));
  const links = new Map(views.map((view) => [view.id, el("a", {href: `#${view.id}`}, view.title)]));
  const contents = el(
    "nav",
    {class: "contents", "aria-label": "Contents"},
    el(
      "ol",
      {},
      [...links.values()].map((link) => el("li", {}, link)),
    ),
  );
  function markContents() {
    for (const [id, link] of links) link.classList.toggle("empty", !sections.get(id).available);
  }
  markContents();
  root.replaceChildren(
    el("a", {class: "skip", href: `#${views[0]?.id}`}, "Skip to the content"),
    makeHeader(report, theme, tools),
    el(
      "div",
      {class: "page-body"},
      contents,
      el(
        "main",
        {},
        [...sections.values()].map((section) => section.element),
      ),
    ),
  );

  // The first two sections are drawn at once, the others when they are nearly visible.
  const first = [...sections.values()].slice(0, 2);
  const ready = Promise.all(first.map((section) => section.draw()));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        observer.unobserve(entry.target);
        sections.get(entry.target.id).draw();
      }
    },
    {rootMargin: "500px 0px"},
  );
  function watch() {
    for (const section of sections.values()) {
      observer.unobserve(section.element);
      if (section.available && !section.drawn) observer.observe(section.element);
    }
  }
  // The browser paints the first sections before it looks at the others.
  requestAnimationFrame(() => setTimeout(watch));

  const reading = new IntersectionObserver(
    (entries) => {
      for (const entry of entries)
        links.get(entry.target.id)?.classList.toggle("seen", entry.isIntersecting);
    },
    {rootMargin: "-20% 0px -55% 0px"},
  );
  for (const section of sections.values()) reading.observe(section.element);

  // The print has all sections, in the light theme. Rows that have been read by then are drawn
  // without waiting: promises are settled before the browser prints.
  addEventListener("beforeprint", () => {
    theme.print(true);
    const print = (section) => section.ui.print(true);
    for (const section of sections.values()) {
      if (section.drawn) print(section);
      else section.draw().then(() => printing && print(section));
    }
    printing = true;
  });
  let printing = false;
  addEventListener("afterprint", () => {
    printing = false;
    for (const section of sections.values()) section.ui.print(false);
    theme.print(false);
  });

  return {
    ready,
    /** Draws all sections: for tests and before printing. */
    draw: (id) => sections.get(id).draw(),
    drawAll: () => Promise.all([...sections.values()].map((section) => section.draw())),
    select,
    timeRange,
    theme,
  };
}
