#include "request_times.hpp"

#include <algorithm>

#include <inferbench/views.hpp>

namespace reporters {
namespace {

std::optional<std::uint64_t> passed(std::uint64_t from, std::uint64_t to) {
  if (from == 0 || to == 0) return std::nullopt;
  return to > from ? to - from : 0;
}

}  // namespace

request_latencies latencies_of(const ifb_record& r, bool pooling) {
  request_latencies out;
  const auto stamps = ifb::stamps_of(r);
  for (std::size_t i = 1; i < stamps.size(); ++i) {
    const std::uint64_t gap = stamps[i] > stamps[i - 1] ? stamps[i] - stamps[i - 1] : 0;
    out.longest_gap_ns = std::max(out.longest_gap_ns.value_or(0), gap);
  }
  if (r.status != IFB_OK) return out;
  if (pooling) {
    out.e2el_ns = passed(r.start_ns, r.end_ns);
    return out;
  }
  out.ttft_ns = passed(r.start_ns, r.first_token_ns);
  out.e2el_ns = passed(r.start_ns, r.last_token_ns);
  const auto generation = passed(r.first_token_ns, r.last_token_ns);
  if (generation && r.output_tokens > 1)
    out.tpot_ns = static_cast<double>(*generation) / static_cast<double>(r.output_tokens - 1);
  return out;
}

std::string_view status_class(ifb_status status) noexcept {
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

}  // namespace reporters
