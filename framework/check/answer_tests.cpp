// Tests of codecs: answers that come in pieces, stop early, contain noise, or are closed early.
#include <random>

#include "check/material.hpp"
#include "check/test.hpp"

namespace inferbench::check {

namespace {

constexpr std::uint64_t fixed_seed = 20'261'120;

// All events that the codec reports about an answer. `cuts`: see player::hear().
std::vector<std::string> heard_of(const material& m, const answer& from,
                                  std::span<const std::size_t> cuts) {
  if (!m.one.open(m.sample) || !m.one.converse(from, cuts)) return {"refused"};
  return m.one.heard().lines();
}

void cut(subject& s, const material& m) {
  // NOLINTNEXTLINE(cert-msc32-c,cert-msc51-cpp): the same cuts each time
  std::mt19937_64 random(fixed_seed);
  for (const answer& from : m.answers) {
    const auto whole = heard_of(m, from, {});
    std::vector<std::vector<std::size_t>> ways(1);
    for (std::size_t at = 1; at < from.body.size(); ++at)
      ways.front().push_back(at);
    for (int i = 0; i < 20; ++i) {
      auto& cuts = ways.emplace_back();
      for (std::size_t at = 1 + random() % 60; at < from.body.size(); at += 1 + random() % 60)
        cuts.push_back(at);
    }
    for (const auto& cuts : ways) {
      if (s.full() || m.late()) return;
      const auto found = heard_of(m, from, cuts);
      if (found == whole) continue;
      s.fail("an answer that comes in " + std::to_string(cuts.size() + 1) + " reads is heard as " +
                 shown(found) + " instead of " + shown(whole),
             "keep unfinished data in the exchange, and nothing in static variables");
      break;
    }
  }
}

void truncate(subject& s, const material& m) {
  for (answer from : m.answers) {
    const std::string body = from.body;
    for (std::size_t size = 0; size < body.size(); ++size) {
      if (s.full() || m.late()) return;
      from.body = body.substr(0, size);
      // Two cases. true: the body has no length, so the client cannot recognise that the body is
      // cut short, and calls on_end. false: the connection breaks, and the client does not call
      // on_end.
      for (const bool complete : {true, false}) {
        from.complete = complete;
        static_cast<void>(heard_of(m, from, {}));
        judge_ends(s, m.one.heard(), ", of an answer that stops at byte " + std::to_string(size));
      }
    }
  }
}

template <typename generator>
void mangle(std::string& body, int way, generator& random) {
  switch (way) {
    case 0:  // the body is random bytes
      body.assign(random() % 200, '\0');
      for (char& c : body)
        c = static_cast<char>(random());
      return;
    case 1:  // some bytes of an answer are changed
      for (std::size_t k = 0; k < 4 && !body.empty(); ++k)
        body[random() % body.size()] = static_cast<char>(random());
      return;
    default: {  // a piece of an answer is repeated or missing
      const std::size_t at = body.empty() ? 0 : random() % body.size();
      const std::size_t size = 1 + random() % 40;
      if (random() % 2 == 0)
        body.insert(at, body.substr(at, size));
      else
        body.erase(at, size);
    }
  }
}

void make_noise(subject& s, const material& m) {
  m.one.judge();
  // NOLINTNEXTLINE(cert-msc32-c,cert-msc51-cpp): the same bytes each time
  std::mt19937_64 random(fixed_seed);
  constexpr int rounds = 2000;
  for (int i = 0; i < rounds && !s.full() && !m.late(); ++i) {
    answer from = m.answers[random() % m.answers.size()];
    mangle(from.body, i % 3, random);
    if (i % 5 == 0) from.headers = {{"Content-Type", "application/json"}};
    if (i % 7 == 0) from.status = i % 2 == 0 ? 503 : 404;
    static_cast<void>(heard_of(m, from, {}));
    judge_ends(s, m.one.heard(), ", of an answer of noise");
    // Feeds the noise as single messages, too, without framing.
    if (m.one.open(m.sample) && m.one.request() && m.one.head(streamed({})) &&
        m.one.message(i % 2 == 0 ? "" : "error", from.body))
      m.one.end();
  }
}

void close_early(subject& s, const material& m) {
  player& one = m.one;
  const auto opened = [&] { return one.open(m.sample); };
  const auto requested = [&] { return opened() && one.request(); };
  for (const answer& from : m.answers) {
    if (opened()) one.close();
    if (requested()) one.close();
    if (requested() && one.sign()) one.close();
    if (requested() && one.head(from)) one.close();
    if (requested() && one.head(from) && one.message({}, from.body.substr(0, from.body.size() / 2)))
      one.close();
    if (requested()) {
      one.hear({.status = from.status,
                .headers = from.headers,
                .body = from.body.substr(0, from.body.size() / 2),
                .complete = false});
      one.close();
    }
    if (requested()) {
      one.hear(from);
      one.close();
    }
  }
  // The instance must work as before.
  if (!opened())
    s.fail("after exchanges were closed early open refuses: " + refusal(one.status(), one.error()),
           "free in close the things that open made, and nothing else");
}

}  // namespace

void check_cuts(subject& s) {
  with_material(s, [&](const material& m) { cut(s, m); });
}

void check_truncation(subject& s) {
  with_material(s, [&](const material& m) { truncate(s, m); });
}

void check_noise(subject& s) {
  with_material(s, [&](const material& m) { make_noise(s, m); });
}

void check_close(subject& s) {
  with_material(s, [&](const material& m) { close_early(s, m); });
}

}  // namespace inferbench::check
