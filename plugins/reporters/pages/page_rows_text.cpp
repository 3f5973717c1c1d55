// Writes the rows of a page: their JSON, and the bytes of columns and gaps.
#include "page_rows.hpp"
#include "varint.hpp"

namespace reporters {

bool page_rows::has_all_gaps() const noexcept {
  return gaps_.keeps_all() && order_.size() == total_;
}

void page_rows::write(ifb::json_writer& out, std::string_view id,
                      const std::vector<std::string>& servers) const {
  const auto list = [&](std::string_view name, const auto& texts) {
    out.key(name);
    out.begin_array();
    for (const std::string& each : texts)
      out.string(each);
    out.end_array();
  };
  out.begin_object();
  out.member("id", id);
  out.member("count", order_.size());
  out.member("total", total_);
  out.key("columns");
  out.begin_array();
  for (const column_format& each : column_formats()) {
    out.begin_object();
    out.member("name", each.name);
    out.member("type", name_of(each.type));
    if (each.time) out.member("scale", 1e-3);
    if (each.other)
      out.member("relative", column_formats()[static_cast<std::size_t>(*each.other)].name);
    out.end_object();
  }
  out.end_array();
  out.key("strings");
  out.begin_object();
  list("session", sessions_.texts());
  list("error", errors_.texts());
  list("finish_reason", finish_reasons_.texts());
  list("class", classes_.texts());
  list("server", servers);
  out.end_object();
  out.key("gaps");
  out.begin_object();
  std::uint64_t kept = 0;
  for (const gap_store::gap_list& each : kept_gaps_)
    kept += each.count;
  out.member("kind", kept_gaps_.empty() ? "none" : has_all_gaps() ? "all" : "some");
  out.member("kept", kept);
  out.member("total", gaps_.total());
  if (!kept_gaps_.empty() && !has_all_gaps()) {
    out.key("rows");
    out.begin_array();
    for (const std::size_t row : gap_rows_)
      out.integer(row);
    out.end_array();
  }
  out.key("histogram");
  histogram_.write(out);
  out.end_object();
  out.key("class_limits_ms");
  out.begin_array();
  for (const double limit : chosen_.limits)
    out.number(limit);
  out.end_array();
  out.end_object();
}

void page_rows::write_texts(ifb::json_writer& out) const {
  out.begin_array();
  for (std::size_t i = 0; i < kept_texts_.size(); ++i) {
    out.begin_object();
    out.member("row", text_rows_[i]);
    out.member("text", kept_texts_[i].value.text);
    out.member("error", kept_texts_[i].value.error);
    out.end_object();
  }
  out.end_array();
}

void page_rows::write_bytes(const request_columns::sink& out) const {
  columns_.write(order_, out);
  if (kept_gaps_.empty()) return;
  std::string bytes;
  std::size_t next = 0;
  for (std::size_t row = 0; row < sequences_.size(); ++row) {
    const bool has = next < gap_rows_.size() && gap_rows_[next] == row;
    if (!has && !has_all_gaps()) continue;
    append_varint(bytes, has ? kept_gaps_[next].count : 0);
    if (has) bytes += kept_gaps_[next++].bytes;
    constexpr std::size_t piece = std::size_t{64} << 10U;
    if (bytes.size() < piece) continue;
    out(bytes);
    bytes.clear();
  }
  out(bytes);
}

}  // namespace reporters
