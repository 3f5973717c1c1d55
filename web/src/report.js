// The page of the reporter html.
import {contentOf} from "./app/text.js";
import {makePage, showMessage} from "./app/page.js";
import {readReport} from "./data/model.js";
import {viewsOf} from "./views/index.js";

const root = document.getElementById("app");
addEventListener("unhandledrejection", (event) => console.error(event.reason));
try {
  const report = readReport(contentOf);
  if (report.runs.length === 0) {
    showMessage(root, report.title, "This report has no run.");
  } else {
    const page = makePage(root, report, viewsOf(report));
    page.ready.then(() => {
      document.documentElement.dataset.ready = "";
      performance.mark("ready");
    });
    // For tests, and for readers who want to go on with the data in the console.
    window.inferbench = {report, ...page};
  }
} catch (error) {
  console.error(error);
  showMessage(root, "The report cannot be shown", error.message);
}
