#include "perf/machine_facts.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::perf {

namespace {

namespace fs = std::filesystem;

/// The text of a file of the kernel; empty if it cannot be read.
std::string kernel_text(const fs::path& file) {
  try {
    return base::read_file(file.string());
  } catch (const base::error&) {
    return {};
  }
}

/// The names in the folder that are `prefix` and a number.
std::vector<std::string> numbered(const fs::path& folder, std::string_view prefix) {
  std::vector<std::string> out;
  std::error_code problem;
  for (fs::directory_iterator each(folder, problem), end; !problem && each != end;
       each.increment(problem)) {
    const std::string name = each->path().filename().string();
    const bool digits = name.size() > prefix.size() && name.starts_with(prefix) &&
                        std::all_of(name.begin() + static_cast<std::ptrdiff_t>(prefix.size()),
                                    name.end(), [](unsigned char c) { return std::isdigit(c); });
    if (digits) out.push_back(name);
  }
  return out;
}

/// The value of the first line "NAME : value"; empty if there is none.
std::string first_value(std::string_view text, std::string_view name) {
  for (const std::string_view line : base::split(text, '\n')) {
    const auto colon = line.find(':');
    if (colon != std::string_view::npos && base::trim(line.substr(0, colon)) == name)
      return std::string(base::trim(line.substr(colon + 1)));
  }
  return {};
}

}  // namespace

std::optional<std::size_t> numa_nodes(const fs::path& root) {
  const std::size_t count = numbered(root / "sys/devices/system/node", "node").size();
  return count == 0 ? std::nullopt : std::optional(count);
}

machine_facts read_machine(const fs::path& root) {
  machine_facts out;
  const fs::path cpus = root / "sys/devices/system/cpu";
  std::set<std::string> cores;  // the threads of a core have the same text
  for (const std::string& each : numbered(cpus, "cpu")) {
    const fs::path topology = cpus / each / "topology";
    // Kernels before 5.3 have the old name only.
    std::string siblings = kernel_text(topology / "core_cpus_list");
    if (siblings.empty()) siblings = kernel_text(topology / "thread_siblings_list");
    // A processor that is offline has no topology.
    if (siblings.empty()) continue;
    cores.insert(siblings);
    ++out.logical_cores;
  }
  out.physical_cores = cores.size();
  const std::string memory = first_value(kernel_text(root / "proc/meminfo"), "MemTotal");
  const auto kilobytes = base::parse_int(memory.substr(0, memory.find(' ')));
  if (kilobytes && *kilobytes > 0) out.memory_bytes = static_cast<std::uint64_t>(*kilobytes) * 1024;
  out.numa_nodes = numa_nodes(root);
  if (std::string brand = first_value(kernel_text(root / "proc/cpuinfo"), "model name");
      !brand.empty())
    out.cpu_brand = std::move(brand);
  return out;
}

std::string memory_text(std::uint64_t bytes) {
  auto value = static_cast<double>(bytes);
  for (const char* const unit : {"", "K", "M", "G", "T"}) {
    if (value < 1024) return fmt::format("{:.2f}{}B", value, unit);
    value /= 1024;
  }
  return fmt::format("{:.2f}PB", value);
}

std::string environment_report(const machine_facts& machine, const std::string& system,
                               const std::string& devices,
                               const std::optional<std::string>& gpu_tool) {
  std::string types = devices;
  std::ranges::replace(types, '\n', ' ');
  std::string out = "inferbench version: " INFERBENCH_VERSION "\n";
  out += "System: " + system + "\n";
  out += "CPU brand: " + machine.cpu_brand.value_or("unknown") + "\n";
  out += "Physical cores: " + std::to_string(machine.physical_cores) + "\n";
  out += "Total cores: " + std::to_string(machine.logical_cores) + "\n";
  out += "Total memory: " + memory_text(machine.memory_bytes) + "\n";
  if (machine.numa_nodes) out += "NUMA nodes: " + std::to_string(*machine.numa_nodes) + "\n";
  out += "Devices: " + (types.empty() ? "none" : types) + "\n";
  if (gpu_tool) out += "\n" + *gpu_tool;
  return out;
}

}  // namespace inferbench::perf
