#include "supervise/children.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <ctime>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.hpp"

namespace inferbench::supervise {

namespace {

using steady = std::chrono::steady_clock;

constexpr auto shortest_pause = std::chrono::milliseconds(5);
constexpr auto longest_pause = std::chrono::milliseconds(500);

/// A kernel that has no such process (any longer) gives an empty text.
std::string stat_of(std::string_view id) {
  const base::fd file(::open(("/proc/" + std::string(id) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 1024> text{};
  const ssize_t got = file ? ::read(file.get(), text.data(), text.size()) : 0;
  return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
}

pid_t number_in(std::string_view text) {
  pid_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

/// Returns true if there was a child to reap. `left` becomes false if there is no child at all.
bool reap(pid_t wanted, int& status, bool& left) {
  bool reaped = false;
  for (;;) {
    int each = 0;
    const pid_t id = ::waitpid(-1, &each, WNOHANG);
    if (id < 0 && errno == EINTR) continue;
    left = id >= 0;
    if (id <= 0) return reaped;
    reaped = true;
    if (id == wanted) status = each;
  }
}

void wait_for_a_child(std::chrono::milliseconds limit) {
  sigset_t child;
  ::sigemptyset(&child);
  ::sigaddset(&child, SIGCHLD);
  const timespec time{limit.count() / 1000, limit.count() % 1000 * 1'000'000};
  ::sigtimedwait(&child, nullptr, &time);
}

}  // namespace

process_entry parse_process(std::string_view stat) {
  const auto open = stat.find('(');
  const auto close = stat.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open ||
      stat.size() < close + 5)
    return {};
  return {number_in(stat), std::string(stat.substr(open + 1, close - open - 1)), stat[close + 2],
          number_in(stat.substr(close + 4))};
}

std::vector<process_entry> living_children() {
  std::vector<process_entry> out;
  const pid_t us = ::getpid();
  DIR* const all = ::opendir("/proc");
  if (all == nullptr) return out;
  while (const dirent* const each = ::readdir(all)) {
    const std::string_view name = static_cast<const char*>(each->d_name);
    if (number_in(name) == 0) continue;
    process_entry found = parse_process(stat_of(name));
    if (found.id != 0 && found.parent == us && found.state != 'Z' && found.state != 'X')
      out.push_back(std::move(found));
  }
  ::closedir(all);
  return out;
}

std::vector<process_entry> end_children(pid_t wanted, int& status,
                                        std::chrono::milliseconds patience) {
  auto pause = shortest_pause;
  auto last_event = steady::now();
  for (;;) {
    bool left = true;
    if (reap(wanted, status, left)) {
      pause = shortest_pause;
      last_event = steady::now();
    }
    if (!left) return {};
    // Only children are killed, and not their descendants: the id of a child cannot belong to
    // another process before this process has reaped the child.
    std::vector<process_entry> living = living_children();
    for (const process_entry& each : living)
      if (::kill(each.id, SIGKILL) == 0) last_event = steady::now();
    if (steady::now() - last_event > patience) return living;
    // A child that ends wakes the wait. The pause grows, because a process with much memory may
    // need seconds to end, and each look reads the whole of /proc.
    wait_for_a_child(pause);
    pause = std::min(pause * 2, longest_pause);
  }
}

}  // namespace inferbench::supervise
