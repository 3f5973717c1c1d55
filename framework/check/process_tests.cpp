// What belongs to the whole process, and is not a plugin's to change.
#include <array>
#include <cfenv>
#include <cfloat>
#include <clocale>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

#include "check/exercise.hpp"
#include "check/made.hpp"
#include "check/test.hpp"

namespace inferbench::check {

namespace {

struct state {
  std::array<struct sigaction, NSIG> signals{};
  std::set<std::string> environment;
  std::string locale;
  std::filesystem::path folder;
  mode_t mask = 0;
  int rounding = 0;
  bool denormals = true;
};

bool keeps_denormals() {
  const volatile double least = DBL_MIN;
  return least / 2 != 0;
}

state state_now() {
  state out;
  for (int i = 1; i < NSIG; ++i)
    ::sigaction(i, nullptr, &out.signals[static_cast<std::size_t>(i)]);
  for (char** v = environ; *v != nullptr; ++v)
    out.environment.insert(*v);
  out.locale = std::setlocale(LC_ALL, nullptr);
  std::error_code gone;
  out.folder = std::filesystem::current_path(gone);
  out.mask = ::umask(0);
  ::umask(out.mask);
  out.rounding = std::fegetround();
  out.denormals = keeps_denormals();
  return out;
}

bool same(const struct sigaction& a, const struct sigaction& b) {
  constexpr int flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  if ((a.sa_flags & flags) != (b.sa_flags & flags)) return false;
  for (int i = 1; i < NSIG; ++i)
    if (::sigismember(&a.sa_mask, i) != ::sigismember(&b.sa_mask, i)) return false;
  return (a.sa_flags & SA_SIGINFO) != 0 ? a.sa_sigaction == b.sa_sigaction
                                        : a.sa_handler == b.sa_handler;
}

std::string first_of(const std::set<std::string>& in, const std::set<std::string>& other) {
  for (const std::string& each : in)
    if (!other.contains(each)) return each.substr(0, each.find('='));
  return {};
}

void compare(subject& s, const state& before, const std::string& what) {
  const state now = state_now();
  for (int i = 1; i < NSIG; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (same(before.signals[at], now.signals[at])) continue;
    const char* const name = ::sigabbrev_np(i);
    s.fail(what + " changes what happens on the signal " +
               (name == nullptr ? std::to_string(i) : "SIG" + std::string(name)),
           "leave signals to the host (R9)");
  }
  const std::string more = first_of(now.environment, before.environment);
  const std::string less = first_of(before.environment, now.environment);
  if (!more.empty() || !less.empty())
    s.warn(what + " changes the environment variable " + (more.empty() ? less : more),
           "other threads may be reading the environment: take it as it is");
  if (now.locale != before.locale)
    s.warn(what + " changes the locale, from " + before.locale + " to " + now.locale,
           "all texts with numbers in them change with it: use functions that take a locale");
  if (now.folder != before.folder)
    s.warn(what + " changes the working directory", "use whole paths");
  if (now.mask != before.mask)
    s.warn(what + " changes the umask", "change the mode of the files that it is about");
  if (now.rounding != before.rounding || now.denormals != before.denormals)
    s.warn(what + " changes the arithmetic of the thread: " +
               (now.denormals == before.denormals ? "rounding" : "tiny numbers become zero"),
           "link without -ffast-math, and put back what is changed for a while");
}

}  // namespace

void check_process(subject& s) {
  const state before = state_now();
  static_cast<void>(s.plugin());
  compare(s, before, "loading it");
  if (s.full()) return;
  const state loaded = state_now();
  {
    const host on({});
    made instance(s, on, s.values());
    if (instance) static_cast<void>(exercise(s, instance));
  }
  compare(s, loaded, "a short life of it");
}

}  // namespace inferbench::check
