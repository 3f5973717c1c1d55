#include "simulator/media_totals.hpp"

#include <gtest/gtest.h>

namespace inferbench::simulator {
namespace {

TEST(media_totals, without_media_there_is_no_line) { EXPECT_EQ(summary_of({}), ""); }

TEST(media_totals, the_line_has_every_figure_that_is_not_zero) {
  EXPECT_EQ(summary_of({.checked = 3, .images = 3, .pixels = 3'145'728}),
            "media: 3 checked (3 images, 3145728 pixels), 0 mismatches, 0 unchecked");
  EXPECT_EQ(summary_of({.checked = 6,
                        .mismatches = 1,
                        .not_chosen = 2,
                        .queue_full = 3,
                        .remote = 4,
                        .no_codec = 5,
                        .images = 1,
                        .videos = 2,
                        .sounds = 1,
                        .pixels = 2'000'000,
                        .frames = 60,
                        .video_seconds = 2,
                        .sound_seconds = 1.25}),
            "media: 6 checked (1 image, 2 videos of 60 frames and 2.0 s, 1 sound of 1.2 s, 2000000 "
            "pixels), 1 mismatch, 14 unchecked (2 not chosen, 3 queue full, 4 remote, 5 no "
            "codec)");
  EXPECT_EQ(summary_of({.remote = 1}), "media: 0 checked, 0 mismatches, 1 unchecked (1 remote)");
}

}  // namespace
}  // namespace inferbench::simulator
