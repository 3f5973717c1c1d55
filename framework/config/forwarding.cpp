#include "config/forwarding.hpp"

#include <algorithm>
#include <array>

namespace inferbench::config {

namespace {

struct forwarding {
  ifb_kind kind;
  std::string_view name;
  std::string_view path;
};
constexpr std::array forwardings{
    forwarding{IFB_TOKENIZER, "model", "backend.model"},
    forwarding{IFB_DATASET, "trust-remote-code", "tokenizer.trust-remote-code"},
    forwarding{IFB_REPORTER, "result-dir", "run.result-dir"},
    forwarding{IFB_REPORTER, "result-filename", "run.result-filename"},
    forwarding{IFB_REPORTER, "save-detailed", "run.save-detailed"},
    forwarding{IFB_REPORTER, "append-result", "run.append-result"},
    forwarding{IFB_REPORTER, "label", "run.label"},
    forwarding{IFB_REPORTER, "metadata", "run.metadata"},
    forwarding{IFB_REPORTER, "itl-thresholds", "run.timeline-itl-thresholds"}};

}  // namespace

std::string_view forwarded_path(ifb_kind kind, std::string_view option) noexcept {
  const auto found = std::ranges::find_if(
      forwardings, [&](const forwarding& f) { return f.kind == kind && f.name == option; });
  return found == forwardings.end() ? std::string_view{} : found->path;
}

std::string_view flag_for(const option& declared, ifb_kind kind, std::span<const option> keys) {
  if (!declared.flag.empty()) return declared.flag;
  const std::string_view elsewhere = forwarded_path(kind, declared.name);
  const std::string path = elsewhere.empty() ? declared.path() : std::string(elsewhere);
  const auto key = std::ranges::find_if(keys, [&](const option& k) {
    return k.path() == path && k.member.empty() && k.instead.empty();
  });
  return key == keys.end() ? std::string_view{} : std::string_view(key->flag);
}

}  // namespace inferbench::config
