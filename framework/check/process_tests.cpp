// Tests that a plugin does not change properties of the whole process.
#include <array>
#include <cfenv>
#include <cfloat>
#include <clocale>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "check/exercise.hpp"
#include "check/instance_under_test.hpp"
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

// The state of the process when the watch began, and the changes that were reported.
class watch {
 public:
  explicit watch(subject& s) : s_(s), before_(state_now()) {}

  /// Reports each change once.
  void compare(const std::string& who);

 private:
  void warn(const std::string& who, const std::string& changed, std::string remedy) {
    if (told_.insert(changed).second) s_.warn(who + " changes " + changed, std::move(remedy));
  }

  subject& s_;
  state before_;
  std::set<std::string> told_;
};

void watch::compare(const std::string& who) {
  const state now = state_now();
  for (int i = 1; i < NSIG; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (same(before_.signals[at], now.signals[at])) continue;
    const char* const name = ::sigabbrev_np(i);
    const std::string changed = "what happens on the signal " +
                                (name == nullptr ? std::to_string(i) : "SIG" + std::string(name));
    if (told_.insert(changed).second)
      s_.fail(std::string(who).append(" changes ").append(changed),
              "leave signals to the host (rule R9 in abi.h)");
  }
  const std::string more = first_of(now.environment, before_.environment);
  const std::string less = first_of(before_.environment, now.environment);
  if (!more.empty() || !less.empty())
    warn(who, "the environment variable " + (more.empty() ? less : more),
         "other threads may be reading the environment: take it as it is");
  if (now.locale != before_.locale)
    warn(who, "the locale, from " + before_.locale + " to " + now.locale,
         "all texts with numbers in them change with the locale: use functions that take a locale");
  if (now.folder != before_.folder) warn(who, "the working directory", "use whole paths");
  if (now.mask != before_.mask) warn(who, "the umask", "set the mode of each file instead");
  const bool same_tiny = now.denormals == before_.denormals;
  if (now.rounding != before_.rounding || !same_tiny)
    warn(who,
         std::string("the arithmetic of the thread: ") +
             (same_tiny ? "rounding" : "tiny numbers become zero"),
         "link without -ffast-math, and put back what is changed for a while");
}

}  // namespace

void check_process(subject& s) {
  watch before(s);
  static_cast<void>(s.plugin());
  before.compare("loading the library");
  if (s.full()) return;
  watch loaded(s);
  {
    const host on({});
    instance_under_test instance(s, on, s.values());
    // Compares here, because exercise() may end the test if the calls of an engine take too long.
    loaded.compare("making an instance");
    if (instance) static_cast<void>(exercise(s, instance));
  }
  loaded.compare("a short life of an instance");
}

}  // namespace inferbench::check
