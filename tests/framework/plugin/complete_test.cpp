// Checks tables of plugins of older and newer versions against the host's definition of each
// interface.
#include "plugin/complete.hpp"

#include <cstddef>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin/instance.hpp"

namespace inferbench::plugin {
namespace {

ifb_status open(ifb_instance*, const ifb_sample*, ifb_arena*, ifb_exchange**, ifb_error*) {
  return IFB_OK;
}
ifb_status request(ifb_exchange*, ifb_http_request*, ifb_error*) { return IFB_OK; }
ifb_status on_head(ifb_exchange*, const ifb_http_head*, std::uint32_t* framing, ifb_error*) {
  *framing = IFB_FRAMING_SSE;
  return IFB_OK;
}
ifb_status on_message(ifb_exchange*, const ifb_http_message*, const ifb_events*, ifb_output*,
                      ifb_error*) {
  return IFB_OK;
}
ifb_status on_end(ifb_exchange*, const ifb_http_end*, const ifb_events*, ifb_output*, ifb_error*) {
  return IFB_OK;
}
void close(ifb_exchange*) {}

ifb_http_codec full() {
  ifb_http_codec out{};
  out.struct_size = sizeof out;
  out.open = &open;
  out.request = &request;
  out.on_head = &on_head;
  out.on_message = &on_message;
  out.on_end = &on_end;
  out.close = &close;
  return out;
}

/// A tokenizer without the optional functions.
ifb_tokenizer bare_tokenizer() {
  ifb_tokenizer out{};
  out.struct_size = sizeof out;
  out.vocabulary = [](const ifb_instance*, ifb_vocabulary*, ifb_error*) -> ifb_status {
    return IFB_OK;
  };
  out.encode = [](const ifb_instance*, ifb_str text, std::uint32_t, std::uint32_t*, std::size_t,
                  std::size_t* needed, ifb_error*) -> ifb_status {
    *needed = text.size;
    return IFB_OK;
  };
  out.decode = [](const ifb_instance*, const std::uint32_t*, std::size_t, std::uint32_t, char*,
                  std::size_t, std::size_t*, ifb_error*) -> ifb_status { return IFB_OK; };
  return out;
}

std::string missing(const char* interface_id, const void* table) {
  const auto found = lack_of(interface_id, table);
  return found ? found->member == nullptr ? "all of it" : found->member : "nothing";
}

TEST(complete, finds_nothing_missing_in_a_whole_table) {
  const ifb_http_codec table = full();
  EXPECT_EQ(missing(IFB_HTTP_CODEC, &table), "nothing");
}

TEST(complete, names_the_first_missing_member) {
  ifb_http_codec table = full();
  table.on_end = nullptr;
  table.close = nullptr;
  EXPECT_EQ(missing(IFB_HTTP_CODEC, &table), "on_end");
  table = full();
  table.on_head = nullptr;  // optional
  EXPECT_EQ(missing(IFB_HTTP_CODEC, &table), "nothing");
}

// Optional members may be NULL, but each table of version 1.0 has room for all of them.
TEST(complete, requires_room_for_all_members_of_version_1_0) {
  ifb_http_codec codec_table = full();
  codec_table.struct_size = offsetof(ifb_http_codec, sign);
  EXPECT_EQ(missing(IFB_HTTP_CODEC, &codec_table), "sign");
  ifb_tokenizer tokenizer_table = bare_tokenizer();
  EXPECT_EQ(missing(IFB_TOKENIZER_OPS, &tokenizer_table), "nothing");
  tokenizer_table.struct_size = offsetof(ifb_tokenizer, encode_pair);
  EXPECT_EQ(missing(IFB_TOKENIZER_OPS, &tokenizer_table), "encode_pair");
  tokenizer_table.struct_size = offsetof(ifb_tokenizer, render);
  EXPECT_EQ(missing(IFB_TOKENIZER_OPS, &tokenizer_table), "render");
}

TEST(complete, reports_a_table_that_is_cut_off_with_its_size) {
  ifb_http_codec table = full();
  table.struct_size = offsetof(ifb_http_codec, on_head);
  const auto found = lack_of(IFB_HTTP_CODEC, &table);
  ASSERT_TRUE(found.has_value());
  EXPECT_STREQ(found->member, "on_head");  // optional, but in every table of version 1.0
  EXPECT_EQ(found->size, offsetof(ifb_http_codec, on_head));
  EXPECT_EQ(found->least, sizeof(ifb_http_codec));
}

TEST(complete, reports_an_interface_that_is_not_offered) {
  for (const char* const id : {IFB_HTTP_CODEC, IFB_ENGINE, IFB_DATASET_OPS, IFB_REPORTER_OPS,
                               IFB_TABLE_REPORTER_OPS, IFB_TOKENIZER_OPS, "inferbench.unknown/1"})
    EXPECT_EQ(missing(id, nullptr), "all of it") << id;
}

// The members of each interface that may be NULL are listed in abi.h.
TEST(complete, requires_the_functions_that_the_contract_requires) {
  ifb_engine engine{};
  engine.struct_size = sizeof engine;
  EXPECT_EQ(missing(IFB_ENGINE, &engine), "submit");
  ifb_dataset dataset{};
  dataset.struct_size = sizeof dataset;
  EXPECT_EQ(missing(IFB_DATASET_OPS, &dataset), "prepare");
  ifb_reporter reporter{};
  reporter.struct_size = sizeof reporter;
  reporter.begin = [](ifb_instance*, const ifb_run*, ifb_error*) -> ifb_status { return IFB_OK; };
  EXPECT_EQ(missing(IFB_REPORTER_OPS, &reporter), "end");
  ifb_table_reporter several{};
  several.struct_size = sizeof several;
  several.begin = [](ifb_instance*, const ifb_table*, ifb_error*) -> ifb_status { return IFB_OK; };
  EXPECT_EQ(missing(IFB_TABLE_REPORTER_OPS, &several), "run");
  ifb_tokenizer tokenizer = bare_tokenizer();
  tokenizer.encode = nullptr;
  EXPECT_EQ(missing(IFB_TOKENIZER_OPS, &tokenizer), "encode");
}

TEST(complete, a_reporter_of_tables_without_records_gets_an_empty_function) {
  ifb_table_reporter table{};
  table.struct_size = sizeof table;
  const ifb_plugin plugin{};
  const auto ops = complete<table_reporter>(plugin, &table);
  EXPECT_FALSE(ops.takes_records);
  EXPECT_EQ(ops.records(nullptr, nullptr, nullptr, 0, sizeof(ifb_record), nullptr), IFB_OK);
}

TEST(complete, fills_in_the_defaults_of_the_contract) {
  ifb_http_codec table = full();
  table.on_head = nullptr;
  const ifb_plugin plugin{};
  const auto ops = complete<codec>(plugin, &table);
  EXPECT_EQ(ops.plugin, &plugin);
  EXPECT_EQ(ops.costs, nullptr);
  EXPECT_FALSE(ops.hears_head);
  std::uint32_t framing = 77;
  EXPECT_EQ(ops.on_head(nullptr, nullptr, &framing, nullptr), IFB_OK);
  EXPECT_EQ(framing, unsigned{IFB_FRAMING_AUTO});
}

TEST(complete, keeps_the_functions_of_the_plugin) {
  const ifb_http_codec table = full();
  const ifb_plugin plugin{};
  const auto ops = complete<codec>(plugin, &table);
  EXPECT_TRUE(ops.hears_head);
  std::uint32_t framing = 77;
  EXPECT_EQ(ops.on_head(nullptr, nullptr, &framing, nullptr), IFB_OK);
  EXPECT_EQ(framing, unsigned{IFB_FRAMING_SSE});
}

TEST(complete, gives_a_codec_without_sign_one_that_changes_nothing) {
  const ifb_http_codec table = full();
  EXPECT_EQ(missing(IFB_HTTP_CODEC, &table), "nothing");
  const ifb_plugin plugin{};
  const auto ops = complete<codec>(plugin, &table);
  EXPECT_FALSE(ops.signs);
  ifb_http_request request{};
  EXPECT_EQ(ops.sign(nullptr, nullptr, &request, nullptr), IFB_OK);
  EXPECT_EQ(request.header_count, 0U);
}

TEST(complete, keeps_the_signature_and_the_flags_of_a_codec) {
  ifb_http_codec table = full();
  const ifb_plugin plugin{};
  EXPECT_FALSE(complete<codec>(plugin, &table).authorizes());
  table.flags = IFB_CODEC_CHAT | IFB_CODEC_AUTHORIZES;
  table.sign = [](ifb_exchange*, const ifb_http_target*, ifb_http_request* request,
                  ifb_error*) -> ifb_status {
    request->header_count = 7;
    return IFB_OK;
  };
  cost_sheet costs;
  auto ops = complete<codec>(plugin, &table);
  ops.costs = &costs;
  EXPECT_TRUE(ops.signs);
  EXPECT_TRUE(ops.authorizes());
  ifb_http_request request{};
  EXPECT_EQ(ops.sign(nullptr, nullptr, &request, nullptr), IFB_OK);
  EXPECT_EQ(request.header_count, 7U);
  const auto found = costs.take();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_STREQ(name_of(found[0].which), "sign");
}

TEST(complete, takes_no_more_of_a_table_of_the_future_than_it_knows) {
  struct {
    ifb_http_codec known = full();
    void* more = nullptr;
  } table;
  table.known.struct_size = sizeof table;
  const ifb_plugin plugin{};
  const auto ops = complete<codec>(plugin, &table);
  EXPECT_EQ(ops.struct_size, sizeof(ifb_http_codec));
}

TEST(complete, gives_a_tokenizer_refusals_for_the_functions_that_it_left_out) {
  const ifb_tokenizer table = bare_tokenizer();
  const ifb_plugin plugin{};
  const auto ops = complete<tokenizer>(plugin, &table);
  std::uint64_t count = 0;
  EXPECT_EQ(ops.count(nullptr, str("four"), 0, &count, nullptr), IFB_OK);  // counts with encode
  EXPECT_EQ(count, 4U);
  std::size_t needed = 0;
  EXPECT_EQ(ops.encode_pair(nullptr, {}, {}, 0, nullptr, nullptr, 0, &needed, nullptr),
            IFB_E_UNSUPPORTED);
  ifb_error error = empty_error();
  EXPECT_EQ(ops.render(nullptr, {}, nullptr, 0, &needed, &error), IFB_E_UNSUPPORTED);
  EXPECT_STREQ(error.message, "the tokenizer has no chat template");
}

}  // namespace
}  // namespace inferbench::plugin
