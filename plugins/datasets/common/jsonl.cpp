#include "jsonl.hpp"

#include <algorithm>
#include <cstring>

#include <sys/mman.h>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

namespace files {

namespace {

constexpr std::size_t stretch = 8192;

// The number of bytes to read before memory is given back.
constexpr std::size_t step = std::size_t{16} << 20U;

// The maximum number of bytes that the system maps around a byte that is read. On Linux 6.18, 1.3
// MB were counted for each of some thousand offsets in a file of 2 GB.
constexpr std::size_t around = std::size_t{2} << 20U;

// The largest page size of any supported system.
constexpr std::size_t page = 65536;

std::string trouble(rapidjson::ParseErrorCode code, bool at_end) {
  if (code == rapidjson::kParseErrorStringInvalidEncoding) return "text that is not UTF-8";
  if (at_end) return "malformed JSON: the line ends inside the row";
  return "malformed JSON: " + said_of(code);
}

}  // namespace

const rapidjson::Value& json_row::at(std::string_view name) const {
  if (const auto* const found = find(document_, name)) return *found;
  const std::string others = members();
  refuse("there is no \"" + std::string(name) + "\"" + (others.empty() ? "" : ", only " + others));
}

void json_row::refuse(const std::string& what) const {
  throw row_fault(path_, std::to_string(line_), what);
}

std::string json_row::members() const {
  constexpr std::size_t enough = 300;
  std::string out;
  for (const auto& each : document_.GetObject()) {
    if (out.size() > enough) break;
    out += (out.empty() ? "" : ", ") +
           std::string(ifb::cut_utf8(string_of(&each.name).value_or(""), 40));
  }
  return std::string(ifb::cut_utf8(out, enough));
}

json_lines::json_lines(ifb::host host, const std::string& path) : file_(path) { find_rows(host); }

std::size_t json_lines::end_of_line(std::size_t at) const noexcept {
  const std::string_view text = file_.text();
  if (at >= text.size()) return text.size();
  const void* const found = std::memchr(text.data() + at, '\n', text.size() - at);
  return found == nullptr ? text.size()
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

void json_lines::find_rows(ifb::host host) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  const std::string_view text = file_.text();
  if (text.starts_with(byte_order_mark)) begin_ = byte_order_mark.size();
  marks_.reserve(text.size() / stretch + 1);
  std::uint64_t lines = 0;
  std::size_t told = 0;
  for (std::size_t at = begin_; at < text.size(); ++lines) {
    while (marks_.size() <= at / stretch)
      marks_.push_back({rows_, lines});
    const std::size_t end = end_of_line(at);
    if (!ifb::trim(text.substr(at, end - at)).empty()) ++rows_;
    at = end + 1;
    if (end - told < step) continue;
    give_back(told, end);
    told = end;
    host.progress().report("reading " + file_.path(), told, text.size());
    if (host.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped");
  }
  give_back(told, text.size());
}

json_lines::found_line json_lines::find(std::uint64_t row) const {
  const std::string_view text = file_.text();
  const auto after = std::ranges::upper_bound(marks_, row, {}, &mark::rows);
  const auto before = after - 1;
  std::uint64_t number = before->lines;
  std::uint64_t left = row - before->rows;  // rows of this stretch to skip
  const auto where = static_cast<std::size_t>(before - marks_.begin()) * stretch;
  std::size_t at = std::max(where, begin_);
  if (at > begin_ && text[at - 1] != '\n') at = end_of_line(at) + 1;
  for (;;) {
    const std::size_t end = end_of_line(at);
    const std::string_view line = text.substr(std::min(at, end), end - std::min(at, end));
    ++number;
    if (!ifb::trim(line).empty() && left-- == 0) return {line, number};
    if (end == text.size())
      throw ifb::failure(IFB_E_DATA, file_.path() + ": changed while it was in use", "path");
    at = end + 1;
  }
}

void json_lines::read(std::uint64_t row, json_row& out) const {
  constexpr unsigned flags =
      json_flags | rapidjson::kParseValidateEncodingFlag | rapidjson::kParseFullPrecisionFlag;
  const found_line line = find(row);
  out.path_ = file_.path();
  out.text_ = line.text;
  out.line_ = line.number;
  out.document_.SetNull();
  out.document_.GetAllocator().Clear();
  json_stream stream(line.text);
  out.document_.ParseStream<flags>(stream);
  const auto refuse_at = [&](std::size_t offset, const std::string& what) {
    throw row_fault(path(), std::to_string(line.number) + ":" + std::to_string(offset + 1), what);
  };
  if (out.document_.HasParseError()) {
    const std::size_t offset = std::min(out.document_.GetErrorOffset(), line.text.size());
    const bool at_end = ifb::trim(line.text.substr(offset)).empty();
    refuse_at(offset, trouble(out.document_.GetParseError(), at_end));
  }
  const std::size_t end = stream.Tell();
  if (!ifb::trim(line.text.substr(end)).empty())
    refuse_at(end, "malformed JSON: text after the row; a row is one JSON object on one line");
  if (!out.document_.IsObject()) out.refuse("the row is not a JSON object");

  note(static_cast<std::size_t>(line.text.data() - file_.text().data()), line.text.size());
}

// If a row follows the row that was read before, its pages are already mapped. Giving memory back
// after every few of these rows would take longer than reading them.
void json_lines::note(std::size_t begin, std::size_t size) const {
  const std::size_t last = last_.exchange(begin + size, std::memory_order_relaxed);
  // Rows that several threads read at the same time are near each other, too.
  const bool follows = (begin >= last ? begin - last : last - begin) < around;
  const std::size_t more = size + (follows ? 0 : around);
  if (looked_at_.fetch_add(more, std::memory_order_relaxed) + more < step) return;
  looked_at_.store(0, std::memory_order_relaxed);
  give_back(0, file_.text().size());
}

// The pages stay in the system's cache; only this process gives them up. Views stay valid, because
// the pages are mapped again when they are read.
void json_lines::give_back(std::size_t begin, std::size_t end) const noexcept {
  if (!file_.mapped()) return;
  const std::size_t first = begin / page * page;
  if (end > first)
    ::madvise(const_cast<char*>(file_.text().data()) + first, end - first, MADV_DONTNEED);
}

}  // namespace files
