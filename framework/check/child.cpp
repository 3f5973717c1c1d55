#include "check/child.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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
constexpr auto grace = std::chrono::milliseconds(500);  // for last words

struct pipe_ends {
  base::fd reading;
  base::fd writing;
};

pipe_ends make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw base::error(std::string("cannot make a pipe: ") + std::strerror(errno));
  // Beyond the numbers that the child has a use for.
  pipe_ends out{base::fd(ends[0]), base::fd(::fcntl(ends[1], F_DUPFD_CLOEXEC, answer_fd + 1))};
  ::close(ends[1]);
  if (!out.writing) throw base::error(std::string("cannot make a pipe: ") + std::strerror(errno));
  return out;
}

// A group of its own, so that what it starts ends with it; signals as at the start of a
// program.
pid_t start(const std::vector<std::string>& words, bool exact_heap, int output, int answer) {
  std::vector<char*> argv;
  for (const std::string& word : words)
    argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  std::vector<char*> variables;
  for (char** v = environ; *v != nullptr; ++v)
    if (!exact_heap || !std::string_view(*v).starts_with("GLIBC_TUNABLES="))
      variables.push_back(*v);
  std::string tunables = exact_heap_variable;
  if (exact_heap) variables.push_back(tunables.data());
  variables.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, answer, answer_fd);
  sigset_t none;
  sigset_t all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  pid_t child = -1;
  const int failed =
      ::posix_spawnp(&child, argv[0], &files, &attributes, argv.data(), variables.data());
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  if (failed != 0)
    throw base::error("cannot start " + words.front() + ": " + std::strerror(failed));
  return child;
}

// Reads both until both have ended, or the deadline; true when they have ended.
bool read_both(std::array<pollfd, 2>& from, std::array<std::string, 2>& into,
               steady::time_point deadline) {
  std::array<char, 16384> block{};
  while (from[0].fd >= 0 || from[1].fd >= 0) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - steady::now()).count();
    const int ready = ::poll(from.data(), from.size(), left > 0 ? static_cast<int>(left) : 0);
    if (ready == 0) return false;
    if (ready < 0 && errno != EINTR) return true;
    for (std::size_t i = 0; ready > 0 && i < from.size(); ++i) {
      if (from[i].fd < 0 || from[i].revents == 0) continue;
      const ssize_t got = ::read(from[i].fd, block.data(), block.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0)
        from[i].fd = -1;
      else if (into[i].size() < most_output)
        into[i].append(block.data(), static_cast<std::size_t>(got));
    }
  }
  return true;
}

bool wait_until(pid_t child, int& status, steady::time_point deadline) {
  for (;;) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return true;
    if (steady::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::string last_line_with(const std::string& output, std::string_view part) {
  const auto at = output.rfind(part);
  if (at == std::string::npos) return {};
  const auto end = output.find('\n', at);
  return base::valid_utf8(std::string_view(output).substr(at, end - at));
}

}  // namespace

std::string cause_of_death(int status, const std::string& output) {
  constexpr std::string_view own = "inferbench: ";
  for (const std::string_view mark :
       {"ERROR: AddressSanitizer", "WARNING: ThreadSanitizer", "ERROR: LeakSanitizer",
        "runtime error:", "ThreadSanitizer:"}) {
    const std::string line = last_line_with(output, mark);
    if (!line.empty()) return line;
  }
  const std::string line = last_line_with(output, own);
  if (!line.empty() && line.find("crash") != std::string::npos) return line.substr(own.size());
  if (WIFSIGNALED(status)) {
    const char* const text = ::sigdescr_np(WTERMSIG(status));
    return "died of " +
           (text == nullptr ? "signal " + std::to_string(WTERMSIG(status)) : std::string(text));
  }
  return "ended the process with status " + std::to_string(WEXITSTATUS(status));
}

outcome run_in_child(const task& given, const std::vector<std::string>& words) {
  pipe_ends output = make_pipe();
  pipe_ends answer = make_pipe();
  std::vector<std::string> all = words;
  all.push_back(to_json(given));
  const auto began = steady::now();
  const pid_t child = start(all, std::string_view(given.test).ends_with("growth"),
                            output.writing.get(), answer.writing.get());
  output.writing.reset();
  answer.writing.reset();
  std::array<pollfd, 2> from = {pollfd{answer.reading.get(), POLLIN, 0},
                                pollfd{output.reading.get(), POLLIN, 0}};
  std::array<std::string, 2> said;
  int status = 0;
  const auto deadline = began + given.limit;
  const bool in_time = read_both(from, said, deadline) && wait_until(child, status, deadline);
  if (!in_time) {
    // Its last words tell where it was.
    ::kill(-child, SIGABRT);
    static_cast<void>(read_both(from, said, steady::now() + grace));
    ::kill(-child, SIGKILL);
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  ::kill(-child, SIGKILL);  // what it may have started
  outcome out = from_json(said[0]).value_or(outcome{});
  out.took = std::chrono::duration_cast<std::chrono::milliseconds>(steady::now() - began);
  if (!in_time) {
    const std::string where = last_line_with(said[1], "crash inside ");
    out.findings.push_back(
        {true,
         "still busy after " + base::shortest(std::chrono::duration<double>(given.limit).count()) +
             " s" + (where.empty() ? "" : ", inside " + where.substr(std::strlen("crash inside "))),
         "end loops and waits; or allow more with --time-limit"});
    settle(out);
    return out;
  }
  out.output = std::move(said[1]);
  if (status != 0 || said[0].empty()) {
    const bool after = !said[0].empty();
    out.findings.push_back(
        {true, cause_of_death(status, out.output) + (after ? ", when the test was over" : ""),
         "run the test with --in-process below a debugger"});
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
  } catch (const base::error& e) {
    about.fail(e.what());
  } catch (const std::bad_alloc&) {
    about.fail("there was not enough memory, or std::bad_alloc left a call of the plugin");
  } catch (const std::system_error& e) {
    // Those of std::filesystem among them; the kit uses files and threads as well.
    about.fail("the operating system refuses something: " + base::valid_utf8(e.what()),
               "see that there is room for what the kit and the plugin need; if it is the plugin "
               "that asks, let no exception leave a call (R7)");
  } catch (const std::exception& e) {
    about.fail("an exception ends the test: " + base::valid_utf8(e.what()),
               "let none leave a call (R7), and hand out no text of a length that cannot be");
  }
  settle(out);
  out.took = std::chrono::duration_cast<std::chrono::milliseconds>(steady::now() - began);
  return out;
}

int child_main(const std::string& text) {
  // A crash is an answer: it makes no core file.
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // A name that is made up here is not to be looked for on the network.
  ::setenv("HF_HUB_OFFLINE", "1", 1);
  // The plugin does not see where the answer goes.
  const base::fd answer(::fcntl(answer_fd, F_DUPFD_CLOEXEC, 100));
  ::close(answer_fd);
  if (!answer) return 1;
  const task given = task_from_json(text);
  // Reporters write to the working directory where they are told nothing else.
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
    // exit() would run destructors, the plugin's among them, beside a thread that is in it. Not
    // std::_Exit: this is the name that sanitizers know.
    std::fflush(nullptr);
    ::_exit(0);
  }
  return 0;
}

}  // namespace inferbench::check
