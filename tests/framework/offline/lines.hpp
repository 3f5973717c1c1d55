// Command lines and error texts for the tests of offline benchmarks.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "offline/offline_line.hpp"
#include "offline/throughput_options.hpp"
#include "options/refusal.hpp"
#include "pytext/python_json.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::offline {

inline offline_line line_of(const std::vector<std::string>& args,
                            benchmark which = benchmark::throughput) {
  return read_offline_line(which, args);
}

inline throughput_options throughput_in(const std::vector<std::string>& args) {
  return throughput_options_of(line_of(args));
}

/// The exit status and the text of the error that `call` throws: "2: --n: ...".
template <typename function>
std::string refusal_of(function&& call) {
  try {
    (void)call();
  } catch (const options::usage_error& e) {
    return std::string("2: ") + e.what();
  } catch (const base::error& e) {
    return std::string("1: ") + e.what();
  }
  return "accepted";
}

inline std::string throughput_refusal(const std::vector<std::string>& args) {
  return refusal_of([&] { return throughput_in(args); });
}

/// "--a=1 --b"
inline std::string text_of_flags(const std::vector<std::pair<std::string, std::string>>& flags) {
  std::string out;
  for (const auto& [name, value] : flags)
    out += (out.empty() ? "--" : " --") + name + "=" + value;
  return out;
}

}  // namespace inferbench::offline
