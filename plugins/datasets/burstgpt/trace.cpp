#include "trace.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

#include "csv.hpp"

namespace {

// Far above the length of any real prompt or answer. A row with a larger number is unreadable.
constexpr double most_tokens = 16'777'216;

struct columns {
  std::size_t model, request, response;
};

[[noreturn]] void refuse(const std::string& what) { throw ifb::failure(IFB_E_DATA, what, "path"); }

columns columns_of(const std::vector<std::string>& names, const std::string& path) {
  const auto find = [&](std::string_view name) {
    const auto at = std::ranges::find_if(
        names, [&](const std::string& each) { return ifb::trim(each) == name; });
    if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
    std::string known;
    for (const std::string& each : names)
      known += (known.empty() ? "" : ", ") + std::string(ifb::cut_utf8(each, 40));
    refuse(path + ": there is no column \"" + std::string(name) + "\", only " +
           std::string(ifb::cut_utf8(known, 300)));
  };
  return {find("Model"), find("Request tokens"), find("Response tokens")};
}

// Returns the number of tokens in a cell; nullopt if the cell is missing or has no such number. The
// number may be written as 395.0: pandas writes so if other cells of the column are empty.
std::optional<std::uint32_t> tokens_of(const std::vector<std::string>& fields, std::size_t column) {
  if (column >= fields.size()) return std::nullopt;
  const std::string_view text = ifb::trim(fields[column]);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!(value >= 0 && value <= most_tokens) || value != std::floor(value)) return std::nullopt;
  return static_cast<std::uint32_t>(value);
}

std::string rows_text(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " row" : " rows");
}

}  // namespace

std::vector<trace_row> read_trace(ifb::host host, const files::text_file& file) {
  constexpr std::size_t step = std::size_t{16} << 20U;  // bytes between reports of progress
  csv_walk walk(file.text());
  if (!walk.next()) refuse(file.path() + ": the file is empty; a CSV table is needed");
  const columns where = columns_of(walk.fields(), file.path());
  std::vector<trace_row> out;
  std::uint64_t others = 0;      // rows of other models
  std::uint64_t unanswered = 0;  // rows whose answer has 0 tokens: failed requests
  std::uint64_t unreadable = 0;
  std::size_t first = 0;  // line of the first unreadable row
  for (std::size_t told = 0; walk.next();) {
    const auto& fields = walk.fields();
    if (where.model >= fields.size() || fields[where.model] != "GPT-4") {
      ++others;
    } else {
      const auto request = tokens_of(fields, where.request);
      const auto response = tokens_of(fields, where.response);
      if (response == 0U)
        ++unanswered;
      else if (request && response)
        out.push_back({*request, *response});
      else if (unreadable++ == 0)
        first = walk.line();
    }
    if (walk.offset() - told < step) continue;
    told = walk.offset();
    host.progress().report("reading " + file.path(), told, file.text().size());
    if (host.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped");
  }
  if (unreadable != 0)
    host.warn(rows_text(unreadable) + " dropped: no number of tokens (first: line " +
              std::to_string(first) + " of " + file.path() + ")");
  if (out.empty())
    refuse(file.path() + ": no row is left: " + std::to_string(others) +
           " of other models than GPT-4, " + std::to_string(unanswered) + " without an answer, " +
           std::to_string(unreadable) + " without a number of tokens");
  return out;
}
