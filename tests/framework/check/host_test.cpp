#include "check/host.hpp"

#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include <inferbench/text.hpp>

#include "check/services.hpp"

namespace inferbench::check {
namespace {

TEST(kit_host, fails_the_chosen_call_of_alloc) {
  const host on({.failing = 1});
  arena memory({});
  const ifb_host* const table = on.table();
  EXPECT_NE(table->alloc(table, memory.handle(), 8), nullptr);
  EXPECT_EQ(table->alloc(table, memory.handle(), 8), nullptr);
  EXPECT_NE(table->alloc(table, memory.handle(), 8), nullptr);
  EXPECT_EQ(on.allocations(), 3U);
}

TEST(kit_host, has_the_services_of_the_contract_or_none) {
  const host rich({});
  const host poor({.services = false});
  for (const char* id :
       {IFB_SERVICE_TOKENIZER, IFB_SERVICE_PROGRESS, IFB_SERVICE_CONSOLE, IFB_SERVICE_HTTP}) {
    EXPECT_NE(rich.table()->service(rich.table(), id), nullptr) << id;
    EXPECT_EQ(poor.table()->service(poor.table(), id), nullptr) << id;
  }
  EXPECT_EQ(rich.table()->service(rich.table(), "acme.service/1"), nullptr);
}

TEST(kit_host, counts_complaints_and_no_other_lines) {
  const host on({});
  on.table()->log(on.table(), 2, ifb::str("fine"));
  EXPECT_EQ(on.complaints(), 0U);
  on.table()->log(on.table(), 3, ifb::str("cannot write"));
  EXPECT_EQ(on.complaints(), 1U);
}

TEST(kit_host, says_that_it_is_newer_where_its_table_is_longer) {
  const host on({.memory = {.tail = 64, .filling = 0xA5}});
  EXPECT_EQ(on.table()->struct_size, sizeof(ifb_host) + 64);
  EXPECT_EQ(on.table()->abi_minor, IFB_ABI_MINOR + 1);
  EXPECT_EQ(reinterpret_cast<const unsigned char*>(on.table())[sizeof(ifb_host)], 0xA5);
}

TEST(kit_host, has_a_wall_clock_that_stands_still) {
  const host on({});
  const host other({});
  EXPECT_EQ(on.table()->unix_now(on.table()), other.table()->unix_now(other.table()));
}

TEST(kit_host, keeps_the_first_fault_of_a_call_into_it) {
  const host on({});
  EXPECT_EQ(on.fault().what, "");
  host::blame(on.table(), {.what = "one", .remedy = "drop it"});
  host::blame(on.table(), {.what = "two"});
  EXPECT_EQ(on.fault().what, "one");
  EXPECT_EQ(on.fault().remedy, "drop it");
}

TEST(kit_services, the_server_answers_two_paths) {
  const host on({});
  const ifb_host* const h = on.table();
  const auto* const http = static_cast<const ifb_http_service*>(h->service(h, IFB_SERVICE_HTTP));
  ifb_arena* const memory = http->arena(h);
  ifb_error error{};
  ifb_http_answer answer{};
  ifb_http_request asked{};
  asked.struct_size = sizeof asked;
  const auto ask = [&](const char* target, std::string_view body) {
    const ifb_bytes whole = ifb::bytes(body);
    asked.target = ifb::str(target);
    asked.body = &whole;
    asked.body_count = 1;
    answer = {};
    answer.struct_size = sizeof answer;
    EXPECT_EQ(http->request(h, &asked, 0, memory, &answer, &error), IFB_OK);
    return std::string(ifb::view(answer.body));
  };
  EXPECT_EQ(ask("/tokenize", R"({"prompt": " w007 w008"})"), R"({"count": 2, "tokens": [7, 8]})");
  EXPECT_EQ(answer.status, 200U);
  ASSERT_EQ(answer.header_count, 1U);
  EXPECT_EQ(ifb::view(answer.headers->value), "application/json");
  EXPECT_EQ(ask("/detokenize", R"({"tokens": [7, -1]})"), R"({"prompt": " w007"})");
  EXPECT_EQ(ask("/other", "{}"), "");
  EXPECT_EQ(answer.status, 404U);
  EXPECT_EQ(ask("/tokenize", "{"), "");
  EXPECT_EQ(answer.status, 400U);
  EXPECT_EQ(on.fault().what, "");
  asked.reserved = 1;
  EXPECT_EQ(ask("/tokenize", R"({"prompt": "a"})"), R"({"count": 1, "tokens": [1097]})");
  EXPECT_EQ(on.fault().what,
            "`reserved` in an ifb_http_request for the HTTP service is 1 instead of 0");
  asked.target = ifb::str("https://other.example/token");
  EXPECT_EQ(http->request(h, &asked, 0, memory, &answer, &error), IFB_E_IO);
  http->release(h, memory);
}

TEST(kit_services, the_tokenizer_refuses_unknown_flags_and_decodes_to_utf8) {
  const host on({});
  const ifb_host* const h = on.table();
  const auto* const tokenizer =
      static_cast<const ifb_tokenizer_service*>(h->service(h, IFB_SERVICE_TOKENIZER));
  std::uint64_t count = 0;
  ifb_error error{};
  EXPECT_EQ(tokenizer->count(h, ifb::str("a"), 64, &count, &error), IFB_E_UNSUPPORTED);
  EXPECT_EQ(error.code, IFB_E_UNSUPPORTED);
  EXPECT_EQ(tokenizer->count(h, ifb::str("a"), 64, &count, nullptr), IFB_E_UNSUPPORTED);
  EXPECT_EQ(tokenizer->count(h, ifb::str("a"), IFB_ENCODE_SPECIAL, &count, nullptr), IFB_OK);
  const std::uint32_t half_a_letter = 1000 + 0xC3;
  std::string text(8, '\0');
  std::size_t needed = 0;
  EXPECT_EQ(tokenizer->decode(h, &half_a_letter, 1, 0, text.data(), text.size(), &needed, &error),
            IFB_OK);
  EXPECT_EQ(text.substr(0, needed), "\uFFFD");
}

TEST(kit_services, a_vocabulary_of_an_older_plugin_is_filled_as_far_as_it_reaches) {
  const host on({});
  const ifb_host* const h = on.table();
  const auto* const tokenizer =
      static_cast<const ifb_tokenizer_service*>(h->service(h, IFB_SERVICE_TOKENIZER));
  ifb_vocabulary out;
  std::memset(&out, 0x5A, sizeof out);
  out.struct_size = offsetof(ifb_vocabulary, total_size);
  EXPECT_EQ(tokenizer->vocabulary(h, &out, nullptr), IFB_OK);
  EXPECT_EQ(out.size, 1000U);
  EXPECT_EQ(out.total_size, 0x5A5A5A5A5A5A5A5AU);
}

}  // namespace
}  // namespace inferbench::check
