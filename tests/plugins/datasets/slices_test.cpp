#include <cstdlib>
#include <numeric>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/bench.hpp"
#include "plugins/datasets/data_file.hpp"
#include "plugins/hub/fake_server.hpp"

namespace {

using support::data_file;
using support::dataset_bench;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A text of a hundred tokens: 100, 101, ..., 199.
std::string hundred() {
  std::string out;
  for (int i = 100; i < 200; ++i)
    out += (out.empty() ? "" : " ") + std::to_string(i);
  return out;
}

TEST(slices, begin_where_python_lets_them_begin) {
  const data_file file(hundred());
  dataset_bench b("txt-slices", {{"path", file.path()}, {"input-len", "4"}, {"output-len", "10"}});
  ASSERT_EQ(b.box.prepare(5, 0), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 5);
  EXPECT_THAT(b.prompts(), ElementsAre("149 150 151 152", "197 198 199 100", "153 154 155 156",
                                       "105 106 107 108", "133 134 135 136"));
  EXPECT_EQ(b.box.sample.input_tokens, 4);
  EXPECT_EQ(b.box.sample.output_tokens, 10);
  EXPECT_EQ(b.box.read(5), IFB_END);
}

TEST(slices, have_the_lengths_that_random_prompts_have) {
  const data_file file(hundred());
  support::number_tokenizer adds;
  adds.added = 2;
  dataset_bench b(
      "txt-slices",
      {{"path", file.path()}, {"input-len", "52"}, {"output-len", "20"}, {"range-ratio", "0.3"}},
      adds);
  ASSERT_EQ(b.box.prepare(4, 0), IFB_OK);
  const std::int64_t inputs[] = {61, 54, 50, 43};
  const std::int64_t outputs[] = {18, 14, 14, 14};
  for (std::uint64_t i = 0; i < 4; ++i) {
    ASSERT_EQ(b.box.read(i), IFB_OK);
    EXPECT_EQ(b.box.sample.input_tokens, inputs[i] + 2);  // plus the tokens that the model adds
    EXPECT_EQ(b.box.sample.output_tokens, outputs[i]);
  }
}

TEST(slices, may_be_longer_than_the_text) {
  const data_file file("7 8 9");
  dataset_bench b("txt-slices", {{"path", file.path()}, {"input-len", "7"}});
  ASSERT_EQ(b.box.prepare(1, 1), IFB_OK);
  EXPECT_THAT(b.prompts().front(), HasSubstr("7 8 9 7 8"));
}

TEST(slices, of_no_text_are_refused) {
  const data_file file("");
  const auto refused = [&](const char* said, const support::settings& given, std::int64_t wanted) {
    SCOPED_TRACE(said);
    dataset_bench b("txt-slices", given);
    EXPECT_LT(b.box.prepare(wanted), 0);
    EXPECT_THAT(b.box.message(), HasSubstr(said));
  };
  refused("the file is empty", {{"path", file.path()}}, 1);
  refused("cannot read", {{"path", "/nowhere/at-all"}}, 1);
  file.write("1 2\xFF");
  refused("rows.json:1:4: not UTF-8", {{"path", file.path()}}, 1);
  refused("a prompt may come out empty", {{"path", file.path()}, {"input-len", "0"}}, 1);
}

using hub_test::fake_server;
using hub_test::request;
using hub_test::response;

// The test starts its own servers, so a proxy of the user must not be used.
const bool without_proxy = ::setenv("no_proxy", "*", 1) == 0;

/// The result of prepare() for the text at `path` of the server.
std::string fetched(const fake_server& from, const std::string& path) {
  EXPECT_TRUE(without_proxy);
  dataset_bench b("txt-slices", {{"path", from.address() + path}, {"input-len", "3"}});
  if (b.box.prepare(1, 0) != IFB_OK) {
    EXPECT_EQ(b.box.option_at_fault(), "path");
    return b.box.message();
  }
  return b.prompts().front();
}

TEST(slices, of_a_text_at_an_address_are_the_same_as_of_a_file) {
  const fake_server server([](const request& asked) {
    EXPECT_EQ(asked.header("authorization"), "")
        << "the token of the hub is sent to no other server";
    if (asked.target == "/old") return response{302, {{"Location", "/new"}}, "moved"};
    return response{200, {}, hundred()};
  });
  const data_file file(hundred());
  dataset_bench b("txt-slices", {{"path", file.path()}, {"input-len", "3"}});
  ASSERT_EQ(b.box.prepare(1, 0), IFB_OK);
  EXPECT_EQ(fetched(server, "/new"), b.prompts().front());
  EXPECT_EQ(fetched(server, "/old"), b.prompts().front());
}

TEST(slices, ends_of_lines_of_a_fetched_text_are_python_s) {
  const fake_server server([](const request&) { return response{200, {}, "1\r\n2\r3"}; });
  dataset_bench b("txt-slices", {{"path", server.address()}});
  std::string seen;
  static std::string* told = nullptr;
  told = &seen;
  static const auto* const usual =
      static_cast<const ifb_tokenizer_service*>(b.box.host.services[IFB_SERVICE_TOKENIZER]);
  static ifb_tokenizer_service listening = *usual;
  listening.encode = [](const ifb_host* h, ifb_str text, std::uint32_t flags, std::uint32_t* ids,
                        std::size_t capacity, std::size_t* needed, ifb_error* error) {
    *told = std::string(ifb::view(text));
    return usual->encode(h, text, flags, ids, capacity, needed, error);
  };
  b.box.host.services[IFB_SERVICE_TOKENIZER] = &listening;
  std::ignore = b.box.prepare(1, 0);
  EXPECT_EQ(seen, "1\n2\n3");
}

TEST(slices, of_an_address_without_a_text_are_refused) {
  const fake_server server([](const request& asked) {
    const std::string& path = asked.target;
    if (path == "/empty") return response{200, {}, ""};
    if (path == "/bad") return response{200, {}, "1 2\xFF"};
    if (path == "/gone") return response{404, {}, hundred()};
    if (path == "/cut") return response{200, {{"Content-Length", "100"}}, hundred(), 10};
    if (path == "/announced") return response{200, {{"Content-Length", "67108865"}}, "1"};
    if (path == "/away") return response{302, {{"Location", "file:///etc/hostname"}}, ""};
    return response{302, {{"Location", path + "x"}}, ""};
  });
  EXPECT_THAT(fetched(server, "/empty"), HasSubstr("/empty is empty"));
  EXPECT_THAT(fetched(server, "/bad"), HasSubstr("/bad, byte 4: not UTF-8"));
  EXPECT_THAT(fetched(server, "/gone"), HasSubstr("/gone: HTTP 404; check the address"));
  EXPECT_THAT(fetched(server, "/cut"), HasSubstr("cannot fetch " + server.address() + "/cut: "));
  EXPECT_THAT(fetched(server, "/announced"), HasSubstr("/announced is longer than 64 MiB"));
  EXPECT_THAT(fetched(server, "/away"), HasSubstr("which is not a usable address"));
  EXPECT_THAT(fetched(server, "/loop"), HasSubstr("redirects without end"));
}

TEST(slices, of_an_endless_text_are_refused_at_64_mebibytes) {
  const fake_server server(
      [](const request&) { return response{200, {}, std::string((64U << 20U) + 1, '1')}; });
  EXPECT_THAT(fetched(server, "/long"), HasSubstr("/long is longer than 64 MiB"));
}

TEST(slices, of_an_address_without_a_server_are_refused) {
  dataset_bench b("txt-slices", {{"path", "http://127.0.0.1:1/text"}});
  EXPECT_EQ(b.box.prepare(1, 0), IFB_E_IO);
  EXPECT_THAT(b.box.message(), HasSubstr("cannot fetch http://127.0.0.1:1/text: "));
}

}  // namespace
