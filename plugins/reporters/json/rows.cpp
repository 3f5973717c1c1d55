#include "rows.hpp"

#include <algorithm>

#include <inferbench/views.hpp>

namespace reporters {
namespace {

std::int64_t difference(std::uint64_t from, std::uint64_t to) {
  return static_cast<std::int64_t>(to - from);
}

/// 0 when `to` did not happen.
std::uint64_t since(std::uint64_t from, std::uint64_t to) { return to > from ? to - from : 0; }

std::unique_ptr<detail> detail_of(const ifb_record& r, bool pooling, std::uint64_t started_ns) {
  auto out = std::make_unique<detail>();
  const bool ok = r.status == IFB_OK;
  out->input = std::max<std::int64_t>(r.prompt_tokens, 0);
  if (!ok) {
    out->error = ifb::view(r.error);
    // The empty text says "succeeded".
    if (out->error.empty()) out->error = "failed without a reason";
  }
  if (pooling) return out;
  out->output = ok ? std::max<std::int64_t>(r.output_tokens, 0) : 0;
  out->start_ns = difference(started_ns, r.start_ns);
  out->ttft_ns = since(r.start_ns, r.first_token_ns);
  if (ok) out->text = ifb::view(r.text);
  const auto stamps = ifb::stamps_of(r);
  out->itl.reserve(stamps.size());
  for (std::size_t i = 1; i < stamps.size(); ++i)
    out->itl.push(since(stamps[i - 1], stamps[i]));
  return out;
}

}  // namespace

row row_of(const ifb_record& r, bool pooling, bool detailed, std::uint64_t started_ns) {
  row out;
  out.sequence = r.sequence;
  out.queue_ns = difference(r.due_ns, r.start_ns);
  if (r.status == IFB_OK) out.latency_ns = since(r.start_ns, pooling ? r.end_ns : r.last_token_ns);
  if (detailed) out.more = detail_of(r, pooling, started_ns);
  return out;
}

void sort(std::vector<row>& rows) { std::ranges::sort(rows, {}, &row::sequence); }

}  // namespace reporters
