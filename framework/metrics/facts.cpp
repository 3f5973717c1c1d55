#include "metrics/facts.hpp"

#include <algorithm>
#include <iterator>
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
    ++counted_[static_cast<std::size_t>(source)];
    return;
  }
  ++(record.status == IFB_E_CANCELLED ? cancelled_ : failed_);
  failure& kind = failures_[{record.status, record.http_status}];
  if (kind.count++ == 0 || record.sequence < kind.first_sequence) {
    kind.first_sequence = record.sequence;
    kind.first = cut(record.error);
  }
}

void ledger::merge(const ledger& other) {
  ok_ += other.ok_;
  failed_ += other.failed_;
  cancelled_ += other.cancelled_;
  never_sent_ += other.never_sent_;
  sent_again_ += other.sent_again_;
  for (std::size_t i = 0; i < std::size(counted_); ++i)
    counted_[i] += other.counted_[i];
  for (const auto& [status, count] : other.statuses_)
    statuses_[status] += count;
  for (const auto& [key, theirs] : other.failures_) {
    failure& ours = failures_[key];
    if (ours.count == 0 || theirs.first_sequence < ours.first_sequence) {
      ours.first_sequence = theirs.first_sequence;
      ours.first = theirs.first;
    }
    ours.count += theirs.count;
  }
}

void ledger::write(ifb::json_writer& out, std::int64_t planned, bool broken_off) const {
  // A schedule that ends by time is not known beforehand; it planned what there is.
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
  out.end_object();

  out.key("http_status");
  out.begin_object();
  for (const auto& [status, count] : statuses_)
    out.member(status == 0 ? "none" : std::to_string(status), count);
  out.end_object();

  using entry = const std::pair<const std::pair<ifb_status, std::uint32_t>, failure>*;
  std::vector<entry> failures;
  for (const auto& item : failures_)
    failures.push_back(&item);
  // The most frequent first; equally frequent ones as the map has them.
  std::ranges::sort(failures, [](entry a, entry b) {
    return a->second.count != b->second.count ? a->second.count > b->second.count
                                              : a->first < b->first;
  });
  out.key("errors");
  out.begin_array();
  for (const entry e : failures) {
    out.begin_object();
    out.member("class", class_of(e->first.first));
    out.member("http_status", e->first.second);
    out.member("count", e->second.count);
    out.member("first", e->second.first);
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
