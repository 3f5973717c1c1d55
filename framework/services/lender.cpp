#include "services/lender.hpp"

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/upstream.hpp"
#include "services/http_service.hpp"

namespace inferbench::services {

namespace {

std::string told(const base::error& why) {
  return std::string("the model's own tokenizer cannot be used, so the server counts tokens: ") +
         why.what();
}

}  // namespace

lender::lender(const config::server& server, std::uint64_t seed, const base::clock& clock,
               base::log& log, base::output& out)
    : server_(server, clock, &log), out_(out), preparation_(clock, log) {
  services_.log = &log;
  services_.clock = &clock;
  services_.cancelled = &cancelled_;
  services_.seed = seed;
  services_.progress = &preparation::service();
  services_.progress_state = &preparation_;
  services_.console = &console::service();
  services_.console_state = &out_;
  services_.http = &http_service();
  services_.http_state = &server_;
}

void lender::create_tokenizer(const config::plan& plan) {
  if (plan.tokenizer)
    create_tokenizer(*plan.tokenizer, plan.tokenizers_after, !plan.tokenizer_id.empty());
}

options::plugin_choice lender::create_tokenizer(options::plugin_choice first,
                                                std::vector<options::plugin_choice> after,
                                                bool named) {
  std::exception_ptr reason;
  while (true) {
    bool for_another = false;  // the files exist, but only another plugin can read their format
    try {
      tokenizer_ = std::make_unique<tokenizer>(first, services_);
      break;
    } catch (const plugin::refused& why) {
      // The latest error is the reason. An IFB_E_UNSUPPORTED does not replace an earlier error: it
      // means only that another plugin may read the files, and does not describe a problem.
      if (!reason || why.code() != IFB_E_UNSUPPORTED) reason = std::current_exception();
      for_another = why.code() == IFB_E_UNSUPPORTED && !after.empty();
      // The server tokenizer needs no files. So it replaces any other tokenizer, unless the user
      // named a tokenizer.
      const bool stand_in =
          !after.empty() && after.back().use == config::upstream::server_tokenizer && !named;
      if (!for_another && !stand_in) std::rethrow_exception(reason);
      if (!for_another) services_.log->warning(told(why));
    }
    const auto next = for_another ? after.begin() : after.end() - 1;
    first = std::move(*next);
    after.erase(after.begin(), next + 1);
  }
  services_.tokenizer = &tokenizer_->service();
  services_.tokenizer_state = tokenizer_.get();
  return first;
}

metrics::token_counter lender::counter() const {
  if (!tokenizer_) return {};
  return [tokens = tokenizer_.get()](std::string_view text) { return tokens->count(text); };
}

}  // namespace inferbench::services
