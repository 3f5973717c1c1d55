#include "run/lender.hpp"

#include <string_view>

#include "run/http_service.hpp"

namespace inferbench::run {

lender::lender(const config::plan& plan, const base::clock& clock, base::log& log, std::FILE* out)
    : server_(plan, clock, &log), out_(out) {
  services_.log = &log;
  services_.clock = &clock;
  services_.cancelled = &cancelled_;
  services_.seed = plan.seed;
  services_.console = &console::service();
  services_.console_state = &out_;
  services_.http = &http_service();
  services_.http_state = &server_;
}

void lender::create_tokenizer(const config::plan& plan) {
  if (!plan.tokenizer) return;
  tokenizer_ = std::make_unique<tokenizer>(*plan.tokenizer, services_);
  services_.tokenizer = &tokenizer_->service();
  services_.tokenizer_state = tokenizer_.get();
}

metrics::token_counter lender::counter() const {
  if (!tokenizer_) return {};
  return [tokens = tokenizer_.get()](std::string_view text) { return tokens->count(text); };
}

}  // namespace inferbench::run
