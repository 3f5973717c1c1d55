#include "datasets/media/own_rows.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/plugin_box.hpp"
#include "support/temporary_folder.hpp"

namespace {

using inferbench::support::temporary_folder;
using row_media::own_rows;

constexpr std::size_t any_size = std::size_t{1} << 20U;

ifb_dataset_request rows_in_order() {
  ifb_dataset_request out{};
  out.struct_size = sizeof out;
  out.flags = IFB_DATASET_IN_ORDER;
  return out;
}

// A file of `count` rows {"n": 0}, {"n": 1}, ..., nine bytes each with the end of the line.
struct numbered_rows {
  explicit numbered_rows(int count, std::size_t most_checked = any_size)
      : rows(ifb::host(host.table()), folder.path("rows.jsonl"), std::nullopt, most_checked) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += "{\"n\": " + std::to_string(i) + "}\n";
    folder.write("rows.jsonl", text);
    rows.open();
  }
  /// The message of the failure of `work`.
  template <typename job>
  std::string failure_of(job&& work) {
    try {
      work();
    } catch (const ifb::failure& e) {
      std::string out = e.message();
      out.erase(0, folder.path().size() + 1);
      return out;
    }
    return {};
  }
  temporary_folder folder;
  support::host host;
  own_rows rows;
};

void refuse_three(const files::json_row& row) {
  if (ifb::integer_of(ifb::find(row.object(), "n")) == 3) throw row_media::unusable("it is 3");
}

TEST(own_rows, are_checked_before_the_run_with_their_lines) {
  numbered_rows five(5);
  EXPECT_EQ(five.rows.rows(), 5);
  EXPECT_EQ(five.failure_of([&] { five.rows.check_rows(refuse_three); }), "rows.jsonl:4: it is 3");
  EXPECT_EQ(five.failure_of([&] { static_cast<void>(five.rows.with_row(3, refuse_three)); }),
            "rows.jsonl:4: it is 3");
  EXPECT_TRUE(five.rows.with_row(4, refuse_three));
  EXPECT_FALSE(five.rows.with_row(5, refuse_three));
}

TEST(own_rows, of_a_large_file_are_checked_when_they_are_read) {
  numbered_rows five(5, 20);
  EXPECT_EQ(five.failure_of([&] { five.rows.check_rows(refuse_three); }), "");
  EXPECT_EQ(five.failure_of([&] { static_cast<void>(five.rows.with_row(3, refuse_three)); }),
            "rows.jsonl:4: it is 3");
}

TEST(own_rows, prepare_their_media_with_the_line_of_the_first_failure) {
  numbered_rows many(100);
  EXPECT_EQ(many.failure_of([&] {
    many.rows.prepare_media(rows_in_order(), "reading",
                            [](const files::json_row& row, std::uint64_t index) {
                              EXPECT_EQ(row.line(), index + 1);
                              if (index >= 40) throw row_media::unusable("it is large");
                              return true;
                            });
  }),
            "rows.jsonl:41: it is large");
}

TEST(own_rows, prepare_media_of_a_limited_number_of_bytes) {
  numbered_rows many(10'000, 800);
  std::atomic<int> calls = 0;
  many.rows.prepare_media(rows_in_order(), "reading", [&](const files::json_row&, std::uint64_t) {
    ++calls;
    return true;
  });
  EXPECT_GE(calls, 80);
  EXPECT_LT(calls, 1000);
}

TEST(own_rows, stop_with_the_run) {
  ifb_host host = *support::host().table();
  host.cancelled = [](const ifb_host*) -> std::uint32_t { return 1; };
  host.service = [](const ifb_host*, const char*) -> const void* { return nullptr; };
  const temporary_folder folder;
  own_rows rows(ifb::host(&host), folder.write("rows.jsonl", "{}\n"), std::nullopt);
  rows.open();
  try {
    rows.prepare_media(rows_in_order(), "reading", [](const auto&, std::uint64_t) { return true; });
    ADD_FAILURE() << "no failure";
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_CANCELLED);
  }
}

}  // namespace
