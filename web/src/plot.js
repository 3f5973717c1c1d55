// The page of `inferbench sweep plot` and `plot_pareto`: a section for each figure.
import {readPlots} from "./analysis/plots.js";
import {makePage, showMessage} from "./app/page.js";
import {contentOf} from "./app/text.js";
import {plotView} from "./views/plot.js";

const root = document.getElementById("app");
addEventListener("unhandledrejection", (event) => console.error(event.reason));
try {
  const plots = readPlots(contentOf);
  if (plots.figures.length === 0) {
    showMessage(root, plots.title, "This page has no figure.");
  } else {
    const report = {title: plots.title, generator: plots.generator, runs: []};
    const page = makePage(root, report, plots.figures.map(plotView));
    page.ready.then(() => {
      document.documentElement.dataset.ready = "";
      performance.mark("ready");
    });
    // For tests, and for readers who want to go on with the data in the console.
    window.inferbench = {plots, ...page};
  }
} catch (error) {
  console.error(error);
  showMessage(root, "The plots cannot be shown", error.message);
}
