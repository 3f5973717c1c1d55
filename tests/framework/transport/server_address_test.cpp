#include "transport/server_address.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace inferbench::transport {
namespace {

using testing::HasSubstr;

std::string address_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "vllm");
  return server_address(arguments).text();
}

std::string address_refusal(const std::vector<std::string>& arguments) {
  try {
    return address_of(arguments);
  } catch (const base::error& e) {
    return e.what();
  }
}

TEST(server_address, has_the_defaults_of_upstream) {
  EXPECT_EQ(address_of({"serve", "model"}), "http://localhost:8000");
  EXPECT_EQ(address_of({}), "http://localhost:8000");
}

TEST(server_address, is_what_the_command_says) {
  EXPECT_EQ(address_of({"--host", "10.0.0.7", "--port", "8001"}), "http://10.0.0.7:8001");
  EXPECT_EQ(address_of({"--port=8001", "--host=gpu-7"}), "http://gpu-7:8001");
  EXPECT_EQ(address_of({"-p", "8002"}), "http://localhost:8002");
  EXPECT_EQ(address_of({"--port", "443"}), "http://localhost:443");
}

TEST(server_address, has_brackets_around_an_ipv6_address) {
  EXPECT_EQ(address_of({"--host", "::1", "--port", "8001"}), "http://[::1]:8001");
  EXPECT_EQ(address_of({"--host=[::1]"}), "http://[::1]:8000");
}

TEST(server_address, is_that_of_the_last_occurrence) {
  EXPECT_EQ(address_of({"-p", "1", "--port", "2"}), "http://localhost:2");
  EXPECT_EQ(address_of({"--port", "2", "-p", "1"}), "http://localhost:1");
  EXPECT_EQ(address_of({"--port", "2", "--port=3"}), "http://localhost:3");
  EXPECT_EQ(address_of({"--host", "a", "--host", "b"}), "http://b:8000");
  // A container's ports come before the arguments of the server in it.
  EXPECT_EQ(address_of({"-p", "9000:9000", "image", "--port", "9000"}), "http://localhost:9000");
}

TEST(server_address, is_not_that_of_longer_options) {
  EXPECT_EQ(address_of({"--port-other", "1", "--hostname", "a", "--ports=2", "-p3"}),
            "http://localhost:8000");
}

TEST(server_address, is_refused_if_it_cannot_be_used) {
  EXPECT_EQ(address_refusal({"--port"}),
            "the server command ends with --port, which needs a value; add the value, or remove "
            "--port");
  for (const char* port : {"0", "65536", "-1", "8000:8000", "80a", "", "99999999999999999999"})
    EXPECT_THAT(address_refusal({"--port", port}),
                HasSubstr("which is no number from 1 to 65535; give the server its port by --port"))
        << port;
  EXPECT_THAT(address_refusal({"--host="}), HasSubstr("the host of the server command cannot be "));
  EXPECT_THAT(address_refusal({"--host", "a b"}), HasSubstr("give the server a name"));
  EXPECT_THAT(address_refusal({"--host", "user@a"}), HasSubstr("give the server a name"));
  EXPECT_THAT(address_refusal({"--host", "a/b"}), HasSubstr("which has a path"));
  EXPECT_THAT(address_refusal({"--host", "a?b"}), HasSubstr("which has a path"));
  EXPECT_THAT(address_refusal({"--host", "a#b"}), HasSubstr("give the server a name"));
}

}  // namespace
}  // namespace inferbench::transport
