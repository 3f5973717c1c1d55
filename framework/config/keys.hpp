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

/// The metrics that --percentile-metrics takes, and the metrics that --goodput takes.
[[nodiscard]] std::vector<std::string> percentile_metrics();
[[nodiscard]] std::vector<std::string> goodput_metrics();

}  // namespace inferbench::config
