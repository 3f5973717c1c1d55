// A dataset plugin over a file or folder, with the tokenizer whose template shows what it was
// given.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "plugins/datasets/echo_tokenizer.hpp"
#include "plugins/datasets/tokenizers.hpp"

namespace support {

/// Created, not prepared.
struct echo_bench {
  echo_bench(const char* id, const std::string& path, settings given = {}) : box(id) {
    box.host.services[IFB_SERVICE_TOKENIZER] = &echo_tokenizer;
    given["path"] = path;
    EXPECT_EQ(box.create(given), IFB_OK) << box.message();
  }

  dataset_box box;
};

}  // namespace support
