#include "datasets/tables/duckdb_library.hpp"

#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "plugins/tables/tables_bench.hpp"

namespace tables {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class duckdb_libraries : public tables_test::bench {
 protected:
  static std::vector<std::string> candidates(const char* value) {
    const auto lookup = [value](const char* name) -> const char* {
      return std::string_view(name) == "INFERBENCH_DUCKDB" ? value : nullptr;
    };
    return duckdb_candidates(lookup, "/usr/lib/inferbench/plugins/datasets/hf.so");
  }
  static std::string refusal(const std::vector<std::string>& files) {
    const ifb::failure e = failure_of([&] { (void)load_duckdb(files); });
    EXPECT_EQ(e.code(), IFB_E_CONFIG);
    EXPECT_EQ(e.option(), "path");
    return e.message();
  }
};

TEST_F(duckdb_libraries, are_beside_the_folder_of_plugins_or_in_the_system) {
  EXPECT_THAT(candidates(nullptr), ElementsAre("/usr/lib/inferbench/libduckdb.so",
                                               "/usr/lib/libduckdb.so", "libduckdb.so"));
  EXPECT_EQ(candidates(""), candidates(nullptr));
}

TEST_F(duckdb_libraries, can_be_chosen_with_a_file_or_a_folder) {
  EXPECT_THAT(candidates("/opt/duck.so"), ElementsAre("/opt/duck.so"));
  EXPECT_THAT(candidates(folder_.path().c_str()), ElementsAre(folder_.path("libduckdb.so")));
}

TEST_F(duckdb_libraries, that_are_absent_are_explained) {
  EXPECT_THAT(refusal({folder_.path("lib/libduckdb.so"), "libno-such-library.so"}),
              AllOf(HasSubstr("it is not installed"), HasSubstr("duckdb.org"),
                    HasSubstr("put it into " + folder_.path("lib") + ", or"),
                    HasSubstr("INFERBENCH_DUCKDB")));
}

TEST_F(duckdb_libraries, that_were_chosen_and_cannot_be_loaded_are_named) {
  EXPECT_THAT(refusal({folder_.path("none.so")}),
              AllOf(HasSubstr(folder_.path("none.so") + ", the value of INFERBENCH_DUCKDB"),
                    HasSubstr("does not exist"), Not(HasSubstr("put it into"))));
  const std::string text = folder_.write("text.so", "no library");
  EXPECT_THAT(refusal({text}), HasSubstr("text.so"));
}

TEST_F(duckdb_libraries, without_the_needed_functions_are_refused) {
  // The C library has no function of DuckDB.
  Dl_info found{};
  ASSERT_NE(::dladdr(reinterpret_cast<const void*>(&std::getenv), &found), 0);
  if (std::string_view(found.dli_fname).find("libc") == std::string_view::npos)
    GTEST_SKIP() << "the C library is not a file of its own here";
  EXPECT_THAT(refusal({found.dli_fname}), HasSubstr("version 1.2 or later is needed"));
}

TEST_F(duckdb_libraries, are_loaded_once) {
  INFERBENCH_NEEDS_DUCKDB();
  const std::string file = inferbench::support::duckdb_file().string();
  const duckdb::functions& first = load_duckdb({file});
  EXPECT_EQ(&load_duckdb({file}), &first);
  EXPECT_TRUE(std::string_view(first.library_version()).starts_with("v1."));
  EXPECT_EQ(&duckdb_of_process(), &first);
}

}  // namespace
}  // namespace tables
