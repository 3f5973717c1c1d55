#include "metrics/ledger.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <inferbench/json_writer.hpp>
#include <inferbench/text.hpp>

namespace inferbench::metrics {
namespace {

constexpr std::size_t error_limit = 2048;

std::string cut(const std::string& text) {
  if (text.size() <= error_limit) return text;
  return std::string(ifb::cut_utf8(text, error_limit)) + "...";
}

// If there are more kinds, further failures are grouped only by class and status.
constexpr std::size_t most_kinds = 64;
// If one kind has more than this number of different messages, they are counted together.
constexpr std::size_t most_alike = 4;

// The message with "#" in place of each number and each word that contains a digit (an id, an
// address), cut after about 200 bytes. Messages that differ only in such words, or only after the
// cut, have the same shape.
std::string shape_of(std::string_view message) {
  constexpr std::size_t enough = 200;
  const auto in_word = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '-';
  };
  std::string out;
  for (std::size_t i = 0; i < message.size() && out.size() < enough;) {
    std::size_t end = i;
    bool digit = false;
    for (; end < message.size() && in_word(message[end]); ++end)
      digit = digit || (message[end] >= '0' && message[end] <= '9');
    if (end == i)
      out += message[i++];
    else
      out += digit ? std::string_view("#") : message.substr(i, end - i), i = end;
  }
  return out;
}

}  // namespace

std::string_view class_of(ifb_status status) noexcept {
  switch (status) {
    case IFB_OK: return "ok";
    case IFB_E_CONFIG: return "config";
    case IFB_E_UNSUPPORTED: return "unsupported";
    case IFB_E_IO: return "io";
    case IFB_E_PROTOCOL: return "protocol";
    case IFB_E_REMOTE: return "remote";
    case IFB_E_TIMEOUT: return "timeout";
    case IFB_E_CANCELLED: return "cancelled";
    case IFB_E_MEMORY: return "memory";
    case IFB_E_DATA: return "data";
    default: return "internal";
  }
}

bool never_sent(const client::record& record) noexcept {
  return record.status == IFB_E_CANCELLED && record.start_ns == 0;
}

void ledger::add(const client::record& record, token_source source) {
  if (never_sent(record)) {
    ++never_sent_;
    return;
  }
  if (record.sent_again) ++sent_again_;
  ++statuses_[record.http_status];
  if (record.ok()) {
    ++ok_;
    if (without_end_mark(record)) ++unmarked_;
    if (shorter_than_promised(record)) ++short_;
    ++counted_[static_cast<std::size_t>(source)];
    return;
  }
  ++(record.status == IFB_E_CANCELLED ? cancelled_ : failed_);
  add_failure(record);
}

void ledger::failure::add(std::uint64_t sequence, const std::string& error) {
  if (count == 0 || sequence < first_sequence) {
    first_sequence = sequence;
    first = error;
  }
  ++count;
}

// Each message is counted separately, unless one kind has many different messages. A server that
// numbers its messages must not fill the memory of a long run or the report.
void ledger::add_failure(const client::record& record) {
  const std::string error = cut(record.error);
  kind key{record.status, record.http_status, shape_of(error)};
  if (failures_.size() >= most_kinds && !failures_.contains(key))
    std::get<std::string>(key).clear();
  family& into = failures_[std::move(key)];
  into.all.add(record.sequence, error);
  if (into.many) return;
  into.members[error].add(record.sequence, error);
  into.many = into.members.size() > most_alike;
  if (into.many) into.members.clear();
}

void ledger::write(ifb::json_writer& out, std::int64_t planned, bool broken_off) const {
  // In a run with a time limit, the number of requests in the schedule is not always known:
  // `planned` may be 0 or less than the number of requests with a record. All requests with a
  // record then count as planned.
  const std::uint64_t known = sent() + never_sent_;
  const std::uint64_t all =
      std::max(known, static_cast<std::uint64_t>(std::max<std::int64_t>(planned, 0)));
  out.key("accounting");
  out.begin_object();
  out.member("planned", all);
  out.member("sent", sent());
  out.member("never_sent", broken_off ? never_sent_ : all - sent());
  if (broken_off) out.member("not_recorded", all - known);
  out.member("ok", ok_);
  out.member("failed", failed_);
  out.member("cancelled", cancelled_);
  out.member("sent_again", sent_again_);
  out.member("without_end_mark", unmarked_);
  out.member("shorter_than_promised", short_);
  out.end_object();

  out.key("http_status");
  out.begin_object();
  for (const auto& [status, count] : statuses_)
    out.member(status == 0 ? "none" : std::to_string(status), count);
  out.end_object();

  struct entry {
    ifb_status status;
    std::uint32_t http_status;
    const failure* what;
    bool many;
  };
  std::vector<entry> failures;
  for (const auto& [key, each] : failures_) {
    if (each.many) failures.push_back({std::get<0>(key), std::get<1>(key), &each.all, true});
    for (const auto& [text, one] : each.members)
      failures.push_back({std::get<0>(key), std::get<1>(key), &one, false});
  }
  // The most frequent failures come first. Failures with the same count are sorted by class, status
  // and message.
  std::ranges::sort(failures, [](const entry& a, const entry& b) {
    return std::tuple(b.what->count, a.status, a.http_status, std::string_view(a.what->first)) <
           std::tuple(a.what->count, b.status, b.http_status, std::string_view(b.what->first));
  });
  out.key("errors");
  out.begin_array();
  for (const entry& e : failures) {
    out.begin_object();
    out.member("class", class_of(e.status));
    out.member("http_status", e.http_status);
    out.member("count", e.what->count);
    out.member("first", e.what->first);
    if (e.many) out.member("others_differ", true);
    out.end_object();
  }
  out.end_array();
}

void ledger::write_token_sources(ifb::json_writer& out) const {
  out.key("output_tokens_from");
  out.begin_object();
  out.member("server", counted_[static_cast<std::size_t>(token_source::server)]);
  out.member("text", counted_[static_cast<std::size_t>(token_source::text)]);
  out.member("assumed", counted_[static_cast<std::size_t>(token_source::assumed)]);
  out.end_object();
}

}  // namespace inferbench::metrics
