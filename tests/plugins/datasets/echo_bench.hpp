// A dataset plugin for a file or folder, with a tokenizer whose template shows its input.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "plugins/datasets/echo_tokenizer.hpp"
#include "plugins/datasets/tokenizers.hpp"

namespace support {

/// The plugin is created but not prepared.
struct echo_bench {
  echo_bench(const char* id, const std::string& path, settings given = {}) : box(id) {
    box.host.services[IFB_SERVICE_TOKENIZER] = &echo_tokenizer;
    given["path"] = path;
    EXPECT_EQ(box.create(given), IFB_OK) << box.message();
  }

  dataset_box box;
};

}  // namespace support
