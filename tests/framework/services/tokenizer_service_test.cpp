#include "services/tokenizer_service.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "framework/services/scripted_tokenizer.hpp"
#include "plugin/host.hpp"
#include "plugin/instance.hpp"
#include "services/tokenizer.hpp"

namespace inferbench::services {
namespace {

/// A plugin with a host that lends a tokenizer.
class tokenizer_service_of_a_host : public ::testing::Test {
 protected:
  tokenizer_service_of_a_host() {
    shared.tokenizer = &by.service();
    shared.tokenizer_state = const_cast<tokenizer*>(&by);
  }

  fake::scripted_tokenizer script;
  const tokenizer by{script.choice(), {}};
  plugin::services shared;
  const plugin::host mine{shared, "dataset x"};
  const ifb_host* const host = mine.table();
  const ifb_tokenizer_service& table = by.service();
  ifb_error error = plugin::empty_error();
  std::size_t needed = 0;
  std::uint64_t tokens = 0;
};

TEST_F(tokenizer_service_of_a_host, has_the_name_that_the_user_gave) {
  EXPECT_EQ(host->service(host, IFB_SERVICE_TOKENIZER), &table);
  EXPECT_STREQ(table.name, "scripted");
  EXPECT_EQ(table.struct_size, sizeof table);
}

TEST_F(tokenizer_service_of_a_host, passes_the_message_of_the_tokenizer_on_in_every_call) {
  script.status = IFB_E_REMOTE;
  script.message = "the server answers /tokenize with HTTP 500: no such model";
  const auto expect_message = [&](ifb_status status) {
    EXPECT_EQ(status, IFB_E_REMOTE);
    EXPECT_EQ(error.code, IFB_E_REMOTE);
    EXPECT_EQ(error.message, script.message);
    error = plugin::empty_error();
  };
  ifb_vocabulary words{};
  words.struct_size = sizeof words;
  const ifb_str text = plugin::str("a");
  const std::uint32_t id = 1;
  expect_message(table.vocabulary(host, &words, &error));
  expect_message(table.count(host, text, 0, &tokens, &error));
  expect_message(table.encode(host, text, 0, nullptr, 0, &needed, &error));
  expect_message(table.decode(host, &id, 1, 0, nullptr, 0, &needed, &error));
  expect_message(table.encode_pair(host, text, text, 0, nullptr, nullptr, 0, &needed, &error));
  expect_message(table.render(host, text, nullptr, 0, &needed, &error));
}

TEST_F(tokenizer_service_of_a_host, refuses_flags_that_the_host_does_not_know) {
  EXPECT_EQ(table.encode(host, plugin::str("a"), 8, nullptr, 0, &needed, &error),
            IFB_E_UNSUPPORTED);
  EXPECT_STREQ(error.message, "this host does not know the encode flags 0x8");
  EXPECT_EQ(script.calls, 0U);
}

TEST_F(tokenizer_service_of_a_host, works_without_a_place_for_the_error) {
  script.needed = {SIZE_MAX};
  EXPECT_EQ(table.encode(host, plugin::str("a"), 0, nullptr, 0, &needed, nullptr), IFB_E_INTERNAL);
  script.needed = {2};
  EXPECT_EQ(table.count(host, plugin::str("a"), IFB_ENCODE_SPECIAL, &tokens, nullptr), IFB_OK);
  EXPECT_EQ(tokens, 2U);
}

}  // namespace
}  // namespace inferbench::services
