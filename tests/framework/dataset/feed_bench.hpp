// For the tests of a feed: the feed with a dataset of the test, its samples as texts, and its
// errors.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/abi.h>

#include "base/error.hpp"
#include "dataset/feed.hpp"
#include "framework/dataset/fake_dataset.hpp"
#include "plugin/instance.hpp"

namespace inferbench::dataset::feed_test {

/// A feed with everything that it needs.
struct bench {
  explicit bench(std::vector<fake::row> rows, std::uint32_t flags = 0)
      : data(std::move(rows), flags) {
    settings.num_prompts = 0;
    settings.request_id_prefix = "q-";
  }
  feed& make() {
    instance = data.create();
    made.emplace(*instance, settings, book.log);
    return *made;
  }
  feed& prepared() {
    make().prepare();
    return *made;
  }

  fake::dataset data;
  fake::log_book book;
  dataset::settings settings;
  std::unique_ptr<plugin::instance> instance;
  std::optional<feed> made;
};

/// A dataset without an end, whose rows are r0, r1, r2, r0, ...
struct endless_bench : bench {
  explicit endless_bench(std::uint32_t flags = IFB_DATASET_ENDLESS)
      : bench(fake::numbered(3), flags) {
    data.counted = false;
    data.endless = true;
  }
};

/// The prompts of all samples that are left.
inline std::vector<std::string> prompts(feed& from) {
  std::vector<std::string> out;
  while (const sample_ptr next = from.next())
    out.push_back(fake::prompt(*next));
  return out;
}

/// The text of the error that `call` throws.
inline std::string message_of(const auto& call) {
  try {
    call();
  } catch (const base::error& e) {
    return e.what();
  }
  return "nothing thrown";
}

/// The status and the text with which the feed refuses the dataset.
inline std::pair<ifb_status, std::string> refusal_of(bench& b) {
  try {
    (void)prompts(b.prepared());
  } catch (const plugin::refused& e) {
    return {e.code(), e.what()};
  }
  return {IFB_OK, ""};
}

}  // namespace inferbench::dataset::feed_test
