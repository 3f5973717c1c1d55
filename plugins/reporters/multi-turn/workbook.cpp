#include "workbook.hpp"

#include <cmath>
#include <cstddef>
#include <string_view>

#include <xlsxwriter.h>

#include <inferbench/guard.hpp>

namespace multi_turn {

namespace {

/// A sheet with a position in it. Numbers that are not finite leave the cell empty. A sheet of
/// Excel has 1,048,576 rows; libxlsxwriter leaves out rows beyond them.
class sheet {
 public:
  sheet(lxw_workbook* book, const char* name) : sheet_(workbook_add_worksheet(book, name)) {}

  void text(std::string_view value) {
    // An Excel cell has 32,767 characters at most.
    const std::string whole(value.substr(0, 32'000));
    worksheet_write_string(sheet_, row_, column_++, whole.c_str(), nullptr);
  }
  void number(double value) {
    if (std::isfinite(value)) worksheet_write_number(sheet_, row_, column_, value, nullptr);
    ++column_;
  }
  void next_row() {
    ++row_;
    column_ = 0;
  }

 private:
  lxw_worksheet* sheet_;
  lxw_row_t row_ = 0;
  lxw_col_t column_ = 0;
};

void write_summary(sheet& to, const shared_summary& from) {
  const auto& [share, summary] = from;
  if (!share.empty()) {
    to.text("without the first share of the requests");
    to.text(share);
    to.next_row();
  }
  to.text("runtime_sec");
  to.number(summary.runtime_s);
  to.next_row();
  to.text("requests_per_sec");
  to.number(summary.requests_per_s);
  to.next_row();
  to.text("");
  for (const std::string& column : summary.table.columns)
    to.text(column);
  to.next_row();
  for (std::size_t i = 0; i < summary.table.names.size(); ++i) {
    to.text(summary.table.names[i]);
    for (const double value : summary.table.rows[i])
      to.number(value);
    to.next_row();
  }
  to.next_row();
}

void write_requests(sheet& to, std::span<const turn_request> requests) {
  for (const char* const name :
       {"ttft_ms", "tpot_ms", "latency_ms", "start_time_ms", "input_num_turns", "input_num_tokens",
        "output_num_tokens", "output_num_chunks", "output_num_first_chunk_tokens",
        "approx_cached_percent", "conversation_id", "client_id"})
    to.text(name);
  to.next_row();
  for (const turn_request& each : requests) {
    for (const double value : {each.ttft_ms, each.tpot_ms, each.latency_ms, each.start_time_ms})
      to.number(value);
    for (const std::int64_t value :
         {each.input_num_turns, each.input_num_tokens, each.output_num_tokens,
          each.output_num_chunks, each.output_num_first_chunk_tokens})
      to.number(static_cast<double>(value));
    to.number(each.approx_cached_percent);
    to.text(each.conversation_id);
    to.number(static_cast<double>(each.client_id));
    to.next_row();
  }
}

}  // namespace

void write_workbook(const std::filesystem::path& file, const std::vector<std::string>& parameters,
                    std::span<const shared_summary> summaries,
                    std::span<const turn_request> requests) {
  lxw_workbook* const book = workbook_new(file.c_str());
  if (book == nullptr) throw ifb::failure(IFB_E_MEMORY, "no memory for " + file.string());
  sheet summary(book, "Summary");
  for (const std::string& line : parameters) {
    const std::size_t equals = line.find('=');
    summary.text(std::string_view(line).substr(0, equals));
    if (equals != std::string::npos) summary.text(std::string_view(line).substr(equals + 1));
    summary.next_row();
  }
  summary.next_row();
  for (const shared_summary& each : summaries)
    write_summary(summary, each);
  sheet rows(book, "Raw data");
  write_requests(rows, requests);
  if (const lxw_error problem = workbook_close(book); problem != LXW_NO_ERROR)
    throw ifb::failure(IFB_E_IO, "cannot write " + file.string() + ": " + lxw_strerror(problem));
}

}  // namespace multi_turn
