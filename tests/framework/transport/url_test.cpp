#include "transport/url.hpp"

#include <gtest/gtest.h>

namespace inferbench::transport {
namespace {

std::string complaint_about_url(std::string_view text) {
  try {
    (void)parse_url(text, {"--base-url", 0, 0});
  } catch (const base::error& e) {
    return e.what();
  }
  return "none";
}

TEST(url, is_taken_apart_into_host_port_and_target) {
  const url u = parse_url("http://server.example:8000/v1/x?y=1");
  EXPECT_FALSE(u.tls);
  EXPECT_EQ(u.host, "server.example");
  EXPECT_EQ(u.port, 8000);
  EXPECT_EQ(u.target, "/v1/x?y=1");
  EXPECT_EQ(u.authority(), "server.example:8000");
  EXPECT_EQ(u.text(), "http://server.example:8000/v1/x?y=1");
}

TEST(url, without_port_has_the_one_of_its_scheme_and_leaves_it_out_of_the_authority) {
  EXPECT_EQ(parse_url("http://a").port, 80);
  EXPECT_EQ(parse_url("http://a:").port, 80);
  EXPECT_EQ(parse_url("http://a:80").authority(), "a");
  EXPECT_EQ(parse_url("HTTPS://a").port, 443);
  EXPECT_TRUE(parse_url("https://a:8443").tls);
  EXPECT_EQ(parse_url("https://a:80").authority(), "a:80");
}

TEST(url, takes_ipv6_in_brackets) {
  const url u = parse_url("http://[::1]:8000/v1");
  EXPECT_EQ(u.host, "::1");
  EXPECT_EQ(u.port, 8000);
  EXPECT_EQ(u.authority(), "[::1]:8000");
  EXPECT_EQ(parse_url("http://[fe80::1%eth0]").host, "fe80::1%eth0");
}

TEST(url, keeps_the_target_as_it_is) {
  EXPECT_EQ(parse_url("http://a").target, "");
  EXPECT_EQ(parse_url("http://a/").target, "/");
  EXPECT_EQ(parse_url("http://a//b/../c/").target, "//b/../c/");
  EXPECT_EQ(parse_url("http://a?x=1").target, "/?x=1");
}

TEST(url, names_a_socket_with_or_without_a_prefix) {
  const url plain = parse_url("unix:/run/server.sock");
  EXPECT_EQ(plain.socket, "/run/server.sock");
  EXPECT_EQ(plain.target, "");
  EXPECT_EQ(plain.authority(), "localhost");
  EXPECT_EQ(plain.text(), "unix:/run/server.sock");
  EXPECT_FALSE(plain.tls);
  const url prefixed = parse_url("unix:/run/a:b.sock:/v1/x?y=1");
  EXPECT_EQ(prefixed.socket, "/run/a:b.sock");
  EXPECT_EQ(prefixed.target, "/v1/x?y=1");
  EXPECT_EQ(prefixed.text(), "unix:/run/a:b.sock:/v1/x?y=1");
}

TEST(url, of_a_socket_needs_a_whole_path_that_is_not_too_long) {
  const std::string remedy =
      " has no absolute path of a socket; write it as unix:/path/to/socket or "
      "unix:/path/to/socket:/prefix";
  for (const char* text : {"unix:", "unix:a.sock", "unix::/v1"})
    EXPECT_EQ(complaint_about_url(text),
              "--base-url: the URL \"" + std::string(text) + "\"" + remedy);
  const std::string path = "/" + std::string(106, 'x');
  EXPECT_EQ(complaint_about_url("unix:" + path + ":/v1"), "none");
  EXPECT_EQ(complaint_about_url("unix:" + path + "x"),
            "--base-url: the path of the socket " + path +
                "x has 108 bytes, and a socket's may have 107; make a symbolic link to it with a "
                "shorter path");
  EXPECT_NE(complaint_about_url("unix:/a#b").find("fragment"), std::string::npos);
}

TEST(url, is_of_one_server_where_scheme_host_and_port_are_the_same) {
  const url here = parse_url("http://Host/x");
  EXPECT_TRUE(here.same_origin(parse_url("http://hOST:80/y")));
  EXPECT_FALSE(here.same_origin(parse_url("https://host/x")));
  EXPECT_FALSE(here.same_origin(parse_url("http://host:81/x")));
  EXPECT_FALSE(here.same_origin(parse_url("http://other/x")));
  EXPECT_EQ(here.host_and_port(), "Host:80");
  EXPECT_EQ(parse_url("https://[::1]").host_and_port(), "[::1]:443");
}

TEST(url, that_cannot_be_used_is_refused_with_a_remedy) {
  EXPECT_EQ(complaint_about_url("127.0.0.1:8000"),
            "--base-url: the URL \"127.0.0.1:8000\" does not begin with http://; "
            "write http://127.0.0.1:8000");
  EXPECT_EQ(complaint_about_url(""),
            "--base-url: the URL \"\" does not begin with http://; write it as http://HOST:PORT");
  EXPECT_EQ(complaint_about_url("ftp://a"),
            "--base-url: the URL \"ftp://a\" has the scheme ftp; use http://, https:// or unix:");
  EXPECT_EQ(complaint_about_url("http://"),
            "--base-url: the URL \"http://\" names no host; write it as http://HOST:PORT");
  EXPECT_EQ(complaint_about_url("http://:80"),
            "--base-url: the URL \"http://:80\" names no host; write it as http://HOST:PORT");
  EXPECT_EQ(complaint_about_url("http://a:0"),
            "--base-url: the URL \"http://a:0\" has the port 0; use a number from 1 to 65535");
  for (const char* port : {"65536", "-1", "80x", "+80", "99999999999"})
    EXPECT_NE(complaint_about_url(std::string("http://a:") + port).find("1 to 65535"),
              std::string::npos)
        << port;
  EXPECT_EQ(complaint_about_url("http://::1:8000"),
            "--base-url: the URL \"http://::1:8000\" has several colons in its host; "
            "put an IPv6 address into brackets: http://[::1]:8000");
  EXPECT_NE(complaint_about_url("http://[::1").find("[ without ]"), std::string::npos);
  EXPECT_NE(complaint_about_url("http://[]:1").find("no IPv6 address"), std::string::npos);
  EXPECT_NE(complaint_about_url("http://[::1]8000").find("other than a port"), std::string::npos);
  EXPECT_NE(complaint_about_url("http://a/#top").find("fragment"), std::string::npos);
  EXPECT_NE(complaint_about_url("http://a b").find("blanks"), std::string::npos);
  EXPECT_NE(complaint_about_url("http://a/\r\nX: y").find("control characters"), std::string::npos);
  EXPECT_NE(complaint_about_url("http://a,b").find("no host name has"), std::string::npos);
}

TEST(url, with_a_password_is_refused_without_repeating_it) {
  const std::string text = complaint_about_url("http://me:secret@host/");
  EXPECT_NE(text.find("--header"), std::string::npos);
  EXPECT_EQ(text.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace inferbench::transport
