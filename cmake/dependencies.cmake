# The required libraries, all from the distribution. scripts/setup installs them; docs/building.md
# explains the purpose of each.

find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS program_options)
find_package(tomlplusplus REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(cairo REQUIRED IMPORTED_TARGET cairo>=1.16 fontconfig)
if(INFERBENCH_TESTS)
  find_package(GTest REQUIRED)
endif()

# Host and plugins use the same RapidJSON target that the SDK offers to external plugins.
include("${PROJECT_SOURCE_DIR}/sdk/cmake/inferbench_json.cmake")
if(NOT inferbench_json_FOUND)
  message(FATAL_ERROR "${inferbench_json_MISSING}")
endif()
add_library(inferbench_rapidjson INTERFACE)
target_link_libraries(inferbench_rapidjson INTERFACE inferbench::json)
target_compile_definitions(inferbench_rapidjson INTERFACE RAPIDJSON_HAS_STDSTRING=1)

# Boost.DLL is header-only with std::filesystem.
add_library(inferbench_boost_dll INTERFACE)
target_link_libraries(inferbench_boost_dll INTERFACE Boost::headers ${CMAKE_DL_LIBS})
target_compile_definitions(inferbench_boost_dll INTERFACE BOOST_DLL_USE_STD_FS)

# Boost.Process is header-only with std::filesystem.
add_library(inferbench_boost_process INTERFACE)
target_link_libraries(inferbench_boost_process INTERFACE Boost::headers Threads::Threads)
target_compile_definitions(inferbench_boost_process INTERFACE BOOST_PROCESS_USE_STD_FS)

# The wire format of Protocol Buffers, for the journal: header-only, without a CMake package.
find_path(INFERBENCH_PROTOZERO protozero/pbf_reader.hpp REQUIRED)
add_library(inferbench_protozero INTERFACE)
target_include_directories(inferbench_protozero SYSTEM INTERFACE "${INFERBENCH_PROTOZERO}")
target_compile_definitions(inferbench_protozero INTERFACE PROTOZERO_USE_VIEW=std::string_view)

# For reporters that draw. Its headers count as system headers, so the compiler does not warn about
# them.
add_library(inferbench_cairo INTERFACE)
target_link_libraries(inferbench_cairo INTERFACE PkgConfig::cairo)

# For the reporter sqlite, and for the test of its database.
find_package(SQLite3 3.38 REQUIRED)
add_library(inferbench_sqlite INTERFACE)
target_link_libraries(inferbench_sqlite INTERFACE SQLite::SQLite3)

# For the reporter screen: ncurses with wide characters.
set(CURSES_NEED_NCURSES ON)
set(CURSES_NEED_WIDE ON)
find_package(Curses REQUIRED)
add_library(inferbench_curses INTERFACE)
target_include_directories(inferbench_curses SYSTEM INTERFACE ${CURSES_INCLUDE_DIRS})
target_link_libraries(inferbench_curses INTERFACE ${CURSES_LIBRARIES})
target_compile_definitions(inferbench_curses INTERFACE NCURSES_WIDECHAR=1)

# For tokenizers: regular expressions and Unicode tables. For files of models and data sets: HTTP
# with redirects, proxies and the system's certificates. These libraries have no CMake packages.
pkg_check_modules(pcre2 REQUIRED IMPORTED_TARGET libpcre2-8)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(curl REQUIRED IMPORTED_TARGET libcurl)
pkg_check_modules(sentencepiece REQUIRED IMPORTED_TARGET sentencepiece)
foreach(name IN ITEMS pcre2 utf8proc curl sentencepiece)
  add_library(inferbench_${name} INTERFACE)
  target_link_libraries(inferbench_${name} INTERFACE PkgConfig::${name})
endforeach()

# For scorers: regular expressions in linear time. Its package asks for -pthread, which would make the
# precompiled headers of the tests unusable, and which glibc does not need.
pkg_check_modules(re2 REQUIRED re2)
add_library(inferbench_re2 INTERFACE)
target_include_directories(inferbench_re2 SYSTEM INTERFACE ${re2_INCLUDE_DIRS})
target_link_libraries(inferbench_re2 INTERFACE ${re2_LINK_LIBRARIES} Threads::Threads)

# For scorers: JSON schemas. The library is headers only.
find_path(VALIJSON_INCLUDE_DIR valijson/validator.hpp REQUIRED)
add_library(inferbench_valijson INTERFACE)
target_include_directories(inferbench_valijson SYSTEM INTERFACE "${VALIJSON_INCLUDE_DIR}")
