// Builds the table of the host's keys: each file keys_*.cpp adds the keys of its groups, in the
// order of --help.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "options/option.hpp"

namespace inferbench::config {

inline constexpr double unbounded = std::numeric_limits<double>::infinity();
inline constexpr std::uint8_t in_dataset_show = options::for_serve | options::for_dataset_show;
inline constexpr std::uint8_t in_tools = in_dataset_show | options::for_tokenizer;
inline constexpr std::uint8_t everywhere = in_tools | options::for_run;

class key_table {
 public:
  /// Sets the group of the keys that are added after this call.
  void group(std::string title) { group_ = std::move(title); }
  void add(options::option key) {
    key.group = group_;
    keys_.push_back(std::move(key));
  }
  [[nodiscard]] std::vector<options::option> take() { return std::move(keys_); }

 private:
  std::string group_;
  std::vector<options::option> keys_;
};

/// A switch whose key is false unless the flag is given.
[[nodiscard]] options::option switched(std::string table, std::string name, std::string flag,
                                       std::string help);

/// A second flag for `key`, with the spelling of an earlier release of vLLM. It sets the same key,
/// and a warning names the new spelling.
[[nodiscard]] options::option old_spelling(options::option key, std::string flag);

/// The key with the SHA-256 that the library of this table's plugin must have. It has no flag; the
/// file or --set sets it.
inline constexpr const char* digest_key = "sha256";
[[nodiscard]] options::option digest_of_plugin(std::string table);

/// `key`, whose value is passed to the option of the plugin in use. `otherwise` decides the result
/// if the plugin does not declare the option. For general flags of datasets and backends.
[[nodiscard]] options::option handed_on(options::option key, options::undeclared otherwise);

void server_keys(key_table& t);   // also adds the group tls
void backend_keys(key_table& t);  // also adds the group sampling
void tokenizer_keys(key_table& t);
void dataset_keys(key_table& t);
void load_keys(key_table& t);
void metric_keys(key_table& t);
void scorer_keys(key_table& t);
void observe_keys(key_table& t);
void result_keys(key_table& t);
void run_keys(key_table& t);  // also adds the group plugins

}  // namespace inferbench::config
