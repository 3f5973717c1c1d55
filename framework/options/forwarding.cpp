#include "options/forwarding.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "plugin/option_names.hpp"

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
    forwarding{IFB_DATASET, "conversations", "load.multi-turn"},
    forwarding{IFB_DATASET, "trust-remote-code", "tokenizer.trust-remote-code"},
    forwarding{IFB_REPORTER, "result-dir", "run.result-dir"},
    forwarding{IFB_REPORTER, "result-filename", "run.result-filename"},
    forwarding{IFB_REPORTER, "save-detailed", "run.save-detailed"},
    forwarding{IFB_REPORTER, "append-result", "run.append-result"},
    forwarding{IFB_REPORTER, "label", "run.label"},
    forwarding{IFB_REPORTER, "metadata", "run.metadata"},
    forwarding{IFB_REPORTER, "itl-thresholds", "run.timeline-itl-thresholds"}};

}  // namespace

std::string_view forwarded_path(const option& declared) noexcept {
  if (!declared.of_run) return {};
  const auto found = std::ranges::find_if(forwardings, [&](const forwarding& f) {
    return plugin::name_of(f.kind) == declared.table && f.name == declared.name;
  });
  return found == forwardings.end() ? std::string_view{} : found->path;
}

bool is_forwarded(ifb_kind kind, std::string_view path) noexcept {
  return std::ranges::any_of(forwardings,
                             [&](const forwarding& f) { return f.kind == kind && f.path == path; });
}

bool has_host_flag(ifb_kind kind, std::string_view option) noexcept {
  const bool length = kind == IFB_DATASET && (option == "input-len" || option == "output-len");
  return !length && plugin::is_general(kind, option, IFB_OPT_GENERAL);
}

std::string_view flag_for(const option& declared, std::span<const option> keys) {
  if (!declared.flag.empty() || !declared.of_run) return declared.flag;
  const std::string_view elsewhere = forwarded_path(declared);
  const std::string path = elsewhere.empty() ? declared.path() : std::string(elsewhere);
  const auto key = std::ranges::find_if(keys, [&](const option& k) {
    return k.path() == path && k.member.empty() && k.instead.empty();
  });
  return key == keys.end() ? std::string_view{} : std::string_view(key->flag);
}

}  // namespace inferbench::options
