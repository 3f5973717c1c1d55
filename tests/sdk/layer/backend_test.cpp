#include <stdexcept>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include <inferbench/backend.hpp>

#include "sdk/layer/fake_host.hpp"

namespace {

using sdk_test::fake_host;
using sdk_test::heard_events;
using sdk_test::made;
using sdk_test::message_of;
using sdk_test::plain_end;
using sdk_test::stale_error;
using sdk_test::text_value;

int live_instances = 0;
int live_exchanges = 0;

/// Throws an exception in the operation that its option selects.
class moody {
 public:
  static constexpr const char* id = "moody";
  static constexpr const char* version = "1.2.3";
  static constexpr const char* summary = "Fails on demand.";
  static constexpr const char* license = "MIT";
  static constexpr std::uint32_t flags = IFB_CODEC_POOLING;

  struct options {
    std::string model;
    std::string trouble;
    static constexpr auto schema() {
      return std::tuple{ifb::option{"model", &options::model, "Model."},
                        ifb::option{"trouble", &options::trouble, "Where to fail."}};
    }
  };

  class exchange {
   public:
    exchange(const moody& owner, std::string_view prompt) : owner_(owner), body_{} {
      body_ = ifb::bytes(prompt);
      ++live_exchanges;
    }
    exchange(const exchange&) = delete;  // constructed in the arena, without a copy or move
    exchange& operator=(const exchange&) = delete;
    ~exchange() { --live_exchanges; }

    void request(ifb_http_request& out) {
      owner_.fail("request");
      ifb::set_request(out, "POST", "/v1", {}, body_);
    }
    std::uint32_t on_head(const ifb_http_head& head) {
      owner_.fail("on_head");
      return head.status == 200 ? IFB_FRAMING_SSE : IFB_FRAMING_WHOLE;
    }
    void sign(const ifb_http_target& target, ifb_http_request& request) {
      owner_.fail("sign");
      date_ = std::string{ifb::view(target.authority)} + " " + std::to_string(target.unix_ns);
      header_ = ifb::field("Date", date_);
      request.target = ifb::str("/elsewhere");  // sign() may replace only the headers
      request.headers = &header_;
      request.header_count = 1;
    }
    ifb::heard on_message(const ifb::http_message& message, ifb::output out) {
      owner_.fail("on_message");
      if (message.event() == "stop") return ifb::heard::enough;
      out.token(message.data(), 2, IFB_CHANNEL_REASONING, 1);
      out.token_at(message.at() - 1, "late");
      out.media("bytes", "audio/wav", 3);
      out.usage({.prompt = 1, .output = 3});
      out.attribute("k", "v");
      return ifb::heard::more;
    }
    ifb::ended on_end(ifb::output& out) {
      owner_.fail("on_end");
      if (++ends_ == 1) return ifb::ended::another_request;
      out.done("length");
      return ifb::ended::complete;
    }

   private:
    const moody& owner_;
    ifb_bytes body_;
    std::string date_;
    ifb_field header_{};
    int ends_ = 0;
  };

  moody(ifb::host, const options& given) : options_(given) {
    fail("create");
    ++live_instances;
  }
  moody(const moody&) = delete;
  moody& operator=(const moody&) = delete;
  ~moody() { --live_instances; }

  exchange open(const ifb_sample& sample, ifb::arena) const {
    fail("open");
    return exchange(*this, ifb::prompt_text(sample));
  }

  void fail(std::string_view where) const {
    if (options_.trouble == where) throw ifb::failure{IFB_E_REMOTE, "as asked", "trouble"};
  }

 private:
  options options_;
};

constexpr const ifb_plugin& plugin = ifb::backend<moody>::descriptor;

class backend : public testing::Test {
 protected:
  backend() {
    part_ = ifb::text_part("hello");
    sample_ = ifb::blank_sample();
    sample_.shape = IFB_PROMPT_TEXT;
    sample_.prompt = ifb::list_of({&part_, 1});
  }
  static std::vector<ifb_value> trouble(std::string_view where) {
    return {ifb_value{}, text_value(IFB_STRING, where)};
  }
  static void expect_as_asked(ifb_status status, const ifb_error& error) {
    EXPECT_EQ(status, IFB_E_REMOTE);
    EXPECT_EQ(error.code, IFB_E_REMOTE);
    EXPECT_EQ(error.option, 1);
    EXPECT_STREQ(error.message, "as asked");
  }

  fake_host host_;
  ifb_part part_{};
  ifb_sample sample_{};
  ifb_error error_ = stale_error();
  heard_events events_;
};

TEST_F(backend, is_described_as_the_contract_wants_it) {
  EXPECT_EQ(plugin.struct_size, sizeof(ifb_plugin));
  EXPECT_EQ(plugin.kind, static_cast<ifb_kind>(IFB_BACKEND));
  EXPECT_STREQ(plugin.id, "moody");
  EXPECT_STREQ(plugin.version, "1.2.3");
  EXPECT_STREQ(plugin.summary, "Fails on demand.");
  EXPECT_STREQ(plugin.license, "MIT");
  ASSERT_EQ(plugin.option_count, 2U);
  EXPECT_EQ(plugin.option_stride, sizeof(ifb_option));
  EXPECT_STREQ(plugin.options[1].name, "trouble");
  EXPECT_STREQ(plugin.interfaces[0], IFB_HTTP_CODEC);
  EXPECT_EQ(plugin.interfaces[1], nullptr);
  EXPECT_NE(plugin.query(&plugin, IFB_HTTP_CODEC), nullptr);
  EXPECT_EQ(plugin.query(&plugin, IFB_ENGINE), nullptr);
  EXPECT_EQ(plugin.query(&plugin, ""), nullptr);
}

TEST_F(backend, carries_a_request_from_open_to_close) {
  {
    const made self(plugin, host_);
    ASSERT_EQ(self.status, IFB_OK);
    EXPECT_EQ(live_instances, 1);
    const auto& codec = self.table<ifb_http_codec>(IFB_HTTP_CODEC);
    EXPECT_EQ(codec.struct_size, sizeof codec);
    EXPECT_EQ(codec.flags, static_cast<std::uint32_t>(IFB_CODEC_POOLING));

    ifb_exchange* x = nullptr;
    ASSERT_EQ(codec.open(self.get(), &sample_, host_.arena(), &x, &error_), IFB_OK);
    EXPECT_TRUE(host_.arena()->holds(x));
    EXPECT_EQ(host_.arena()->chunks.size(), 1U);
    EXPECT_EQ(live_exchanges, 1);

    ifb_http_request request{};
    request.struct_size = sizeof request;
    ASSERT_EQ(codec.request(x, &request, &error_), IFB_OK);
    EXPECT_EQ(request.struct_size, sizeof request);
    EXPECT_EQ(ifb::view(request.method), "POST");
    EXPECT_EQ(ifb::view(request.target), "/v1");
    ASSERT_EQ(request.body_count, 1U);
    EXPECT_EQ(ifb::view(request.body[0]), "hello");

    ifb_http_head head{};
    head.struct_size = sizeof head;
    head.status = 200;
    std::uint32_t framing = 99;
    ASSERT_EQ(codec.on_head(x, &head, &framing, &error_), IFB_OK);
    EXPECT_EQ(framing, static_cast<std::uint32_t>(IFB_FRAMING_SSE));

    const auto say = [&](std::string_view event, std::string_view data) {
      const ifb_http_message message = message_of(event, data);
      return codec.on_message(x, &message, &events_.table, events_.handle(), &error_);
    };
    EXPECT_EQ(say("", "one"), IFB_OK);
    EXPECT_EQ(say("stop", ""), IFB_END);
    EXPECT_EQ(codec.on_end(x, &plain_end, &events_.table, events_.handle(), &error_), IFB_MORE);
    EXPECT_EQ(codec.on_end(x, &plain_end, &events_.table, events_.handle(), &error_), IFB_OK);
    EXPECT_EQ(events_.lines,
              (std::vector<std::string>{"token 'one' 2 channel 1 choice 1 at 0",
                                        "token 'late' 0 channel 0 choice 0 at 4",
                                        "token '' 3 channel 3 choice 0 at 0 data 'bytes' audio/wav",
                                        "usage 1 -1 3 -1", "attribute k=v", "done length"}));
    codec.close(x);
    EXPECT_EQ(live_exchanges, 0);
  }
  EXPECT_EQ(live_instances, 0);
  EXPECT_STREQ(error_.message, "stale");
}

TEST_F(backend, an_exception_in_the_constructor_leaves_no_instance) {
  const made self(plugin, host_, trouble("create"));
  expect_as_asked(self.status, self.error);
  EXPECT_EQ(self.get(), nullptr);
  EXPECT_EQ(live_instances, 0);
}

TEST_F(backend, an_exception_in_open_leaves_no_exchange) {
  const made self(plugin, host_, trouble("open"));
  ASSERT_EQ(self.status, IFB_OK);
  ifb_exchange* x = nullptr;
  const auto& codec = self.table<ifb_http_codec>(IFB_HTTP_CODEC);
  expect_as_asked(codec.open(self.get(), &sample_, host_.arena(), &x, &error_), error_);
  EXPECT_EQ(x, nullptr);
  EXPECT_EQ(live_exchanges, 0);
}

TEST_F(backend, an_exception_in_any_operation_becomes_its_status_and_close_still_works) {
  for (const std::string where : {"request", "sign", "on_head", "on_message", "on_end"}) {
    SCOPED_TRACE(where);
    const made self(plugin, host_, trouble(where));
    ASSERT_EQ(self.status, IFB_OK);
    const auto& codec = self.table<ifb_http_codec>(IFB_HTTP_CODEC);
    ifb_exchange* x = nullptr;
    ASSERT_EQ(codec.open(self.get(), &sample_, host_.arena(), &x, &error_), IFB_OK);
    error_ = stale_error();
    ifb_http_request request{};
    request.struct_size = sizeof request;
    ifb_http_head head{};
    std::uint32_t framing = 0;
    ifb_status status = IFB_OK;
    const ifb_http_message message = message_of("", "");
    const ifb_http_target target{};
    if (where == "request") status = codec.request(x, &request, &error_);
    if (where == "sign") status = codec.sign(x, &target, &request, &error_);
    if (where == "on_head") status = codec.on_head(x, &head, &framing, &error_);
    if (where == "on_message")
      status = codec.on_message(x, &message, &events_.table, events_.handle(), &error_);
    if (where == "on_end")
      status = codec.on_end(x, &plain_end, &events_.table, events_.handle(), &error_);
    expect_as_asked(status, error_);
    EXPECT_EQ(request.method.data, nullptr);
    codec.close(x);
    EXPECT_EQ(live_exchanges, 0);
  }
}

TEST_F(backend, an_exhausted_arena_is_out_of_memory) {
  const made self(plugin, host_);
  host_.allocations_left = 0;
  ifb_exchange* x = nullptr;
  EXPECT_EQ(self.table<ifb_http_codec>(IFB_HTTP_CODEC)
                .open(self.get(), &sample_, host_.arena(), &x, &error_),
            IFB_E_MEMORY);
  EXPECT_EQ(live_exchanges, 0);
}

TEST_F(backend, a_result_goes_no_further_than_the_room_of_the_caller) {
  const made self(plugin, host_);
  const auto& codec = self.table<ifb_http_codec>(IFB_HTTP_CODEC);
  ifb_exchange* x = nullptr;
  ASSERT_EQ(codec.open(self.get(), &sample_, host_.arena(), &x, &error_), IFB_OK);

  ifb_http_request shorter{};  // the struct of a host that knows only method and target
  shorter.struct_size = offsetof(ifb_http_request, headers);
  shorter.body_count = 77;
  EXPECT_EQ(codec.request(x, &shorter, &error_), IFB_OK);
  EXPECT_EQ(ifb::view(shorter.target), "/v1");
  EXPECT_EQ(shorter.body_count, 77U);
  EXPECT_EQ(shorter.struct_size, offsetof(ifb_http_request, headers));

  struct longer {
    ifb_http_request known;
    std::uint64_t added;
  } later{};
  later.known.struct_size = sizeof later;
  later.added = 5;
  EXPECT_EQ(codec.request(x, &later.known, &error_), IFB_OK);
  EXPECT_EQ(later.known.struct_size, sizeof later);
  EXPECT_EQ(later.added, 5U);

  ifb_http_request unsized_one{};
  EXPECT_EQ(codec.request(x, &unsized_one, &error_), IFB_E_INTERNAL);
  EXPECT_STREQ(error_.message, "the host left struct_size of a result empty");
  codec.close(x);
}

TEST_F(backend, sign_replaces_the_headers_of_the_request_and_nothing_else) {
  const made self(plugin, host_);
  const auto& codec = self.table<ifb_http_codec>(IFB_HTTP_CODEC);
  ifb_exchange* x = nullptr;
  ASSERT_EQ(codec.open(self.get(), &sample_, host_.arena(), &x, &error_), IFB_OK);
  ifb_http_request request{};
  request.struct_size = sizeof request;
  ASSERT_EQ(codec.request(x, &request, &error_), IFB_OK);
  EXPECT_EQ(request.header_count, 0U);

  ifb_http_target target{};
  target.struct_size = sizeof target;
  target.authority = ifb::str("host:80");
  target.unix_ns = 7;
  ASSERT_EQ(codec.sign(x, &target, &request, &error_), IFB_OK);
  ASSERT_EQ(request.header_count, 1U);
  EXPECT_EQ(ifb::view(request.headers[0].name), "Date");
  EXPECT_EQ(ifb::view(request.headers[0].value), "host:80 7");
  EXPECT_EQ(ifb::view(request.target), "/v1");
  EXPECT_EQ(request.struct_size, sizeof request);

  ifb_http_request older = request;  // the struct of a host that does not know not_before_ns
  older.struct_size = offsetof(ifb_http_request, not_before_ns);
  EXPECT_EQ(codec.sign(x, &target, &older, &error_), IFB_OK);
  EXPECT_EQ(older.header_count, 1U);
  codec.close(x);
}

/// A backend without any optional parts.
class plain {
 public:
  static constexpr const char *id = "plain", *version = "1.0.0", *summary = "Plain.",
                              *license = "MIT";
  struct exchange {
    void request(ifb_http_request& out) { ifb::set_request(out, "GET", "/", {}, nothing); }
    void on_message(const ifb::http_message&, const ifb::output& out) {
      out.error(IFB_E_REMOTE, "no");
    }
    void on_end(ifb::output) { throw std::runtime_error("odd"); }
    ifb_bytes nothing{};
  };
  explicit plain(ifb::host) {}
  exchange open(const ifb_sample&, ifb::arena) const { return {}; }
};

TEST_F(backend, optional_parts_may_be_left_out) {
  const made self(ifb::backend<plain>::descriptor, host_);
  ASSERT_EQ(self.status, IFB_OK);
  EXPECT_EQ(ifb::backend<plain>::descriptor.option_count, 0U);
  const auto& codec = self.table<ifb_http_codec>(IFB_HTTP_CODEC);
  EXPECT_EQ(codec.flags, 0U);
  EXPECT_EQ(codec.on_head, nullptr);
  EXPECT_EQ(codec.sign, nullptr);
  ifb_exchange* x = nullptr;
  ASSERT_EQ(codec.open(self.get(), &sample_, host_.arena(), &x, &error_), IFB_OK);
  ifb_http_request request{};
  request.struct_size = sizeof request;
  EXPECT_EQ(codec.request(x, &request, &error_), IFB_OK);
  EXPECT_EQ(request.body_count, 0U);
  const ifb_http_message message = message_of("", "");
  EXPECT_EQ(codec.on_message(x, &message, &events_.table, events_.handle(), &error_), IFB_OK);
  EXPECT_EQ(events_.lines, std::vector<std::string>{"error -5 no"});
  EXPECT_EQ(codec.on_end(x, &plain_end, &events_.table, events_.handle(), &error_), IFB_E_INTERNAL);
  EXPECT_STREQ(error_.message, "odd");
  codec.close(x);
}

/// A backend whose exchange looks at the end of the body, and whose object knows its library.
class ending {
 public:
  static constexpr const char *id = "ending", *version = "1.0.0", *summary = "Ending.",
                              *license = "MIT";
  struct exchange {
    const std::string& library;
    ifb_bytes nothing{};

    void request(ifb_http_request& out) { ifb::set_request(out, "GET", "/", {}, nothing); }
    void on_message(const ifb::http_message&, ifb::output) {}
    ifb::ended on_end(const ifb_http_end& end, ifb::output out) {
      out.attribute("library", library);
      for (const ifb_field& field : ifb::trailers_of(end))
        out.attribute(ifb::view(field.name), ifb::view(field.value));
      out.done((end.flags & IFB_HTTP_END_EARLY) != 0 ? "early" : "whole");
      return ifb::ended::complete;
    }
  };
  ending(ifb::host, const ifb_config& config) : library_(config.file) {}
  exchange open(const ifb_sample&, ifb::arena) const { return {library_}; }

 private:
  std::string library_;
};

TEST_F(backend, an_exchange_may_look_at_the_end_of_the_body) {
  const made self(ifb::backend<ending>::descriptor, host_);
  ASSERT_EQ(self.status, IFB_OK);
  const auto& codec = self.table<ifb_http_codec>(IFB_HTTP_CODEC);
  ifb_exchange* x = nullptr;
  ASSERT_EQ(codec.open(self.get(), &sample_, host_.arena(), &x, &error_), IFB_OK);
  const ifb_field trailer = ifb::field("grpc-status", "0");
  const ifb_http_end end{sizeof end, IFB_HTTP_END_EARLY, &trailer, 1};
  EXPECT_EQ(codec.on_end(x, &end, &events_.table, events_.handle(), &error_), IFB_OK);
  EXPECT_EQ(events_.lines, (std::vector<std::string>{"attribute library=/lib/plugin.so",
                                                     "attribute grpc-status=0", "done early"}));
  codec.close(x);
}

template <typename body>
concept may_be_body = requires(ifb_http_request& out, body&& given) {
  ifb::set_request(out, "POST", "/", {}, std::forward<body>(given));
};

TEST(set_request, takes_no_body_that_is_gone_after_the_call) {
  EXPECT_TRUE(may_be_body<const ifb_bytes&>);
  EXPECT_TRUE(may_be_body<ifb_bytes&>);
  EXPECT_FALSE(may_be_body<ifb_bytes>);
  EXPECT_FALSE(may_be_body<const ifb_bytes>);
}

}  // namespace
