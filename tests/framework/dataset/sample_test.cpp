#include "dataset/sample.hpp"

#include <gtest/gtest.h>

namespace {

using inferbench::dataset::pool;
using inferbench::dataset::sample;
using inferbench::dataset::sample_ptr;

TEST(pool, a_sample_that_comes_back_is_given_out_again_and_knows_nothing) {
  pool p;
  const sample* first = nullptr;
  {
    const sample_ptr one = p.take();
    first = one.get();
    one->sequence = 9;
    one->c.shape = IFB_PROMPT_TEXT;
    (void)one->arena.alloc(100);
  }
  const sample_ptr again = p.take();
  EXPECT_EQ(again.get(), first);
  EXPECT_EQ(again->sequence, 0U);
  EXPECT_EQ(again->c.shape, 0U);
  EXPECT_EQ(again->c.struct_size, sizeof(ifb_sample));
  EXPECT_EQ(again->c.arrival_ns, -1);
  EXPECT_EQ(again->arena.used(), 0U);
}

TEST(pool, samples_in_use_are_different_ones) {
  pool p;
  const sample_ptr a = p.take();
  const sample_ptr b = p.take();
  EXPECT_NE(a, b);
}

TEST(sample, one_from_no_pool_is_freed) {
  const sample_ptr alone(new sample);
  alone->clear();
  EXPECT_EQ(alone->c.input_tokens, -1);
}

}  // namespace
