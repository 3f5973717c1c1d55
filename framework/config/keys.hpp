// The keys of the host, in one table: the source of TOML checking, of flags, of
// --help and of --print-config. What a plugin declares joins it (option.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "options/option.hpp"

namespace inferbench::config {

/// In the order of --help and of printed TOML. Several entries may have one path: they
/// are flags that set the same key; the later one wins.
[[nodiscard]] std::vector<options::option> host_keys();

/// Tables in the order of printed TOML: "run", "server", ...; "reporter" is a list.
[[nodiscard]] std::vector<std::string> tables();

/// Datasets whose prompts are made to a length: generation backends that take OpenAI's
/// sampling fields are told to ignore the end of sequence, unless the user decided.
/// Upstream's list; datasets say so themselves (IFB_DATASET_SYNTHETIC) only after they
/// are prepared, which is too late for a backend's options.
[[nodiscard]] bool ignores_eos(std::string_view dataset_id);

/// Upstream's datasets whose requests have no times of their own, so that --self-timed and
/// --no-self-timed can be refused before they are prepared.
[[nodiscard]] bool has_no_times(std::string_view dataset_id);

/// Sampling flags that a protocol has no member for, though it has others.
[[nodiscard]] bool lacks_sampling(std::string_view backend_id, std::string_view member);

/// Metrics that --percentile-metrics knows, and those of --goodput.
[[nodiscard]] std::vector<std::string> percentile_metrics();
[[nodiscard]] std::vector<std::string> goodput_metrics();

}  // namespace inferbench::config
