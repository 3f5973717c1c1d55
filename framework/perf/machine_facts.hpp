// Facts about the machine for the page of results and the environment report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace inferbench::perf {

struct machine_facts {
  std::size_t physical_cores = 0;  // 0: unknown
  std::size_t logical_cores = 0;   // 0: unknown
  std::uint64_t memory_bytes = 0;  // 0: unknown
  std::optional<std::size_t> numa_nodes;
  std::optional<std::string> cpu_brand;
};

/// Reads the files of Linux below `root`/proc and `root`/sys; facts without a file stay unknown.
[[nodiscard]] machine_facts read_machine(const std::filesystem::path& root);

/// The number of NUMA nodes; nullopt if the kernel does not list them.
[[nodiscard]] std::optional<std::size_t> numa_nodes(const std::filesystem::path& root);

/// A size with two decimals and a unit of powers of 1024: "1.17GB", "512.00B".
[[nodiscard]] std::string memory_text(std::uint64_t bytes);

/// The contents of `vllm_env.txt`: lines "Key: value" about this program, the system, the machine
/// and the devices, and the output of the GPU tool, if there is any. `system`: of uname(), "Linux
/// 6.1.0 x86_64".
[[nodiscard]] std::string environment_report(const machine_facts& machine,
                                             const std::string& system, const std::string& devices,
                                             const std::optional<std::string>& gpu_tool);

}  // namespace inferbench::perf
