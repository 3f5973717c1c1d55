#include "transport/server_address.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::transport {

namespace {

constexpr std::int64_t default_port = 8000;
constexpr std::int64_t largest_port = 65535;

/// The last value that the command has for one of the options.
std::optional<std::string> last_value(const std::vector<std::string>& command,
                                      std::initializer_list<std::string_view> options) {
  std::optional<std::string> out;
  for (std::size_t i = 1; i < command.size(); ++i) {
    for (const std::string_view option : options) {
      const std::string_view word = command[i];
      if (word == option) {
        if (i + 1 == command.size())
          throw base::error(
              "the server command ends with " + std::string(option) + ", which needs a value",
              "add the value, or remove " + std::string(option));
        out = command[++i];
        break;
      }
      if (option.starts_with("--") && word.starts_with(option) &&
          word.substr(option.size()).starts_with('=')) {
        out = word.substr(option.size() + 1);
        break;
      }
    }
  }
  return out;
}

std::int64_t port_of(const std::string& text) {
  const std::optional<std::int64_t> port = base::parse_int(text);
  if (port && *port > 0 && *port <= largest_port) return *port;
  throw base::error("the port of the server command is " + base::one_line(text) +
                        ", which is no number from 1 to 65535",
                    "give the server its port by --port, as the last of its options -p and --port");
}

}  // namespace

url server_address(const std::vector<std::string>& command) {
  const std::string host = last_value(command, {"--host"}).value_or("localhost");
  const std::optional<std::string> port_text = last_value(command, {"--port", "-p"});
  const std::int64_t port = port_text ? port_of(*port_text) : default_port;
  const bool bare_ipv6 = host.find(':') != std::string::npos && !host.starts_with('[');
  url out;
  try {
    out = parse_url("http://" + (bare_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port));
  } catch (const base::error& e) {
    throw base::error("the host of the server command cannot be used: " + e.message(),
                      "give the server a name or an IP address by --host");
  }
  // A slash in the host would begin a path.
  if (!out.target.empty())
    throw base::error(
        "the host of the server command is " + base::one_line(host) + ", which has a path",
        "give the server a name or an IP address by --host");
  return out;
}

}  // namespace inferbench::transport
