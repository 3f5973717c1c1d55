// The energy that NVIDIA GPUs of this machine take during a run, from NVML's counter of the total
// energy. The library belongs to the driver and is opened at run time, so a machine without GPUs
// needs nothing.
//
// Source: NVIDIA Management Library, API reference: nvmlDeviceGetTotalEnergyConsumption returns the
// energy since the driver was loaded, in mJ, for Volta and later.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace inferbench::observe {

/// The functions of NVML that are used. Status 0 is success. Tests use functions of their own.
struct nvml_functions {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*count)(unsigned* out) = nullptr;
  int (*device)(unsigned index, void** out) = nullptr;
  int (*energy)(void* device, unsigned long long* millijoules) = nullptr;
  const char* (*error_text)(int status) = nullptr;
};

/// The file name of the library in the search path of the dynamic linker.
inline constexpr const char* nvml_library = "libnvidia-ml.so.1";

/// Opens the library, which stays open until the process ends. Throws base::error if it is missing
/// or does not have the functions.
[[nodiscard]] nvml_functions open_nvml(const std::string& library = nvml_library);

/// The energy of several GPUs together.
struct energy_use {
  std::vector<unsigned> gpus;  // indices of NVML
  double joules = 0;
  double seconds = 0;
};

/// Used by one thread at a time.
class gpu_energy {
 public:
  /// `gpus`: indices of NVML, each once; empty: all GPUs. Throws base::error if NVML does not
  /// start, if there is no such GPU, and if a GPU has no counter of its energy.
  explicit gpu_energy(const nvml_functions& nvml, std::vector<unsigned> gpus = {});
  gpu_energy(const gpu_energy&) = delete;
  gpu_energy& operator=(const gpu_energy&) = delete;
  ~gpu_energy();

  /// Reads the counters at the start. Throws base::error if a GPU does not answer.
  void start(std::uint64_t now_ns);
  /// The energy since start(). Throws base::error if a GPU does not answer, and if a counter has
  /// become smaller, because the driver was reset.
  [[nodiscard]] energy_use finish(std::uint64_t now_ns) const;

 private:
  void find_devices();
  [[nodiscard]] std::vector<unsigned long long> read() const;
  [[noreturn]] void fail(const std::string& what, int status) const;

  nvml_functions nvml_;
  std::vector<unsigned> gpus_;
  std::vector<void*> devices_;
  std::vector<unsigned long long> before_;  // mJ
  std::uint64_t started_ns_ = 0;
};

/// The members of a result for `use`, as name and JSON value: energy_gpu_ids, gpu_energy_j,
/// gpu_energy_duration_s, gpu_avg_power_w, and gpu_energy_per_output_token_j, which is null without
/// output tokens.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> energy_members(
    const energy_use& use, std::int64_t output_tokens);
/// The same members as one JSON object.
[[nodiscard]] std::string energy_json(const energy_use& use, std::int64_t output_tokens);

}  // namespace inferbench::observe
