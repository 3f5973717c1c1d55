#include "observe/gpu_energy.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

#include <inferbench/json_writer.hpp>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::observe {

namespace {

template <typename function>
void find_symbol(void* library, const std::string& file, const char* name, function& out) {
  void* const found = ::dlsym(library, name);
  if (found == nullptr)
    throw base::error("the energy of the GPUs cannot be measured: " + file + " has no function " +
                      name);
  static_assert(sizeof out == sizeof found);
  std::memcpy(static_cast<void*>(&out), static_cast<const void*>(&found), sizeof out);
}

std::string as_json(double value) {
  ifb::json_writer out;
  out.number(value);
  return out.take();
}

}  // namespace

nvml_functions open_nvml(const std::string& library) {
  void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) {
    const char* const why = ::dlerror();
    throw base::error(
        "the energy of the GPUs cannot be measured: " +
        (why == nullptr ? "cannot open " + library : base::one_line(std::string_view(why))));
  }
  nvml_functions out;
  find_symbol(handle, library, "nvmlInit_v2", out.init);
  find_symbol(handle, library, "nvmlShutdown", out.shutdown);
  find_symbol(handle, library, "nvmlDeviceGetCount_v2", out.count);
  find_symbol(handle, library, "nvmlDeviceGetHandleByIndex_v2", out.device);
  find_symbol(handle, library, "nvmlDeviceGetTotalEnergyConsumption", out.energy);
  find_symbol(handle, library, "nvmlErrorString", out.error_text);
  return out;
}

gpu_energy::gpu_energy(const nvml_functions& nvml, std::vector<unsigned> gpus)
    : nvml_(nvml), gpus_(std::move(gpus)) {
  if (const int status = nvml_.init(); status != 0) fail("NVML does not start", status);
  try {
    find_devices();
    static_cast<void>(read());
  } catch (...) {
    nvml_.shutdown();
    throw;
  }
}

gpu_energy::~gpu_energy() { nvml_.shutdown(); }

void gpu_energy::find_devices() {
  unsigned count = 0;
  if (const int status = nvml_.count(&count); status != 0) fail("no count of the GPUs", status);
  if (gpus_.empty())
    for (unsigned i = 0; i < count; ++i)
      gpus_.push_back(i);
  if (gpus_.empty())
    throw base::error("the energy of the GPUs cannot be measured: there is no NVIDIA GPU");
  for (const unsigned gpu : gpus_) {
    if (gpu >= count)
      throw base::error(fmt::format("there is no GPU {}: this machine has {}", gpu, count),
                        "the first GPU is 0");
    void* device = nullptr;
    if (const int status = nvml_.device(gpu, &device); status != 0)
      fail(fmt::format("GPU {} does not answer", gpu), status);
    devices_.push_back(device);
  }
}

std::vector<unsigned long long> gpu_energy::read() const {
  std::vector<unsigned long long> out;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    unsigned long long millijoules = 0;
    if (const int status = nvml_.energy(devices_[i], &millijoules); status != 0)
      fail(fmt::format("GPU {} does not tell its energy", gpus_[i]), status);
    out.push_back(millijoules);
  }
  return out;
}

void gpu_energy::fail(const std::string& what, int status) const {
  const char* const text = nvml_.error_text(status);
  throw base::error(
      fmt::format("the energy of the GPUs cannot be measured: {} ({})", what,
                  text == nullptr ? fmt::format("status {}", status) : base::one_line(text)));
}

void gpu_energy::start(std::uint64_t now_ns) {
  before_ = read();
  started_ns_ = now_ns;
}

energy_use gpu_energy::finish(std::uint64_t now_ns) const {
  const std::vector<unsigned long long> after = read();
  energy_use out;
  out.gpus = gpus_;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (after[i] < before_.at(i))
      throw base::error(fmt::format(
          "the energy of the GPUs is not known: the counter of GPU {} was reset", gpus_[i]));
    out.joules += static_cast<double>(after[i] - before_[i]) / 1e3;
  }
  out.seconds = static_cast<double>(std::max(now_ns, started_ns_) - started_ns_) / 1e9;
  return out;
}

std::vector<std::pair<std::string, std::string>> energy_members(const energy_use& use,
                                                                std::int64_t output_tokens) {
  std::vector<std::pair<std::string, std::string>> out;
  out.emplace_back("energy_gpu_ids", fmt::format("[{}]", fmt::join(use.gpus, ", ")));
  out.emplace_back("gpu_energy_j", as_json(use.joules));
  out.emplace_back("gpu_energy_duration_s", as_json(use.seconds));
  out.emplace_back("gpu_avg_power_w", as_json(use.seconds > 0 ? use.joules / use.seconds : 0.0));
  out.emplace_back("gpu_energy_per_output_token_j",
                   output_tokens > 0 ? as_json(use.joules / static_cast<double>(output_tokens))
                                     : std::string("null"));
  return out;
}

std::string energy_json(const energy_use& use, std::int64_t output_tokens) {
  ifb::json_writer out;
  out.begin_object();
  for (const auto& [name, json] : energy_members(use, output_tokens)) {
    out.key(name);
    out.raw(json);
  }
  out.end_object();
  return out.take();
}

}  // namespace inferbench::observe
