#include "csv.hpp"

#include <algorithm>

csv_walk::csv_walk(std::string_view text) : text_(text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
}

bool csv_walk::next() {
  while (at_ < text_.size()) {
    line_ = lines_;
    read_row();
    if (fields_.size() > 1 || !fields_.front().empty()) return true;
  }
  return false;
}

void csv_walk::read_row() {
  for (std::size_t count = 0;; ++at_) {
    if (fields_.size() == count) fields_.emplace_back();
    read_field(fields_[count++]);
    if (at_ < text_.size() && text_[at_] == ',') continue;
    fields_.resize(count);
    break;
  }
  // Skips the line ending.
  if (at_ < text_.size() && text_[at_] == '\r') ++at_;
  if (at_ < text_.size() && text_[at_] == '\n') ++at_;
  ++lines_;
}

void csv_walk::read_field(std::string& out) {
  out.clear();
  if (at_ < text_.size() && text_[at_] == '"') {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        if (text_.substr(at_ + 1, 1) != "\"") break;
        ++at_;
      }
      lines_ += text_[at_] == '\n' ? 1 : 0;
      out += text_[at_];
    }
    if (at_ < text_.size()) ++at_;  // skips the closing quote
  }
  const std::size_t end = std::min(text_.find_first_of(",\r\n", at_), text_.size());
  out += text_.substr(at_, end - at_);
  at_ = end;
}
