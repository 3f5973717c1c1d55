// Tests the tokenizer that uses the server, with a function as the server.
#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/tokenizers/tokenizer_box.hpp"

namespace tokenizers {
namespace {

struct answer {
  std::uint32_t status = 200;
  std::string body;
};
using responder = std::function<answer(const std::string& target, const std::string& body)>;

class server_tokenizer : public testing::Test, public tokenizer_box {
 protected:
  server_tokenizer() : tokenizer_box("tokenizers/server", "server") {
    http_.struct_size = sizeof http_;
    http_.request = [](const ifb_host* h, const ifb_http_request* request, std::uint64_t timeout_ns,
                       ifb_arena* memory, ifb_http_answer* out, ifb_error* error) -> ifb_status {
      auto& self = *static_cast<server_tokenizer*>(support::host::of(h).state);
      EXPECT_EQ(ifb::view(request->method), "POST");
      self.timeout_ns_ = timeout_ns;
      const std::string target(ifb::view(request->target));
      const std::string body(request->body_count == 0 ? "" : ifb::view(request->body[0]));
      const std::string line = target + " " + body;
      {
        const std::lock_guard lock(self.mutex_);
        self.requests_.push_back(line);
      }
      if (!self.respond_) {
        ifb::fill(error, IFB_E_IO, "connection refused");
        return IFB_E_IO;
      }
      const answer a = self.respond_(target, body);
      auto* to = static_cast<char*>(support::arena::of(memory).alloc(a.body.size()));
      std::copy(a.body.begin(), a.body.end(), to);
      out->status = a.status;
      out->body = {to, a.body.size()};
      return IFB_OK;
    };
    http_.arena = [](const ifb_host*) { return (new support::arena)->handle(); };
    http_.release = [](const ifb_host*, ifb_arena* a) { delete &support::arena::of(a); };
    plugin.host.state = this;
    plugin.host.services[IFB_SERVICE_HTTP] = &http_;
  }
  void create(support::settings given = {{"model", "org/m"}}) {
    given.try_emplace("timeout", std::int64_t{5});
    ASSERT_EQ(plugin.create(given), IFB_OK) << plugin.error.message;
  }
  void expect_failure(ifb_status code, const std::string& part) {
    EXPECT_EQ(status, code);
    EXPECT_EQ(last_error.code, code);
    EXPECT_THAT(last_error.message, testing::HasSubstr(part));
  }

  responder respond_;
  std::vector<std::string> requests_;
  std::atomic<std::uint64_t> timeout_ns_{0};

 private:
  ifb_http_service http_{};
  std::mutex mutex_;
};

using ids = std::vector<std::uint32_t>;

TEST_F(server_tokenizer, asks_tokenize_and_detokenize) {
  create();
  respond_ = [](const std::string& target, const std::string&) {
    return target == "/tokenize"
               ? answer{200, R"({"count":3,"max_model_len":9,"tokens":[1,2,128000]})"}
               : answer{200, R"({"prompt":"h\u00e9 \"x\""})"};
  };
  EXPECT_EQ(encode("say \"hi\"\n\u00E9"), (ids{1, 2, 128000}));
  EXPECT_EQ(encode("x", IFB_ENCODE_SPECIAL).size(), 3U);
  EXPECT_EQ(decode({1, 2, 128000}), "h\u00E9 \"x\"");
  EXPECT_EQ(count("y"), 3U);
  EXPECT_EQ(
      requests_,
      (std::vector<std::string>{
          R"(/tokenize {"model": "org/m", "prompt": "say \"hi\"\n\u00e9", "add_special_tokens": false})",
          R"(/tokenize {"model": "org/m", "prompt": "x", "add_special_tokens": true})",
          R"(/detokenize {"model": "org/m", "tokens": [1, 2, 128000]})",
          R"(/tokenize {"model": "org/m", "prompt": "y", "add_special_tokens": false})"}));
  EXPECT_EQ(timeout_ns_, 5U);
}

TEST_F(server_tokenizer, leaves_the_model_to_the_server_if_none_was_given) {
  create({});
  respond_ = [](const std::string&, const std::string&) { return answer{200, R"({"tokens":[]})"}; };
  encode("a");
  EXPECT_THAT(requests_,
              testing::ElementsAre(R"(/tokenize {"prompt": "a", "add_special_tokens": false})"));
}

TEST_F(server_tokenizer, does_not_ask_again_when_the_caller_comes_back_with_more_room) {
  create();
  respond_ = [](const std::string& target, const std::string&) {
    return target == "/tokenize" ? answer{200, R"({"tokens":[1,2,3]})"}
                                 : answer{200, R"({"prompt":"abc"})"};
  };
  EXPECT_EQ(encode("a", 0, 1), (ids{1, 2, 3}));
  EXPECT_EQ(decode({1, 2}, 0, 0), "abc");
  EXPECT_EQ(requests_.size(), 2U);
  EXPECT_EQ(encode("a"), (ids{1, 2, 3}));
  EXPECT_EQ(requests_.size(), 3U) << "after an answer the same question is asked again";
}

TEST_F(server_tokenizer, keeps_answers_with_and_without_special_tokens_apart) {
  create();
  respond_ = [](const std::string&, const std::string& body) {
    return answer{200,
                  body.find("true") != body.npos ? R"({"tokens":[0,1,2]})" : R"({"tokens":[1,2]})"};
  };
  std::uint32_t one = 0;
  std::size_t needed = 0;
  calls.encode(plugin.get(), ifb::str("a"), IFB_ENCODE_SPECIAL, &one, 1, &needed, nullptr);
  EXPECT_EQ(needed, 3U);
  EXPECT_EQ(encode("a"), (ids{1, 2}));
}

TEST_F(server_tokenizer, has_no_vocabulary_unless_its_size_is_given) {
  create();
  vocabulary();
  expect_failure(IFB_E_UNSUPPORTED, "give vocab-size");
  EXPECT_TRUE(requests_.empty());
}

TEST_F(server_tokenizer, learns_special_tokens_from_an_empty_text_once) {
  create({{"model", "m"}, {"vocab-size", std::int64_t{32000}}});
  respond_ = [](const std::string&, const std::string& body) {
    EXPECT_THAT(body, testing::HasSubstr(R"("prompt": "", "add_special_tokens": true)"));
    return answer{200, R"({"tokens":[102,101,102]})"};
  };
  for (int i = 0; i < 2; ++i) {
    const auto v = vocabulary();
    ASSERT_EQ(status, IFB_OK);
    EXPECT_EQ(v.size, 32000U);
    EXPECT_EQ(v.total_size, 32000U);
    EXPECT_EQ(v.added, 3U);
    EXPECT_EQ(ids(v.special_ids, v.special_ids + v.special_id_count), (ids{101, 102}));
  }
  EXPECT_EQ(requests_.size(), 1U);
}

TEST_F(server_tokenizer, leaves_special_tokens_out_of_the_text_when_asked_to) {
  create();
  respond_ = [](const std::string& target, const std::string&) {
    return target == "/tokenize" ? answer{200, R"({"tokens":[1]})"}
                                 : answer{200, R"({"prompt":"x"})"};
  };
  EXPECT_EQ(decode({1, 5, 1, 6}, IFB_DECODE_SKIP_SPECIAL), "x");
  EXPECT_THAT(requests_.back(), testing::HasSubstr("\"tokens\": [5, 6]"));
  EXPECT_EQ(decode({1}, IFB_DECODE_SKIP_SPECIAL), "");
  EXPECT_EQ(requests_.size(), 2U);
}

TEST_F(server_tokenizer, reports_the_error) {
  create();
  encode("a");
  expect_failure(IFB_E_IO, "connection refused");
  respond_ = [](const std::string&, const std::string&) { return answer{404, "no"}; };
  encode("a");
  expect_failure(IFB_E_UNSUPPORTED,
                 "the server answers /tokenize with HTTP 404; name the model's own tokenizer with "
                 "--tokenizer, or choose another one with --tokenizer-mode, such as bytes");
  decode({1});
  expect_failure(IFB_E_UNSUPPORTED, "/detokenize with HTTP 404");
  respond_ = [](const std::string&, const std::string&) {
    return answer{500, "<html>\n" + std::string(500, 'x')};
  };
  count("a");
  expect_failure(IFB_E_REMOTE, "HTTP 500: <html> x");
  EXPECT_LT(std::string_view(last_error.message).size(), 300U);
}

TEST_F(server_tokenizer, refuses_answers_of_another_shape) {
  create();
  std::string deep = R"({"tokens":)";
  for (int i = 0; i < 100'000; ++i)
    deep += "[";
  for (const std::string& body :
       {std::string(), std::string("null"), std::string("[1]"), std::string(R"({"tokens":1})"),
        std::string(R"({"tokens":[1,-2]})"), std::string(R"({"tokens":[1,"2"]})"),
        std::string(R"({"tokens":[1)"), std::string(R"({"prompt":"x"})"),
        std::string(R"({"tokens":[4294967296]})"), deep}) {
    respond_ = [&](const std::string&, const std::string&) { return answer{200, body}; };
    EXPECT_EQ(encode("a"), ids{});
    expect_failure(IFB_E_PROTOCOL, "the server's answer to /tokenize has no usable \"tokens\"");
  }
  respond_ = [&](const std::string&, const std::string&) { return answer{200, R"({"prompt":5})"}; };
  decode({1});
  expect_failure(IFB_E_PROTOCOL, "the server's answer to /detokenize has no usable \"prompt\"");
}

TEST_F(server_tokenizer, needs_a_host_that_reaches_the_server) {
  create();
  plugin.host.services.clear();
  encode("a");
  expect_failure(IFB_E_UNSUPPORTED, "the plugin needs to send requests");
}

TEST_F(server_tokenizer, serves_many_threads) {
  create({{"vocab-size", std::int64_t{10}}});
  respond_ = [](const std::string& target, const std::string& body) {
    if (target == "/detokenize") return answer{200, R"({"prompt":"abc"})"};
    return answer{200,
                  body.find("\"\"") != body.npos ? R"({"tokens":[9]})" : R"({"tokens":[1,2,3]})"};
  };
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string text = "text " + std::to_string(t % 3);
        std::uint32_t some[3] = {};
        std::size_t needed = 0;
        for (const std::size_t room : {std::size_t{1}, std::size_t{3}}) {
          if (calls.encode(plugin.get(), ifb::str(text), 0, some, room, &needed, nullptr) !=
                  IFB_OK ||
              needed != 3 || some[0] != 1)
            ++wrong;
        }
        if (some[2] != 3) ++wrong;
        ifb_vocabulary v{};
        v.struct_size = sizeof v;
        if (calls.vocabulary(plugin.get(), &v, nullptr) != IFB_OK || v.special_ids[0] != 9) ++wrong;
      }
    });
  }
  for (auto& t : threads)
    t.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tokenizers
