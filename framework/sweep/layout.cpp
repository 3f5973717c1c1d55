#include "sweep/layout.hpp"

#include <vector>

namespace inferbench::sweep {

namespace {

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  for (;;) {
    const auto at = text.find(from);
    out += text.substr(0, at);
    if (at == std::string_view::npos) return out;
    out += to;
    text.remove_prefix(at + from.size());
  }
}

std::string_view stripped(std::string_view text, char quote) {
  while (text.starts_with(quote))
    text.remove_prefix(1);
  while (text.ends_with(quote))
    text.remove_suffix(1);
  return text;
}

std::string name_of(const item& serve, const item& bench, const char* bench_word,
                    std::span<const std::string> more) {
  std::vector<std::string> pieces;
  const auto add = [&](const char* word, const item& of) {
    if (of.empty()) return;
    pieces.emplace_back(word);
    pieces.push_back(of.name());
  };
  add("SERVE-", serve);
  add(bench_word, bench);
  pieces.insert(pieces.end(), more.begin(), more.end());
  std::string out;
  for (const std::string& piece : pieces) {
    if (piece.empty()) continue;
    out += (out.empty() ? "" : "-") + piece;
  }
  return sanitised(out);
}

}  // namespace

std::string folder_name(const item& serve, const item& bench, std::span<const std::string> more) {
  return name_of(serve, bench, "BENCH-", more);
}

std::string combination_folder(const plan& what, const item& serve, const item& bench) {
  return name_of(serve, bench, what.does == kind::startup ? "STARTUP-" : "BENCH-", {});
}

std::string sanitised(std::string_view name) {
  const std::string plain = replaced(replaced(name, "/", "_"), "..", "__");
  return std::string(stripped(stripped(plain, '\''), '"'));
}

std::string run_file(int run_number) {
  return run_number < 0 ? "warmup.json" : "run=" + std::to_string(run_number) + ".json";
}

}  // namespace inferbench::sweep
