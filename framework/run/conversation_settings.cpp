#include "run/conversation_settings.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/error.hpp"

namespace inferbench::run {

namespace {

/// The limit of conversations in progress. With --multi-turn all of them begin at once, unless
/// there is no end of them.
std::optional<std::size_t> most_active(const config::plan& plan, bool endless) {
  if (plan.load.max_active_conversations) return plan.load.max_active_conversations;
  if (plan.load.multi_turn.on && !endless) return std::numeric_limits<std::size_t>::max();
  if (!plan.load.max_concurrency) return std::nullopt;
  return static_cast<std::size_t>(*plan.load.max_concurrency);
}

}  // namespace

void require_conversations(const config::plan& plan) {
  const char* flag = nullptr;
  if (plan.load.max_active_conversations) flag = "--max-active-conversations";
  if (plan.load.clients.number) flag = "--conversation-clients";
  if (!plan.load.turn_body.empty()) flag = "--turn-body";
  if (!plan.load.session_header.empty()) flag = "--session-header";
  if (plan.load.multi_turn.on) flag = "--multi-turn";
  if (flag == nullptr) return;
  throw base::error(
      fmt::format("the dataset {} has no conversations", plan.dataset_name),
      "leave it out, or choose a dataset of conversations: conversations, sharegpt with "
      "--sharegpt-multi-turn, or random and sharegpt with --multi-turn",
      {flag, 0, 0});
}

conversations::settings schedule_settings(const config::plan& plan, bool endless) {
  conversations::settings out;
  out.most_active = most_active(plan, endless);
  out.ids = {plan.request_id_prefix, plan.load.multi_turn.on};
  out.body = turn_body(plan.load.turn_body);
  out.pause_ns = plan.load.multi_turn.delay_ns;
  if (plan.load.multi_turn.on)
    out.multi_turn = {plan.load.max_concurrency, plan.load.session_header};
  return out;
}

conversation_clients::settings client_settings(const config::plan& plan) {
  const config::conversation_clients& from = plan.load.clients;
  conversation_clients::settings out;
  out.clients = from.number.value_or(1);
  out.active_each = std::max<std::size_t>(most_active(plan, true).value_or(0) / out.clients, 1);
  out.requests_each = from.requests;
  out.random = from.random;
  out.rate = from.rate;
  out.retries = from.retries;
  out.early_stop = from.early_stop;
  out.seed = plan.seed;
  out.ids.prefix = plan.request_id_prefix;
  out.body = turn_body(plan.load.turn_body);
  return out;
}

}  // namespace inferbench::run
