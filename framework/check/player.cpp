#include "check/player.hpp"

#include <exception>
#include <memory>
#include <thread>

#include "base/clock.hpp"
#include "check/raw_call.hpp"
#include "check/sample.hpp"
#include "check/utf8.hpp"
#include "plugin/instance.hpp"

namespace inferbench::check {

player::player(subject& s, instance_under_test& instance, lending how)
    : s_(s),
      instance_(instance),
      how_(how),
      codec_(codec_of(s)),
      arena_(how),
      sample_(how),
      call_(how),
      heard_(std::make_unique<recorder>(how)),
      error_(blank_error()) {}

player::~player() { close(); }

ifb_error* player::lend() { return lent_error_ = lend_error(call_); }

std::vector<ifb_field> player::lend_fields(
    const std::vector<std::pair<std::string, std::string>>& from) {
  std::vector<ifb_field> out;
  for (const auto& [name, value] : from) {
    if (!is_utf8(name) || !is_utf8(value)) heard_->excuse_texts();
    out.push_back({call_.text(name), call_.text(value)});
  }
  return out;
}

bool player::call(const char* what, ifb_status status) {
  status_ = status;
  error_ = *lent_error_;
  call_.give_back();
  if (judging_) judge_refusal(s_, what, status_, error_);
  return status_ >= 0;
}

bool player::heard_failure() {
  heard_->add("failed " + std::to_string(status_) + " " + plugin::text_of(error_, status_));
  return false;
}

// Makes the call, on a thread of its own if the test wants this.
ifb_status player::anywhere(const std::function<ifb_status()>& call) const {
  if (!elsewhere_) return call();
  ifb_status out = IFB_OK;
  std::exception_ptr problem;
  std::thread other([&] {
    try {
      out = call();
    } catch (...) {
      problem = std::current_exception();
    }
  });
  other.join();
  if (problem) std::rethrow_exception(problem);
  return out;
}

bool player::open(std::string_view json) {
  const std::string place = "the kit";
  return open(base::parse_json(json, place), place);
}

bool player::open(const base::json_value& json, const std::string& place) {
  close();
  heard_ = std::make_unique<recorder>(how_);
  enough_ = silent_ = unsigned_ = body_over_ = false;
  framing_ = framing::whole;
  asked_ = signed_ = {};
  first_asked_.clear();
  request_fault_ = sign_fault_ = {};
  ifb_exchange* made = nullptr;
  const ifb_sample* const sample = lend_sample(sample_, json, place);
  ifb_error* const error = lend();
  const bool opened =
      call("open", anywhere([&] {
             return raw_call(codec_.plugin, "open", codec_.ifb_http_codec::open, instance_.get(),
                             sample, arena_.handle(), &made, error);
           }));
  if (opened && made == nullptr) {
    s_.fail("open answers with " + name_of_status(status_) + " and hands out no exchange",
            "set *out before open answers with IFB_OK, or answer with an error");
    status_ = IFB_E_INTERNAL;
    return false;
  }
  if (opened) exchange_ = made;
  return opened;
}

bool player::request() {
  auto* const out = call_.room<ifb_http_request>();
  const std::uint32_t size = out->struct_size;
  ifb_error* const error = lend();
  const ifb_status status = anywhere([&] {
    return raw_call(codec_.plugin, "request", codec_.ifb_http_codec::request, exchange_, out,
                    error);
  });
  if (out->struct_size != size)
    s_.fail("request changes the struct_size of the struct that it fills in",
            "leave struct_size as the host set it (rule R3 in abi.h)");
  enough_ = body_over_ = false;
  if (status >= 0) {
    filled_ = *out;
    asked_ = asked_request(*out);
    unsigned_ = codec_.signs;
    if (out->reserved != 0 && request_fault_.what.empty())
      request_fault_ = reserved_is_set("an ifb_http_request", out->reserved);
    if (first_asked_.empty()) first_asked_ = asked_.lasting_text(codec_.authorizes());
  }
  return call("request", status);
}

namespace {

// The member of the request that `sign` has changed, other than the headers; empty if there is
// none.
std::string changed_member(const ifb_http_request& before, const asked_request& asked,
                           const ifb_http_request& after, const asked_request& now) {
  if (now.method != asked.method) return "the method from " + asked.method + " to " + now.method;
  if (now.target != asked.target) return "the target from " + asked.target + " to " + now.target;
  if (after.body_count != before.body_count || now.body != asked.body) return "the body";
  if (after.not_before_ns != before.not_before_ns) return "not_before_ns";
  return after.reserved == before.reserved ? "" : "`reserved`";
}

}  // namespace

bool player::sign(std::uint32_t server) {
  unsigned_ = false;
  if (!codec_.signs) return true;
  const bool other = server != 0;
  ifb_http_target target{};
  target.server = server;
  target.scheme = call_.text(other ? "http" : "https");
  target.authority = call_.text(other ? "other.example" : "host.example:8443");
  target.prefix = call_.text(other ? "" : "/base");
  target.unix_ns = wall_clock_ns + static_cast<std::int64_t>(server * base::ns_per_ms);
  ifb_http_request* const lent = call_.put(filled_);
  const std::uint32_t size = lent->struct_size;
  ifb_error* const error = lend();
  const ifb_status status =
      raw_call(codec_.plugin, "sign", codec_.ifb_http_codec::sign, exchange_,
               static_cast<const ifb_http_target*>(call_.put(target)), lent, error);
  if (lent->struct_size != size)
    s_.fail("sign changes the struct_size of the request",
            "leave struct_size as the host set it (rule R3 in abi.h)");
  if (status >= 0) {
    signed_ = asked_request(*lent);
    const std::string changed = changed_member(filled_, asked_, *lent, signed_);
    if (!changed.empty() && sign_fault_.what.empty())
      sign_fault_ = {true, "sign changes " + changed,
                     "replace only the headers in sign: the host ignores all other changes"};
  }
  return call("sign", status) || heard_failure();
}

void player::close() {
  // After an open that was refused there is no exchange, but the sample was lent.
  if (exchange_ != nullptr) codec_.close(exchange_);
  exchange_ = nullptr;
  sample_.give_back();
  arena_.close();
}

}  // namespace inferbench::check
