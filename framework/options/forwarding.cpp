#include "options/forwarding.hpp"

#include <algorithm>
#include <array>

namespace inferbench::options {

namespace {

struct forwarding {
  ifb_kind kind;
  std::string_view name;
  std::string_view path;
};
constexpr std::array forwardings{
    forwarding{IFB_BACKEND, "api-key", "server.api-key"},
    forwarding{IFB_TOKENIZER, "model", "backend.model"},
    forwarding{IFB_TOKENIZER, "chat-template-kwargs", "dataset.chat-template-kwargs"},
    forwarding{IFB_DATASET, "trust-remote-code", "tokenizer.trust-remote-code"},
    forwarding{IFB_REPORTER, "result-dir", "run.result-dir"},
    forwarding{IFB_REPORTER, "result-filename", "run.result-filename"},
    forwarding{IFB_REPORTER, "save-detailed", "run.save-detailed"},
    forwarding{IFB_REPORTER, "append-result", "run.append-result"},
    forwarding{IFB_REPORTER, "label", "run.label"},
    forwarding{IFB_REPORTER, "metadata", "run.metadata"},
    forwarding{IFB_REPORTER, "itl-thresholds", "run.timeline-itl-thresholds"}};

// Options whose host key has the same table and the same name.
struct same_path {
  ifb_kind kind;
  std::string_view name;
};
constexpr std::array same_paths{same_path{IFB_BACKEND, "model"},
                                same_path{IFB_BACKEND, "endpoint"},
                                same_path{IFB_BACKEND, "ignore-eos"},
                                same_path{IFB_BACKEND, "logprobs"},
                                same_path{IFB_BACKEND, "extra-body"},
                                same_path{IFB_DATASET, "path"},
                                same_path{IFB_DATASET, "no-stream"},
                                same_path{IFB_DATASET, "skip-chat-template"},
                                same_path{IFB_DATASET, "enable-multimodal-chat"},
                                same_path{IFB_DATASET, "chat-template-kwargs"},
                                same_path{IFB_TOKENIZER, "path"},
                                same_path{IFB_TOKENIZER, "trust-remote-code"}};

}  // namespace

std::string_view forwarded_path(ifb_kind kind, std::string_view option) noexcept {
  const auto found = std::ranges::find_if(
      forwardings, [&](const forwarding& f) { return f.kind == kind && f.name == option; });
  return found == forwardings.end() ? std::string_view{} : found->path;
}

bool is_forwarded(ifb_kind kind, std::string_view path) noexcept {
  return std::ranges::any_of(forwardings,
                             [&](const forwarding& f) { return f.kind == kind && f.path == path; });
}

bool has_host_flag(ifb_kind kind, std::string_view option) noexcept {
  return !forwarded_path(kind, option).empty() ||
         std::ranges::any_of(
             same_paths, [&](const same_path& s) { return s.kind == kind && s.name == option; });
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

}  // namespace inferbench::options
