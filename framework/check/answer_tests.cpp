// Codecs: answers that come in pieces, stop, make no sense, or are not wanted any more.
#include <random>

#include "check/material.hpp"
#include "check/test.hpp"

namespace inferbench::check {

namespace {

constexpr std::uint64_t fixed_seed = 20'261'120;

// Everything that was heard; cuts[i] as in player::hear.
std::vector<std::string> heard_of(player& one, const std::string& sample, const answer& from,
                                  std::span<const std::size_t> cuts) {
  if (!one.open(sample) || one.request().empty()) return {"refused"};
  one.hear(from, cuts);
  return one.heard().lines();
}

}  // namespace

void check_cuts(subject& s) {
  const host on({});
  made instance(s, on, s.values());
  need(instance);
  player one(s, instance);
  const std::string sample = taken_sample(one);
  // NOLINTNEXTLINE(cert-msc32-c,cert-msc51-cpp): the same cuts each time
  std::mt19937_64 random(fixed_seed);
  for (const answer& from : answers_for(s)) {
    const auto whole = heard_of(one, sample, from, {});
    std::vector<std::vector<std::size_t>> ways(1);
    for (std::size_t at = 1; at < from.body.size(); ++at)
      ways.front().push_back(at);
    for (int i = 0; i < 20; ++i) {
      auto& cuts = ways.emplace_back();
      for (std::size_t at = 1 + random() % 60; at < from.body.size(); at += 1 + random() % 60)
        cuts.push_back(at);
    }
    for (const auto& cuts : ways) {
      if (s.full() || s.late()) return;
      const auto found = heard_of(one, sample, from, cuts);
      if (found == whole) continue;
      s.fail("an answer that comes in " + std::to_string(cuts.size() + 1) + " reads is heard as " +
                 shown(found) + " instead of " + shown(whole),
             "keep what is unfinished in the exchange, and nothing in static variables");
      break;
    }
  }
}

void check_truncation(subject& s) {
  const host on({});
  made instance(s, on, s.values());
  need(instance);
  player one(s, instance);
  const std::string sample = taken_sample(one);
  for (answer from : answers_for(s)) {
    const std::string body = from.body;
    for (std::size_t size = 0; size < body.size(); ++size) {
      if (s.full() || s.late()) return;
      from.body = body.substr(0, size);
      // The end of a body without a length looks like any other; a broken one is never told.
      for (const bool complete : {true, false}) {
        from.complete = complete;
        static_cast<void>(heard_of(one, sample, from, {}));
        judge_ends(s, one.heard(), ", of an answer that stops at byte " + std::to_string(size));
      }
    }
  }
}

void check_noise(subject& s) {
  const host on({});
  made instance(s, on, s.values());
  need(instance);
  player one(s, instance);
  const std::string sample = taken_sample(one);
  one.judge();
  // NOLINTNEXTLINE(cert-msc32-c,cert-msc51-cpp): the same bytes each time
  std::mt19937_64 random(fixed_seed);
  const auto answers = answers_for(s);
  constexpr int rounds = 2000;
  for (int i = 0; i < rounds && !s.full() && !s.late(); ++i) {
    answer from = answers[random() % answers.size()];
    std::string& body = from.body;
    switch (i % 3) {
      case 0:  // nothing but noise
        body.assign(random() % 200, '\0');
        for (char& c : body)
          c = static_cast<char>(random());
        break;
      case 1:  // some bytes of an answer are others
        for (std::size_t k = 0; k < 4 && !body.empty(); ++k)
          body[random() % body.size()] = static_cast<char>(random());
        break;
      default: {  // a piece of it comes twice, or not at all
        const std::size_t at = body.empty() ? 0 : random() % body.size();
        const std::size_t size = random() % 40;
        if (random() % 2 == 0)
          body.insert(at, body.substr(at, size));
        else
          body.erase(at, size);
      }
    }
    if (i % 5 == 0) from.headers = {{"Content-Type", "application/json"}};
    static_cast<void>(heard_of(one, sample, from, {}));
    judge_ends(s, one.heard(), ", of an answer of noise");
    // And as single messages, which no framing has let through.
    if (one.open(sample) && !one.request().empty() && one.head(streamed({})) &&
        one.message(i % 2 == 0 ? "" : "error", body))
      one.end();
  }
}

void check_close(subject& s) {
  const host on({});
  made instance(s, on, s.values());
  need(instance);
  player one(s, instance);
  const std::string sample = taken_sample(one);
  const auto answers = answers_for(s);
  const auto opened = [&] { return one.open(sample); };
  const auto requested = [&] { return opened() && !one.request().empty(); };
  for (const answer& from : answers) {
    if (opened()) one.close();
    if (requested()) one.close();
    if (requested() && one.head(from)) one.close();
    if (requested() && one.head(from) && one.message({}, from.body.substr(0, from.body.size() / 2)))
      one.close();
    if (requested()) {
      one.hear({.headers = from.headers,
                .body = from.body.substr(0, from.body.size() / 2),
                .complete = false});
      one.close();
    }
    if (requested()) {
      one.hear(from);
      one.close();
    }
  }
  // The instance goes on as if nothing had been.
  if (!opened())
    s.fail("after exchanges were closed early open refuses: " + refusal(one.status(), one.error()),
           "free in close what open made, and nothing else");
}

}  // namespace inferbench::check
