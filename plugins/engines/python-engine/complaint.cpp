#include "complaint.hpp"

#include <array>
#include <cstdio>

#include <signal.h>
#include <sys/wait.h>

#include "output_tail.hpp"
#include "worker_process.hpp"

namespace python_engine {

namespace {

// An ifb_error has 1,016 bytes, and the first line must fit whole.
constexpr std::size_t most_of_line = 480;
constexpr std::size_t most_of_output = 500;

const char* words_of(phase at) {
  switch (at) {
    case phase::starting: return "while it started";
    case phase::loading: return "while the engine was being loaded";
    case phase::idle: return "between two batches";
    case phase::batch: return "in the middle of a batch";
    case phase::traffic: return "during traffic of single requests";
    case phase::stopping: return "while it was being stopped";
  }
  return "";
}

/// The last whole lines of the output that fit.
std::string output_of(const worker_facts& worker) {
  if (worker.last_lines.empty()) return "; it has printed nothing";
  std::string_view lines = worker.last_lines;
  if (lines.size() > most_of_output) {
    lines.remove_prefix(lines.size() - most_of_output);
    const std::size_t end = lines.find('\n');
    if (end != std::string_view::npos) lines.remove_prefix(end + 1);
  }
  return "; the last lines of its output:\n" + std::string(lines);
}

ifb::failure made(ifb_status code, const std::string& line, const worker_facts& worker,
                  std::string_view option = {}) {
  return {code, std::string(ifb::cut_utf8(line, most_of_line)) + output_of(worker),
          std::string(option)};
}

/// A failure whose reason the worker has sent; its output may say more.
ifb::failure reported(ifb_status code, const std::string& line, const worker_facts& worker,
                      std::string_view option = {}) {
  if (!worker.last_lines.empty()) return made(code, line, worker, option);
  return {code, std::string(ifb::cut_utf8(line, most_of_line)), std::string(option)};
}

std::string with_exception(const std::string& line, const worker_facts& worker) {
  return worker.exception.empty() ? line : line + ": " + clean_line(worker.exception, 240);
}

std::string seconds(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g s", value);
  return text.data();
}

ifb::failure about_import(const error_message& error, const worker_facts& worker) {
  if (error.package.empty())
    return reported(
        IFB_E_CONFIG,
        "the worker in " + worker.interpreter + " cannot start the engine: " + error.text +
            "; --engine-adapter names the adapter, and --python the Python in which the "
            "engine is installed",
        worker, "python");
  return reported(IFB_E_CONFIG,
                  "the Python " + worker.interpreter + " does not have the package " +
                      error.package + ": " + error.text + "; install it (" + worker.interpreter +
                      " -m pip install " + error.package +
                      "), or name another Python with --python",
                  worker, "python");
}

}  // namespace

ifb::failure about_error(const error_message& error, const worker_facts& worker) {
  error_message e = error;
  e.text = clean_line(error.text, 300);
  if (e.kind == "import") return about_import(e, worker);
  if (e.kind == "option")
    return reported(IFB_E_CONFIG,
                    "the engine refuses " +
                        (e.option.empty() ? "its options" : "the option " + e.option) + ": " +
                        e.text,
                    worker, "engine");
  if (e.kind == "memory")
    return reported(IFB_E_MEMORY,
                    std::string("out of memory ") + words_of(worker.at) + ": " + e.text +
                        "; give the engine less to hold (a smaller model, a shorter max-model-len, "
                        "fewer sequences), or end other users of the memory",
                    worker);
  if (e.kind == "load")
    return reported(IFB_E_REMOTE, "the engine could not be loaded: " + e.text, worker);
  // The engine still runs, so its output has no part in this.
  if (e.kind == "unsupported") return {IFB_E_UNSUPPORTED, "the engine cannot do this: " + e.text};
  if (e.kind == "cancelled") return {IFB_E_CANCELLED, "the batch was cancelled"};
  if (e.kind == "run") return reported(IFB_E_REMOTE, "the engine failed: " + e.text, worker);
  if (e.kind == "protocol")
    return reported(IFB_E_INTERNAL,
                    "the worker refuses the frame " + (e.frame.empty() ? "of the host" : e.frame) +
                        (e.field.empty() ? "" : ", field " + e.field) + ": " + e.text +
                        "; a sample is malformed, or worker and plugin are of different versions",
                    worker);
  return reported(IFB_E_REMOTE, "the worker failed: " + e.text, worker);
}

ifb::failure about_end(int wait_status, const worker_facts& worker) {
  std::string line =
      "the worker (" + worker.interpreter + ") ended with " + status_text(wait_status) + " ";
  line = with_exception(line + words_of(worker.at), worker);
  const bool started = worker.at != phase::starting;
  if (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL)
    return made(IFB_E_MEMORY,
                line +
                    "; the system does this when its memory is exhausted (see dmesg): give the "
                    "engine less to hold, or the machine more memory",
                worker);
  if (!started)
    return made(IFB_E_CONFIG,
                line +
                    "; --python must name an interpreter of Python 3.8 or later in which the "
                    "engine is installed",
                worker, "python");
  return made(IFB_E_IO, line, worker);
}

ifb::failure about_closed_socket(const worker_facts& worker) {
  return made(IFB_E_PROTOCOL,
              std::string("the worker closed its socket ") + words_of(worker.at) +
                  " without an error and was killed; nothing in an adapter may close descriptor 3",
              worker);
}

ifb::failure about_silence(std::string_view awaited, double limit_s, std::string_view option,
                           const worker_facts& worker) {
  return made(IFB_E_TIMEOUT,
              "the worker has not sent the frame " + std::string(awaited) + " within " +
                  seconds(limit_s) + " " + words_of(worker.at) +
                  " and was killed; if the engine needs longer, raise --python-engine-" +
                  std::string(option),
              worker, option);
}

ifb::failure about_violation(const ifb::failure& found, const worker_facts& worker) {
  return made(found.code(), "the worker violates the protocol: " + found.message(), worker);
}

}  // namespace python_engine
