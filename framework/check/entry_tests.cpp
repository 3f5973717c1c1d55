// Tests of a plugin library's entry function (IFB_ENTRY_NAME): its return value and its side
// effects.
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <set>
#include <system_error>

#include <dlfcn.h>

#include <inferbench/abi.h>

#include "base/error.hpp"
#include "check/subject.hpp"
#include "check/test.hpp"
#include "plugin/breadcrumb.hpp"
#include "plugin/descriptor.hpp"

namespace inferbench::check {

namespace {

namespace fs = std::filesystem;

std::set<std::string> names_in(const char* folder) {
  std::set<std::string> out;
  std::error_code stop;
  for (fs::directory_iterator at(folder, stop), none; !stop && at != none; at.increment(stop))
    out.insert(at->path().filename());
  return out;
}

// The open files, except for the descriptor that is used to list them.
std::set<std::string> files_open() {
  std::set<std::string> out;
  for (const std::string& number : names_in("/proc/self/fd")) {
    std::error_code gone;
    const fs::path target = fs::read_symlink("/proc/self/fd/" + number, gone);
    if (!gone) out.insert(number + " " + target.string());
  }
  return out;
}

double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

ifb_entry entry_of(const subject& s) {
  void* const library = ::dlopen(s.given().file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const entry = library == nullptr ? nullptr : ::dlsym(library, IFB_ENTRY_NAME);
  if (entry == nullptr) subject::skip("the library cannot be loaded: see the test file-loads");
  return reinterpret_cast<ifb_entry>(entry);
}

std::string in_ms(double seconds) { return std::to_string(std::lround(seconds * 1000)) + " ms"; }

}  // namespace

void check_entry(subject& s) {
  const std::string name = s.given().file.string();
  ifb_plugin loading{};
  loading.id = name.c_str();
  const plugin::breadcrumb crumb(&loading, "while it is loaded");
  const auto threads = names_in("/proc/self/task");
  const auto files = files_open();
  const double cpu = cpu_seconds();
  const auto began = std::chrono::steady_clock::now();
  const ifb_entry entry = entry_of(s);
  const ifb_library* const first = entry(IFB_ABI_MAJOR, IFB_ABI_MINOR);
  const ifb_library* const second = entry(IFB_ABI_MAJOR, IFB_ABI_MINOR);
  const double used = cpu_seconds() - cpu;
  const double waited =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  // Other programs may delay this process, so only its CPU time has a tight limit.
  constexpr double most_cpu = 0.1;
  constexpr double most_wait = 2;
  const bool much_cpu = used > most_cpu;
  if (much_cpu || waited > most_wait)
    s.fail("loading and the entry function take " + in_ms(much_cpu ? used : waited) +
               (much_cpu ? " of CPU time" : "") + " (limit " +
               in_ms(much_cpu ? most_cpu : most_wait) + ")",
           "move slow work to create: programs that only list plugins also load the library");
  if (first != second)
    s.fail("the entry function returns a different pointer at each call",
           "return one static ifb_library");
  const std::string host_abi = std::to_string(IFB_ABI_MAJOR) + "." + std::to_string(IFB_ABI_MINOR);
  if (first == nullptr)
    s.fail("the entry function returns NULL for this host's ABI version " + host_abi,
           "build the plugin with an SDK for ABI " + host_abi);
  if (names_in("/proc/self/task").size() > threads.size())
    s.fail("loading or the entry function starts a thread",
           "start threads in create, and end them in destroy");
  for (const std::string& file : files_open())
    if (!files.contains(file))
      s.fail("loading or the entry function leaves a file open: " + file.substr(file.find(' ') + 1),
             "open files in create");
}

void check_library(subject& s) {
  const ifb_library* const raw = entry_of(s)(IFB_ABI_MAJOR, IFB_ABI_MINOR);
  plugin::descriptor read;
  try {
    plugin::read_descriptor(raw, s.given().file.filename(), read);
  } catch (const base::error& e) {
    s.fail(e.message(), "see the comments of ifb_library, ifb_plugin and ifb_option in abi.h");
    return;
  }
  if (raw->reserved != 0) s.add(reserved_is_set("the ifb_library", raw->reserved));
  for (const plugin::later_plugin& p : read.later)
    s.note("plugin " + p.id + " is not tested: it " + p.why);
  if (read.abi_minor > IFB_ABI_MINOR)
    s.note("built for ABI " + std::to_string(read.abi_major) + "." +
           std::to_string(read.abi_minor) + ", newer than this host's");
  if (read.sdk.empty())
    s.warn("the library does not say with which SDK it was built",
           "set ifb_library.sdk, for bug reports");
  else
    s.note("built with " + read.sdk);
}

}  // namespace inferbench::check
