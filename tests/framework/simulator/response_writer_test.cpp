#include "simulator/response_writer.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/json.hpp"
#include "framework/simulator/chunks.hpp"

namespace inferbench::simulator {
namespace {

/// The data of an event whose name is its type.
rapidjson::Document data_of(const std::string& event) {
  const auto end = event.find("\ndata: ");
  EXPECT_TRUE(event.starts_with("event: ") && event.ends_with("}\n\n")) << event;
  rapidjson::Document out = base::parse_json(event.substr(end + 7), "data");
  EXPECT_EQ(event.substr(7, end - 7), base::text_of(base::find(out, "type")));
  return out;
}

TEST(response_writer, every_event_has_a_name_and_a_number) {
  response_writer writer;
  for (int again = 0; again < 2; ++again) {
    std::string out;
    writer.begin({api_kind::response, "r\"1", "m\\", 17}, 9, true);
    writer.created(out);
    writer.opened(out);
    for (std::uint64_t i = 0; i < 64; ++i)
      writer.delta(out, i, 1);
    writer.delta(out, 64, 500);
    writer.completed(out, 0, 564, false, {3, 564, 1});
    const auto chunks = chunks_of(out);
    ASSERT_EQ(chunks.size(), 2U + 2 + 65 + 4 + 1);
    EXPECT_EQ(chunks.back(), "") << "the last chunk";
    std::string text;
    for (std::size_t i = 0; i + 1 < chunks.size(); ++i) {
      const rapidjson::Document data = data_of(chunks[i]);
      EXPECT_EQ(data["sequence_number"].GetUint64(), i);
      text += base::text_of(base::find(data, "delta"));
    }
    const rapidjson::Document last = data_of(chunks[chunks.size() - 2]);
    const base::json_value& response = last["response"];
    EXPECT_EQ(base::text_of(base::find(response, "id")), "resp_r\"1");
    EXPECT_EQ(base::text_of(base::find(response, "model")), "m\\");
    EXPECT_EQ(base::text_of(ifb::find_path(response, "output.0.content.0.text")), text);
    EXPECT_EQ(base::text_of(base::find(response, "status")), "completed");
    EXPECT_TRUE(response["incomplete_details"].IsNull());
    EXPECT_EQ(response["usage"]["total_tokens"].GetInt(), 567);
    EXPECT_EQ(response["usage"]["input_tokens_details"]["cached_tokens"].GetInt(), 1);
  }
}

TEST(response_writer, a_response_at_its_limit_is_incomplete) {
  std::string out;
  append_whole_response(out, {api_kind::response, "r", "m", 17}, 0, 2, 2, true, {3, 2, 0});
  const rapidjson::Document response = base::parse_json(out, "body");
  EXPECT_EQ(base::text_of(base::find(response, "status")), "incomplete");
  EXPECT_EQ(base::text_of(ifb::find_path(response, "incomplete_details.reason")),
            "max_output_tokens");
  EXPECT_EQ(response["max_output_tokens"].GetInt(), 2);
  EXPECT_EQ(base::text_of(ifb::find_path(response, "output.0.content.0.text")), " when the");
}

TEST(response_writer, a_response_has_no_text_before_its_first_token) {
  response_writer writer;
  std::string out;
  writer.begin({api_kind::response, "r", "m", 17}, 9, false);
  writer.created(out);
  EXPECT_EQ(out.find("\"delta\""), std::string::npos);
  EXPECT_NE(out.find("\"output\":[]"), std::string::npos);
  EXPECT_NE(out.find("\"usage\":null"), std::string::npos);
}

}  // namespace
}  // namespace inferbench::simulator
