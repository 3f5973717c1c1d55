// The devices that a dashboard's tests run on: accelerators, which the tool of their maker lists,
// or the NUMA nodes of the CPUs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perf/tool.hpp"

namespace inferbench::perf {

struct device_set {
  std::size_t count = 0;
  std::string type;         // "H100", for each device a line; "cpu", "arm64-cpu"
  std::string file_suffix;  // between "-tests" and ".json": "", "-hpu", "-cpu", "-arm64-cpu"
};

/// The accelerators that the first of nvidia-smi, amd-smi, hl-smi and npu-smi lists; nullopt if
/// there is none.
[[nodiscard]] std::optional<device_set> accelerators(const tool_output& run);

/// The NUMA nodes below `root`/sys, at least 1. `machine`: of uname(), "x86_64" or "aarch64".
[[nodiscard]] device_set cpu_devices(const std::filesystem::path& root, std::string_view machine);

/// The memory in use of each GPU of NVIDIA in MiB; empty without nvidia-smi.
[[nodiscard]] std::vector<double> gpu_memory_in_use(const tool_output& run);

}  // namespace inferbench::perf
