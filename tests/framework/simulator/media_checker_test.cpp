#include "simulator/media_checker.hpp"

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/log.hpp"
#include "base/text.hpp"
#include "framework/simulator/media_gate.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::simulator {
namespace {

using media::kind;
using testing::ElementsAre;
using testing::IsEmpty;

class recorded_log {
 public:
  [[nodiscard]] base::log& log() { return log_; }
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
  base::log log_{base::log_level::info, [this](base::log_level, std::string_view line) {
                   const std::lock_guard lock(mutex_);
                   lines_.emplace_back(line);
                 }};
};

media::facts plain_facts(std::string_view, kind of) {
  switch (of) {
    case kind::image: return {"image/png", 10, 20, 1, 0, 0, 0};
    case kind::video: return {"video/mp4", 10, 10, 30, 0, 0, 1.5};
    case kind::sound: break;
  }
  return {"audio/wav", 0, 0, 8000, 16000, 1, 0.5};
}

media_job job_with(const std::string& id, std::vector<sent_medium> media) {
  return {std::string(100, 'b'), id, "/v1/chat/completions", std::move(media)};
}

sent_medium medium_of(kind of, std::string url, const std::string& place = "messages.0.content.0") {
  sent_medium out{.kind = of, .place = place};
  out.copied = std::move(url);
  return out;
}

const std::string png_url = "data:image/png;base64,YQ==";
const std::string jpeg_url = "data:image/jpeg;base64,YQ==";

TEST(media_checker, sums_what_it_decodes) {
  recorded_log out;
  media_checker checker({}, plain_facts, out.log());
  checker.submit(job_with("a", {medium_of(kind::image, png_url), medium_of(kind::image, png_url)}));
  checker.submit(job_with("b", {medium_of(kind::video, "data:video/mp4;base64,YQ=="),
                                medium_of(kind::sound, "data:audio/wav;base64,YQ=="),
                                medium_of(kind::image, "https://host/i.png")}));
  checker.finish();
  const media_totals totals = checker.totals();
  EXPECT_EQ(totals.checked, 4U);
  EXPECT_EQ(totals.mismatches, 0U);
  EXPECT_EQ(totals.unchecked(), 1U);
  EXPECT_EQ(totals.remote, 1U);
  EXPECT_EQ(totals.images, 2U);
  EXPECT_EQ(totals.videos, 1U);
  EXPECT_EQ(totals.sounds, 1U);
  EXPECT_EQ(totals.pixels, 2 * 200 + 30 * 100U);
  EXPECT_EQ(totals.frames, 30U);
  EXPECT_EQ(totals.video_seconds, 1.5);
  EXPECT_EQ(totals.sound_seconds, 0.5);
  EXPECT_THAT(out.lines(), IsEmpty());
  checker.finish();
}

TEST(media_checker, warns_of_each_mismatch_until_there_are_too_many) {
  recorded_log out;
  media_checker checker({.warnings = 2}, plain_facts, out.log());
  for (const char* id : {"a", "b\n", "c", "d"})
    checker.submit(
        job_with(id, {medium_of(kind::image, png_url), medium_of(kind::image, jpeg_url, "input")}));
  checker.finish();
  EXPECT_THAT(out.lines(),
              ElementsAre("request a, image in input: it is declared as image/jpeg, but is "
                          "image/png",
                          "request b , image in input: it is declared as image/jpeg, but is "
                          "image/png",
                          "further images, videos and sounds that are not as declared are only "
                          "counted; see /metrics and --media-facts"));
  EXPECT_EQ(checker.totals().mismatches, 4U);
  EXPECT_EQ(checker.totals().checked, 8U);
  EXPECT_EQ(checker.totals().images, 8U) << "they were decoded";
}

TEST(media_checker, says_once_that_a_codec_is_missing_and_counts_all_media_as_unchecked) {
  recorded_log out;
  media_checker checker(
      {},
      [](auto, auto) -> media::facts {
        throw media::failure(media::cause::missing, "there is no FFmpeg");
      },
      out.log());
  checker.submit(job_with("a", {medium_of(kind::image, png_url)}));
  checker.submit(job_with("b", {medium_of(kind::image, png_url), medium_of(kind::sound, png_url)}));
  checker.submit(job_with("c", {medium_of(kind::image, "https://host/i.png")}));
  checker.finish();
  EXPECT_THAT(out.lines(),
              ElementsAre("images, videos and sounds are not checked: there is no FFmpeg"));
  EXPECT_EQ(checker.totals().checked, 0U);
  EXPECT_EQ(checker.totals().unchecked(), 4U);
}

TEST(media_checker, leaves_media_unchecked_instead_of_waiting_if_the_queue_is_full) {
  recorded_log out;
  media_gate closed;
  media_checker checker({.queue = {.entries = 2}}, closed.inspector(plain_facts), out.log());
  checker.submit(job_with("in progress", {medium_of(kind::image, png_url)}));
  closed.wait_until_entered();
  checker.submit(job_with("first", {medium_of(kind::image, png_url)}));
  checker.submit(job_with("second", {medium_of(kind::image, png_url)}));
  checker.submit(
      job_with("third", {medium_of(kind::image, png_url), medium_of(kind::image, png_url)}));
  EXPECT_EQ(checker.totals().queue_full, 2U) << "returned while the thread was busy";
  EXPECT_EQ(checker.totals().checked, 0U);
  closed.open();
  checker.finish();
  EXPECT_EQ(checker.totals().checked, 3U);
  EXPECT_EQ(checker.totals().queue_full, 2U);
  EXPECT_THAT(out.lines(), IsEmpty());
}

TEST(media_checker, leaves_media_unchecked_if_their_bodies_are_too_large_together) {
  recorded_log out;
  media_gate closed;
  media_checker checker({.queue = {.bytes = 3000}}, closed.inspector(plain_facts), out.log());
  media_job large = job_with("in progress", {medium_of(kind::image, png_url)});
  large.body = std::string(5000, 'b');
  checker.submit(std::move(large));
  closed.wait_until_entered();
  checker.submit(job_with("next", {medium_of(kind::image, png_url)}));
  EXPECT_EQ(checker.totals().queue_full, 1U);
  closed.open();
  checker.finish();
  EXPECT_EQ(checker.totals().checked, 1U) << "alone, a body may have any size";
}

TEST(media_checker, writes_a_line_for_each_medium) {
  const support::temporary_folder folder;
  const std::string path = folder.path("facts.jsonl");
  recorded_log out;
  media_checker checker({.facts = path}, plain_facts, out.log());
  checker.submit(
      job_with("a", {medium_of(kind::image, png_url), medium_of(kind::image, "http://h/i")}));
  checker.submit(job_with("b", {medium_of(kind::sound, "data:audio/wav;base64,YQ")}));
  checker.finish();
  const std::string text = base::read_file(path);
  std::vector<std::string> ends;
  for (const auto line : base::split(text, '\n'))
    if (!line.empty()) ends.emplace_back(line.substr(line.find("\"kind\"")));
  EXPECT_THAT(
      ends,
      ElementsAre(
          R"("kind": "image", "state": "checked", "declared": "image/png", "bytes": 1, )"
          R"("format": "image/png", "width": 10, "height": 20, "frames": 1, "mismatch": ""})",
          R"("kind": "image", "state": "remote", "declared": "", "bytes": 0, "mismatch": ""})",
          R"("kind": "sound", "state": "checked", "declared": "audio/wav", "bytes": 0, )"
          R"("mismatch": "its base64 has 2 characters, which is not a multiple of 4"})"));
}

TEST(media_checker, a_full_disk_is_reported_once_and_the_check_continues) {
  recorded_log out;
  media_checker checker({.facts = "/dev/full"}, plain_facts, out.log());
  for (const char* id : {"a", "b", "c"})
    checker.submit(job_with(id, {medium_of(kind::image, png_url)}));
  checker.finish();
  EXPECT_THAT(out.lines(), ElementsAre("cannot write /dev/full: No space left on device"));
  EXPECT_EQ(checker.totals().checked, 3U);
}

// Fails under ThreadSanitizer if submit() reads what the checker's thread changes after the error.
TEST(media_checker, accepts_a_request_while_its_file_fails) {
  constexpr auto relaxed = std::memory_order_relaxed;  // orders nothing, so it hides no race
  recorded_log out;
  std::atomic<int> files = 0;
  std::atomic<bool> submitted = false;
  media_checker checker(
      {.facts = "/dev/full"},
      [&](auto, auto) -> media::facts {
        if (files.fetch_add(1, relaxed) == 1)
          while (!submitted.load(relaxed))
            std::this_thread::yield();
        throw media::failure(media::cause::missing, "there is no FFmpeg");
      },
      out.log());
  checker.submit(job_with("a", {medium_of(kind::image, png_url), medium_of(kind::image, png_url)}));
  while (files.load(relaxed) < 2)
    std::this_thread::yield();
  checker.submit(job_with("b", {medium_of(kind::image, png_url)}));
  submitted.store(true, relaxed);
  checker.finish();
  EXPECT_THAT(out.lines(),
              ElementsAre("images, videos and sounds are not checked: there is no FFmpeg",
                          "cannot write /dev/full: No space left on device"));
  EXPECT_EQ(checker.totals().no_codec, 3U);
  EXPECT_EQ(files.load(relaxed), 3) << "with a file, each medium is handed over for its line";
}

TEST(media_checker, checks_what_it_has_when_it_is_destroyed) {
  recorded_log out;
  int decoded = 0;
  {
    media_checker checker(
        {},
        [&](auto file, auto of) {
          ++decoded;
          return plain_facts(file, of);
        },
        out.log());
    for (int i = 0; i < 50; ++i)
      checker.submit(job_with("a", {medium_of(kind::image, png_url)}));
  }
  EXPECT_EQ(decoded, 50);
}

}  // namespace
}  // namespace inferbench::simulator
