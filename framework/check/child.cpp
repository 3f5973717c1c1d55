#include "check/child.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.hpp"
#include "base/error.hpp"
#include "base/fd.hpp"
#include "base/text.hpp"
#include "check/subject.hpp"
#include "check/test.hpp"

extern char** environ;

namespace inferbench::check {

namespace {

using steady = std::chrono::steady_clock;

constexpr int answer_fd = 3;
constexpr std::size_t most_output = 4U * 1024U * 1024U;
// Time for the child to print the plugin function that it is in.
constexpr auto grace = std::chrono::milliseconds(500);

// The environment of a child; nullopt: the environment of this process.
std::optional<std::vector<std::string>> environment(bool exact_heap) {
  if (!exact_heap) return std::nullopt;
  std::vector<std::string> out;
  for (char** each = environ; *each != nullptr; ++each)
    if (!std::string_view(*each).starts_with("GLIBC_TUNABLES=")) out.emplace_back(*each);
  out.emplace_back(exact_heap_variable);
  return out;
}

std::string last_line_with(const std::string& output, std::string_view part) {
  const auto at = output.rfind(part);
  if (at == std::string::npos) return {};
  const auto end = output.find('\n', at);
  return base::valid_utf8(std::string_view(output).substr(at, end - at));
}

// The situation that the test makes on purpose, for a crash in it; empty for most tests.
std::string trap_of(const std::string& name) {
  const auto all = tests();
  const auto at = std::ranges::find_if(all, [&](const test& t) { return name == t.name; });
  return at == all.end() ? std::string() : at->trap;
}

}  // namespace

std::string cause_of_death(int status, const std::string& output) {
  constexpr std::string_view own = "inferbench: ";
  for (const std::string_view mark :
       {"ERROR: AddressSanitizer", "WARNING: ThreadSanitizer", "ERROR: LeakSanitizer",
        "runtime error:", "ThreadSanitizer:", "ASan runtime does not come first"}) {
    const std::string line = last_line_with(output, mark);
    if (!line.empty()) return line;
  }
  const std::string line = last_line_with(output, own);
  if (!line.empty() && line.find("crash") != std::string::npos) return line.substr(own.size());
  if (WIFSIGNALED(status)) return "died of " + base::signal_text(WTERMSIG(status));
  return "ended the process with status " + std::to_string(WEXITSTATUS(status));
}

outcome run_in_child(const task& given, const std::vector<std::string>& words) {
  base::pipe_ends answer_pipe = base::make_pipe();
  base::pipe_ends output_pipe = base::make_pipe();
  base::child_setup setup{.words = words};
  setup.words.push_back(to_json(given));
  setup.descriptors = {{STDOUT_FILENO, output_pipe.writing.get()},
                       {STDERR_FILENO, output_pipe.writing.get()},
                       {answer_fd, answer_pipe.writing.get()}};
  setup.environment = environment(std::string_view(given.test).ends_with("growth"));
  const auto began = steady::now();
  base::child_process child(setup);
  answer_pipe.writing.reset();
  output_pipe.writing.reset();
  std::array<base::child_output, 2> from = {
      base::child_output{.reading = std::move(answer_pipe.reading), .most = most_output},
      base::child_output{.reading = std::move(output_pipe.reading), .most = most_output}};
  const std::string& answer = from[0].text;
  std::string& output = from[1].text;
  const auto deadline = began + given.limit;
  const bool in_time = base::read_all(from, deadline) && child.wait_until(deadline);
  if (!in_time) {
    // On SIGABRT the child prints the plugin function that it is in.
    child.signal(SIGABRT);
    static_cast<void>(base::read_all(from, steady::now() + grace));
  }
  child.kill();
  outcome out = from_json(answer).value_or(outcome{});
  out.took = std::chrono::duration_cast<std::chrono::milliseconds>(steady::now() - began);
  if (!in_time) {
    const std::string where = last_line_with(output, "crash inside ");
    out.findings.push_back(
        {true,
         "the test has not ended after " +
             base::shortest(std::chrono::duration<double>(given.limit).count()) + " s" +
             (where.empty()
                  ? ""
                  : "; the process is inside " + where.substr(std::strlen("crash inside "))),
         "make the function return sooner, or allow more time with --time-limit"});
    settle(out);
    return out;
  }
  out.output = std::move(output);
  if (child.status() != 0 || answer.empty()) {
    const std::string when = answer.empty() ? trap_of(given.test) : "when the test was over";
    out.findings.push_back(
        {true, cause_of_death(child.status(), out.output) + (when.empty() ? "" : ", " + when),
         "run the test with --in-process under a debugger"});
    out.said = verdict::crashed;
  }
  return out;
}

outcome run_here(const task& given) {
  outcome out;
  const auto began = steady::now();
  const auto all = tests();
  const auto at = std::ranges::find_if(all, [&](const test& t) { return given.test == t.name; });
  if (at == all.end()) throw base::error("there is no test " + given.test);
  subject about(given, out);
  try {
    at->run(about);
  } catch (const skipped& why) {
    if (out.findings.empty()) out.skipped = why.why;
  } catch (const escaped& e) {
    about.fail(e.what, "let no exception leave a call (rule R7 in abi.h)");
  } catch (const base::error& e) {
    about.fail(e.what());
  } catch (const std::bad_alloc&) {
    about.fail("there is not enough memory for the test",
               "check the size of each text that the plugin returns");
  } catch (const std::system_error& e) {
    // This includes the errors of std::filesystem. The exception comes from the plugin check
    // itself, which uses files and threads.
    about.fail("a system call failed: " + base::valid_utf8(e.what()),
               "raise the limits on open files and threads, or free disk space");
  } catch (const std::exception& e) {
    about.fail("an exception ends the test: " + base::valid_utf8(e.what()),
               "check the size of each ifb_str that the plugin returns");
  }
  settle(out);
  out.took = std::chrono::duration_cast<std::chrono::milliseconds>(steady::now() - began);
  return out;
}

int child_main(const std::string& text) {
  // A crash is a valid test result, so it must not write a core file.
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // Plugins must not search the network for a made-up model name.
  ::setenv("HF_HUB_OFFLINE", "1", 1);
  // Moves the pipe for the answer to a high number, so that the plugin does not use it by accident.
  const base::fd answer(::fcntl(answer_fd, F_DUPFD_CLOEXEC, 100));
  ::close(answer_fd);
  if (!answer) return 1;
  const task given = task_from_json(text);
  // Reporters write to the working directory if their options name no folder.
  if (given.kind == IFB_REPORTER && ::chdir(given.folder.c_str()) != 0) return 1;
  const outcome out = run_here(given);
  const std::string said = to_json(out);
  for (std::size_t done = 0; done < said.size();) {
    const ssize_t wrote = ::write(answer.get(), said.data() + done, said.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return 1;
    done += static_cast<std::size_t>(wrote);
  }
  if (out.left_behind) {
    // exit() would run destructors, also those of the plugin, while a thread is still in the
    // plugin. _exit() is used and not std::_Exit(), because sanitizers intercept only _exit().
    std::fflush(nullptr);
    ::_exit(0);
  }
  return 0;
}

}  // namespace inferbench::check
