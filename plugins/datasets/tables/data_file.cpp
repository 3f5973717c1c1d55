#include "data_file.hpp"

#include <array>
#include <utility>

#include <inferbench/text.hpp>

namespace tables {

std::vector<wanted_column> wanted_columns(std::span<const std::string> texts) {
  std::vector<wanted_column> out;
  for (const std::string& text : texts) {
    const bool optional = text.ends_with('?');
    out.push_back({text.substr(0, text.size() - (optional ? 1 : 0)), optional});
  }
  return out;
}

std::string listed(std::span<const std::string> names) {
  constexpr std::size_t enough = 300;
  std::string out;
  for (const std::string& name : names)
    if (out.size() < enough) out += (out.empty() ? "" : ", ") + name;
  return std::string(ifb::cut_utf8(out, enough));
}

ifb::failure missing_column(const std::string& title, const std::string& name,
                            std::span<const std::string> there) {
  return {IFB_E_CONFIG,
          title + " has no column \"" + name + "\"; it has " +
              (there.empty() ? "no columns" : listed(there)),
          "path"};
}

file_format format_of(std::string_view name) {
  using entry = std::pair<std::string_view, file_format>;
  constexpr std::array<entry, 6> endings{{{".parquet", file_format::parquet},
                                          {".json", file_format::json},
                                          {".jsonl", file_format::json},
                                          {".ndjson", file_format::json},
                                          {".csv", file_format::csv},
                                          {".tsv", file_format::tsv}}};
  for (const auto& [ending, format] : endings)
    if (name.ends_with(ending)) return format;
  return file_format::none;
}

}  // namespace tables
