// Passes a streamed answer of many events through client::exchange and the openai plugin.
// instructions.py runs this program to count the instructions per event.
//
//   cost_replay PLUGIN.so EVENTS_A_READ BLOCKS      a block has 1,000 events
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "client/exchange.hpp"
#include "streaming.hpp"

namespace {

using namespace inferbench;

constexpr std::size_t block_events = 1'000;

bool number(std::string_view text, std::size_t& out) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && stop == text.data() + text.size() && out != 0;
}

int replay(const char* file, std::size_t blocks, std::size_t events_a_read) {
  cost::openai protocol(file);
  const transport::endpoint nowhere{transport::parse_url("http://127.0.0.1:1"), {}};
  const client::backend shared = protocol.at(nowhere);
  std::string read;
  for (std::size_t i = 0; i < events_a_read; ++i)
    read += cost::token_chunk();

  const cost::one_request jobs;
  client::head_writer heads(shared);
  client::exchange subject(shared, heads);
  if (!subject.prepare(jobs.sample(), 0, 0)) return 1;
  std::uint64_t stamp = 1;
  subject.start(stamp);
  subject.connected(stamp);
  subject.sent(stamp);
  bool good = subject.feed(cost::answer_head, ++stamp) == client::exchange::progress::more;
  for (std::size_t events = 0; good && events < blocks * block_events; events += events_a_read)
    good = subject.feed(read, ++stamp) == client::exchange::progress::more;
  good = good && subject.feed(cost::answer_end(), ++stamp) == client::exchange::progress::done;
  const client::record record = subject.finish();
  if (good && record.ok() && record.tokens.size() == blocks * block_events) return 0;
  std::fprintf(stderr, "cost_replay: %s\n", record.error.c_str());
  return 1;
}

}  // namespace

int main(int count, char** words) {
  std::size_t blocks = 0;
  std::size_t events_a_read = 0;
  if (count != 4 || !number(words[2], events_a_read) || !number(words[3], blocks) ||
      block_events % events_a_read != 0) {
    std::fprintf(stderr, "usage: cost_replay PLUGIN.so EVENTS_A_READ BLOCKS\n");
    return 2;
  }
  try {
    return replay(words[1], blocks, events_a_read);
  } catch (const base::error& e) {
    std::fprintf(stderr, "cost_replay: %s\n", e.what());
    return 1;
  }
}
