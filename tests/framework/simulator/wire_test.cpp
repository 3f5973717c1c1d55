#include "simulator/wire.hpp"

#include <string>

#include <gtest/gtest.h>

namespace inferbench::simulator {
namespace {

TEST(wire, an_error_is_json_and_names_the_member_at_fault) {
  EXPECT_EQ(error_body({404, "no \"x\" here"}),
            R"({"error":{"message":"no \"x\" here","type":"NotFoundError","param":null,)"
            R"("code":404}})");
  EXPECT_EQ(error_body({422, "file must be a file.", "file"}),
            R"({"error":{"message":"file must be a file.","type":"UnprocessableEntityError",)"
            R"("param":"file","code":422}})");
}

TEST(wire, an_answer_says_how_long_it_is) {
  std::string out;
  append_answer(out, 405, json_type, "{}", false, "allow: POST\r\n");
  EXPECT_EQ(out,
            "HTTP/1.1 405 Method Not Allowed\r\nserver: inferbench-simulator\r\n"
            "content-type: application/json\r\nconnection: close\r\nallow: POST\r\n"
            "content-length: 2\r\n\r\n{}");
  out.clear();
  append_answer(out, 200, json_type, "{}", true, {}, false);
  EXPECT_TRUE(out.ends_with("content-length: 2\r\n\r\n")) << "to HEAD";
}

}  // namespace
}  // namespace inferbench::simulator
