#include "plot/run_table.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "pytext/python_json.hpp"

namespace inferbench::plot {

namespace {

namespace fs = std::filesystem;

constexpr const char* cut_remedy =
    "remove the file and run the sweep again with --resume, which writes it anew";

bool is_digit(char c) noexcept { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Compares two paths; numbers within them are compared as numbers. Different texts are never
/// equal.
bool natural_less(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const auto digits = [](std::string_view text, std::size_t& at) {
        while (at < text.size() && text[at] == '0')
          ++at;
        const std::size_t first = at;
        while (at < text.size() && is_digit(text[at]))
          ++at;
        return text.substr(first, at - first);
      };
      const std::string_view left = digits(a, i);
      const std::string_view right = digits(b, j);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i, ++j;
    }
  }
  if (i < a.size() || j < b.size()) return j < b.size();
  return a < b;
}

[[noreturn]] void unlisted(const std::string& folder, const std::error_code& why) {
  throw base::error("cannot read the folder " + folder + ": " + why.message());
}

void collect_summaries(const fs::path& folder, std::vector<std::string>& out) {
  std::error_code wrong;
  fs::directory_iterator each(folder, wrong);
  if (wrong) unlisted(folder.string(), wrong);
  for (; each != fs::directory_iterator(); each.increment(wrong)) {
    const std::string name = each->path().filename().string();
    std::error_code unknown;
    if (each->is_directory(unknown) && !each->is_symlink(unknown)) {
      if (!name.starts_with('.')) collect_summaries(each->path(), out);
    } else if (name == "summary.json") {
      out.push_back(each->path().string());
    }
  }
  if (wrong) unlisted(folder.string(), wrong);
}

std::uint32_t line_at(std::string_view text, std::size_t offset) {
  return 1 + static_cast<std::uint32_t>(std::ranges::count(text.substr(0, offset), '\n'));
}

/// The line on which item `wanted` of the array `text`, which is valid JSON, begins.
std::uint32_t line_of_item(std::string_view text, std::size_t wanted) {
  std::size_t depth = 0;
  std::size_t item = 0;
  bool in_text = false;
  bool begun = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_text) {
      if (c == '\\') ++at;
      in_text = c != '"';
      continue;
    }
    if (std::isspace(static_cast<unsigned char>(c)) != 0) continue;
    if (depth == 1 && !begun && c != ',') {
      if (item == wanted) return line_at(text, at);
      begun = true;
    }
    if (c == '"') in_text = true;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth == 1 && c == ',') ++item, begun = false;
  }
  return 1;
}

const char* kind_of(const base::json_value& value) {
  switch (value.GetType()) {
    case rapidjson::kNullType: return "null";
    case rapidjson::kFalseType:
    case rapidjson::kTrueType: return "a boolean";
    case rapidjson::kStringType: return "a text";
    case rapidjson::kNumberType: return "a number";
    case rapidjson::kArrayType: return "an array";
    case rapidjson::kObjectType: break;
  }
  return "an object";
}

void parse_summary(const std::string& path, const std::string& text, rapidjson::Document& out) {
  try {
    out = pytext::read_json_document(text, path);
  } catch (const base::error& e) {
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    if (last != std::string::npos && text[last] == ']') throw;
    throw base::error("the file is cut: " + e.message(), cut_remedy, e.where());
  }
  if (!out.IsArray())
    throw base::error(std::string("expected an array of run objects, not ") + kind_of(out), {},
                      {path, line_at(text, text.find_first_not_of(" \t\r\n")), 0});
  for (rapidjson::SizeType i = 0; i < out.Size(); ++i)
    if (!out[i].IsObject())
      throw base::error(
          "run " + std::to_string(i) + " of the array is " + kind_of(out[i]) + " and not an object",
          {}, {path, line_of_item(text, i), 0});
}

/// The result writer writes infinite numbers as texts, because JSON does not have them.
void read_infinities(base::json_value& object) {
  for (auto& member : object.GetObject()) {
    const std::string_view text = base::text_of(&member.value);
    if (text == "inf") member.value.SetDouble(std::numeric_limits<double>::infinity());
    if (text == "-inf") member.value.SetDouble(-std::numeric_limits<double>::infinity());
    if (text == "nan") member.value.SetDouble(std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace

void run_table::add(const std::string& path) {
  const std::string text = base::read_file(path);
  auto source = std::make_unique<summary_source>();
  source->path = path;
  parse_summary(path, text, source->document);
  std::size_t number = 0;
  for (base::json_value& object : source->document.GetArray()) {
    read_infinities(object);
    rows_.push_back({&object, &source->path, number++, source->document.Size()});
  }
  sources_.push_back(std::move(source));
}

run_table run_table::read(const std::string& folder) {
  std::error_code unknown;
  if (!fs::is_directory(folder, unknown))
    throw base::error(
        folder + (fs::exists(folder, unknown) ? " is not a folder" : " does not exist"),
        "name the folder of an experiment");
  std::vector<std::string> paths;
  collect_summaries(folder, paths);
  if (paths.empty())
    throw base::error("there is no summary.json below " + folder,
                      "name the folder of an experiment, which `inferbench sweep serve` wrote");
  std::ranges::sort(paths, natural_less);
  run_table out;
  for (const std::string& path : paths)
    out.add(path);
  return out;
}

}  // namespace inferbench::plot
