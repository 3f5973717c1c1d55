#include "simulator/media_facts.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::simulator {
namespace {

std::string facts_of(const sent_medium& medium, const media_verdict& verdict) {
  std::string out;
  append_line(out, {{}, "r-1", "/v1/chat/completions", {}}, medium, verdict);
  return out;
}

TEST(media_facts, a_line_has_what_its_kind_of_medium_has) {
  const std::string head =
      R"({"request_id": "r-1", "path": "/v1/chat/completions", "place": "messages.0.content.1", )";
  sent_medium medium{.kind = media::kind::image, .place = "messages.0.content.1"};
  media_verdict verdict{.declared = "image/png", .bytes = 99};
  verdict.found = media::facts{"image/jpeg", 640, 480, 1, 0, 0, 0};
  verdict.reason = "it is declared as image/png, but is image/jpeg";
  EXPECT_EQ(facts_of(medium, verdict),
            head + R"("kind": "image", "state": "checked", "declared": "image/png", "bytes": 99, )"
                   R"("format": "image/jpeg", "width": 640, "height": 480, "frames": 1, )"
                   R"("mismatch": "it is declared as image/png, but is image/jpeg"})"
                   "\n");
  medium.kind = media::kind::video;
  verdict = {.declared = "video/mp4", .bytes = 7};
  verdict.found = media::facts{"video/mp4", 64, 48, 10, 0, 0, 0.5};
  EXPECT_EQ(facts_of(medium, verdict),
            head + R"("kind": "video", "state": "checked", "declared": "video/mp4", "bytes": 7, )"
                   R"("format": "video/mp4", "width": 64, "height": 48, "frames": 10, )"
                   R"("seconds": 0.5, "mismatch": ""})"
                   "\n");
  medium.kind = media::kind::sound;
  verdict = {.declared = "wav", .bytes = 8};
  verdict.found = media::facts{"audio/wav", 0, 0, 8000, 16000, 2, 0.5};
  EXPECT_EQ(facts_of(medium, verdict),
            head + R"("kind": "sound", "state": "checked", "declared": "wav", "bytes": 8, )"
                   R"("format": "audio/wav", "frames": 8000, "rate": 16000, "channels": 2, )"
                   R"("seconds": 0.5, "mismatch": ""})"
                   "\n");
}

TEST(media_facts, a_medium_that_was_not_decoded_has_its_state) {
  const sent_medium medium{.kind = media::kind::image, .place = "input"};
  const std::string head = R"({"request_id": "r-1", "path": "/v1/chat/completions", )"
                           R"("place": "input", "kind": "image", "state": ")";
  EXPECT_EQ(facts_of(medium, {.what = media_verdict::state::remote}),
            head + R"(remote", "declared": "", "bytes": 0, "mismatch": ""})" + "\n");
  EXPECT_EQ(facts_of(medium, {.what = media_verdict::state::no_codec, .reason = "no FFmpeg"}),
            head + R"(no codec", "declared": "", "bytes": 0, "mismatch": ""})" + "\n");
  EXPECT_EQ(facts_of(medium, {.declared = "a\"\xFF", .bytes = 3, .reason = "it ends early"}),
            head +
                R"(checked", "declared": "a\"\ufffd", "bytes": 3, "mismatch": "it ends early"})" +
                "\n");
}

TEST(media_facts, the_file_has_the_lines_at_once) {
  const support::temporary_folder folder;
  const std::string path = folder.path("facts.jsonl");
  media_facts_file file(path);
  EXPECT_TRUE(file.wanted());
  file.write("a\n");
  EXPECT_EQ(base::read_file(path), "a\n");
  file.write("b\n");
  EXPECT_EQ(base::read_file(path), "a\nb\n");
  EXPECT_EQ(file.error(), "");
}

TEST(media_facts, a_file_that_cannot_be_written_is_an_error) {
  try {
    const media_facts_file file("/no/such/folder/facts.jsonl");
    ADD_FAILURE();
  } catch (const base::error& e) {
    EXPECT_STREQ(e.what(),
                 "--media-facts: cannot write /no/such/folder/facts.jsonl: No such file or "
                 "directory; give a path in a folder that exists and is writable");
  }
  media_facts_file full("/dev/full");
  full.write("a\n");
  EXPECT_EQ(full.error(), "cannot write /dev/full: No space left on device");
  full.write("b\n");
  EXPECT_FALSE(full.wanted());
}

TEST(media_facts, without_a_path_nothing_is_written) {
  media_facts_file none("");
  EXPECT_FALSE(none.wanted());
  none.write("a\n");
  EXPECT_EQ(none.error(), "");
}

}  // namespace
}  // namespace inferbench::simulator
