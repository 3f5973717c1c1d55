#include "run/environment.hpp"

#include <fstream>
#include <string_view>

#include <sys/utsname.h>
#include <unistd.h>

#include <inferbench/json_writer.hpp>

#include "base/text.hpp"

namespace inferbench::run {

namespace {

/// The value of the first line "NAME : VALUE" of a /proc file.
std::string field(const char* path, std::string_view name) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    if (base::trim(std::string_view(line).substr(0, colon)) == name)
      return std::string(base::trim(std::string_view(line).substr(colon + 1)));
  }
  return {};
}

void write_machine(ifb::json_writer& out) {
  out.begin_object();
  utsname names{};
  if (::uname(&names) == 0) {
    out.member("host", names.nodename);
    out.member("system", std::string(names.sysname) + " " + names.release);
    out.member("architecture", names.machine);
  }
  if (const std::string cpu = field("/proc/cpuinfo", "model name"); !cpu.empty())
    out.member("cpu", cpu);
  out.member("cores", ::sysconf(_SC_NPROCESSORS_ONLN));
  if (const std::string memory = field("/proc/meminfo", "MemTotal"); !memory.empty())
    out.member("memory", memory);
  out.end_object();
}

void write_plugin(ifb::json_writer& out, const options::plugin_choice& choice) {
  const plugin::loaded& library = choice.library;
  if (library.plugin == nullptr) return;
  out.begin_object();
  out.member("kind", plugin::name_of(library.plugin->kind));
  out.member("id", library.plugin->id);
  out.member("version", library.plugin->version);
  out.member("file", library.file.string());
  out.member("sha256", library.sha256);
  out.member("sdk", library.sdk);
  out.end_object();
}

}  // namespace

std::string environment_json(std::span<const options::plugin_choice* const> plugins) {
  ifb::json_writer out;
  out.begin_object();
  out.key("inferbench");
  out.begin_object();
  out.member("version", INFERBENCH_VERSION);
#if defined(__clang__)
  out.member("compiler", "clang " __clang_version__);
#else
  out.member("compiler", "g++ " __VERSION__);
#endif
  out.end_object();
  out.key("machine");
  write_machine(out);
  out.key("plugins");
  out.begin_array();
  for (const options::plugin_choice* one : plugins)
    write_plugin(out, *one);
  out.end_array();
  out.end_object();
  return out.take();
}

}  // namespace inferbench::run
