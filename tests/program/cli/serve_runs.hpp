// Runs of `serve` against the simulator, and their results.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "program/cli/process.hpp"

namespace inferbench::testing {

/// Runs a Python program of tests/tools, which shares no code with the framework. The result is
/// that of std::system(): 0 if the program has found no difference.
inline int python(const std::string& tool, const std::vector<std::string>& arguments) {
  std::string command = "python3 '" INFERBENCH_SOURCE "/tests/tools/" + tool + "'";
  for (const std::string& word : arguments)
    command += " '" + word + "'";
  return std::system(command.c_str());
}

/// The only result in `where`.
inline rapidjson::Document result_in(const folder& where) {
  const std::string path = where.only(".json");
  return base::parse_json(read(path), path);
}

inline std::int64_t number(const rapidjson::Document& json, const char* key) {
  return json[key].GetInt64();
}

/// Flags for `count` requests of ShareGPT, whose detailed result is written to `where`.
inline std::vector<std::string> sharegpt(const simulator& server, const folder& where,
                                         const std::string& count) {
  return {"serve",
          "--backend",
          "vllm",
          "--base-url",
          server.url(),
          "--tokenizer-mode",
          "bytes",
          "--dataset-name",
          "sharegpt",
          "--dataset-path",
          fixture("datasets/sharegpt.json"),
          "--num-prompts",
          count,
          "--request-id-prefix",
          "r-",
          "--ignore-eos",
          "--save-result",
          "--save-detailed",
          "--result-dir",
          where.path()};
}

inline void add(std::vector<std::string>& to, std::initializer_list<const char*> more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace inferbench::testing
