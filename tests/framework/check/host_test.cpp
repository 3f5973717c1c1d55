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

TEST(kit_services, the_server_answers_two_paths) {
  const host on({});
  const ifb_host* const h = on.table();
  const auto* const http = static_cast<const ifb_http_service*>(h->service(h, IFB_SERVICE_HTTP));
  ifb_arena* const memory = http->arena(h);
  std::uint32_t status = 0;
  ifb_bytes answer{};
  ifb_error error{};
  const auto ask = [&](const char* target, std::string_view body) {
    EXPECT_EQ(http->fetch(h, ifb::str("POST"), ifb::str(target), ifb::bytes(body), 0, memory,
                          &status, &answer, &error),
              IFB_OK);
    return std::string(ifb::view(answer));
  };
  EXPECT_EQ(ask("/tokenize", R"({"prompt": " w007 w008"})"), R"({"count": 2, "tokens": [7, 8]})");
  EXPECT_EQ(status, 200U);
  EXPECT_EQ(ask("/detokenize", R"({"tokens": [7, -1]})"), R"({"prompt": " w007"})");
  EXPECT_EQ(ask("/other", "{}"), "");
  EXPECT_EQ(status, 404U);
  EXPECT_EQ(ask("/tokenize", "{"), "");
  EXPECT_EQ(status, 400U);
  http->release(h, memory);
}

TEST(kit_services, a_vocabulary_of_an_older_plugin_is_filled_as_far_as_it_reaches) {
  const host on({});
  const ifb_host* const h = on.table();
  const auto* const tokenizer =
      static_cast<const ifb_tokenizer_service*>(h->service(h, IFB_SERVICE_TOKENIZER));
  ifb_vocabulary out;
  std::memset(&out, 0x5A, sizeof out);
  out.struct_size = offsetof(ifb_vocabulary, total_size);
  EXPECT_EQ(tokenizer->vocabulary(h, &out), IFB_OK);
  EXPECT_EQ(out.size, 1000U);
  EXPECT_EQ(out.total_size, 0x5A5A5A5A5A5A5A5AU);
}

}  // namespace
}  // namespace inferbench::check
