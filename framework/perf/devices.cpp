#include "perf/devices.hpp"

#include "base/text.hpp"
#include "perf/machine_facts.hpp"

namespace inferbench::perf {

namespace {

/// The lines that are not blank, trimmed.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  for (const std::string_view line : base::split(text, '\n'))
    if (const std::string_view trimmed = base::trim(line); !trimmed.empty())
      out.emplace_back(trimmed);
  return out;
}

/// "NVIDIA H100 80GB HBM3" as "H100": the maker comes first.
std::string second_word(const std::string& name) {
  std::vector<std::string> words;
  for (const std::string_view word : base::split(name, ' '))
    if (!word.empty()) words.emplace_back(word);
  return words.size() > 1 ? words[1] : name;
}

/// The texts behind the colon of the lines with the label.
std::vector<std::string> values_of(const std::string& text, std::string_view label) {
  std::vector<std::string> out;
  for (const std::string& line : lines_of(text)) {
    const auto colon = line.find(':');
    if (colon != std::string::npos && line.find(label) < colon)
      out.emplace_back(base::trim(std::string_view(line).substr(colon + 1)));
  }
  return out;
}

std::optional<device_set> named_devices(const std::vector<std::string>& names,
                                        std::string suffix = {}) {
  if (names.empty()) return std::nullopt;
  device_set out{names.size(), {}, std::move(suffix)};
  for (const std::string& each : names)
    out.type += (out.type.empty() ? "" : "\n") + each;
  return out;
}

std::optional<device_set> nvidia(const tool_output& run) {
  const auto text = run({"nvidia-smi", "--query-gpu=name", "--format=csv,noheader"});
  if (!text) return std::nullopt;
  std::vector<std::string> names = lines_of(*text);
  for (std::string& each : names)
    each = second_word(each);
  return named_devices(names);
}

std::optional<device_set> amd(const tool_output& run) {
  const auto text = run({"amd-smi", "static", "--asic"});
  return text ? named_devices(values_of(*text, "MARKET_NAME")) : std::nullopt;
}

std::optional<device_set> gaudi(const tool_output& run) {
  const auto text = run({"hl-smi", "-Q", "name", "-f", "csv,noheader"});
  return text ? named_devices(lines_of(*text), "-hpu") : std::nullopt;
}

std::optional<device_set> ascend(const tool_output& run) {
  const auto text = run({"npu-smi", "info", "-l"});
  if (!text) return std::nullopt;
  // The list has numbers only.
  const std::vector<std::string> names(values_of(*text, "NPU ID").size(), "Ascend");
  return named_devices(names);
}

}  // namespace

std::optional<device_set> accelerators(const tool_output& run) {
  for (const auto look : {&nvidia, &amd, &gaudi, &ascend})
    if (auto found = look(run); found) return found;
  return std::nullopt;
}

device_set cpu_devices(const std::filesystem::path& root, std::string_view machine) {
  const bool arm = machine == "aarch64" || machine == "arm64";
  return {numa_nodes(root).value_or(1), arm ? "arm64-cpu" : "cpu", arm ? "-arm64-cpu" : "-cpu"};
}

std::vector<double> gpu_memory_in_use(const tool_output& run) {
  std::vector<double> out;
  const auto text = run({"nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"});
  if (!text) return out;
  // A GPU that cannot tell has the text "[N/A]".
  for (const std::string& line : lines_of(*text))
    out.push_back(base::parse_float(line).value_or(0));
  return out;
}

}  // namespace inferbench::perf
