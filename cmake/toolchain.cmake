# Language level, warnings, sanitizers and the speed of the build itself.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

set(INFERBENCH_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")

add_compile_options(-Wall -Wextra -Wpedantic -Wconversion)

# A unit of 24 sources reads their headers once instead of 24 times, which saves more than
# a third of the build time (docs/building.md). The price is that a changed file is compiled together
# with its neighbours, and that names in the unnamed namespaces of a folder must be unique.
option(INFERBENCH_UNITY "Compile the sources of a target 24 at a time" ON)
if(INFERBENCH_UNITY)
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 24)
  # In a unity build a source is an included file. g++ takes it for a header and warns of members
  # whose class is in an unnamed namespace.
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
else()
  # A unity build would also report names of other files.
  add_compile_options(-Wshadow)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ collects garbage from 128 MB of memory on, again and again in a unit of many sources.
  # From 512 MB on, a unit of 12 sources took a tenth less time and a fifth more memory (docs/building.md).
  add_compile_options("SHELL:--param ggc-min-heapsize=524288" "SHELL:--param ggc-min-expand=100")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # With optimisation, g++ 12 wrongly reports overlaps and overruns in inlined members of
  # std::string (GCC bugs 105651 and 105329).
  add_compile_options(-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
                      -Wno-stringop-overread)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # std::stable_sort of libstdc++ 12 calls its deprecated function std::get_temporary_buffer, and
  # clang warns about this call. The builds with g++ still report uses of deprecated functions.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-deprecated-declarations>)
endif()
if(INFERBENCH_SANITIZE)
  set(without)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND INFERBENCH_SANITIZE MATCHES "undefined")
    # vptr, function: plugins are loaded with RTLD_LOCAL, so each library has a type_info of its own
    # for a class, while these checks compare addresses. pointer-overflow: RapidJSON's empty stack
    # adds an offset to a null pointer.
    #
    # trap: a failed check ends the program with SIGILL, and AddressSanitizer prints the stack
    # (scripts/test). The alternative, a message with the kind of the failure, needs a description of
    # each check in the data of the program, 14 MB, which LeakSanitizer searches at the end of each
    # process (docs/building.md).
    set(without -fno-sanitize=vptr,function,pointer-overflow -fsanitize-trap=undefined)
  endif()
  add_compile_options("-fsanitize=${INFERBENCH_SANITIZE}" -fno-sanitize-recover=all
                      -fno-omit-frame-pointer ${without})
  add_link_options("-fsanitize=${INFERBENCH_SANITIZE}")
  if(INFERBENCH_SANITIZE MATCHES "undefined")
    # The descriptions of all checks, which g++ writes, contain addresses: the program alone has a
    # million of them, and each start of a position-independent executable adjusts them all.
    string(APPEND CMAKE_EXE_LINKER_FLAGS " -no-pie")
  endif()
  # Used by tests that compile code themselves.
  list(JOIN without " " INFERBENCH_SANITIZE_FLAGS)
  string(PREPEND INFERBENCH_SANITIZE_FLAGS "-fsanitize=${INFERBENCH_SANITIZE} ")
endif()

find_program(INFERBENCH_CCACHE ccache)
if(INFERBENCH_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers contain the time of their creation and their paths; ccache must be told to
  # ignore both.
  set(launcher
      env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${INFERBENCH_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_compile_options(-Xclang -fno-pch-timestamp)
  else()
    add_compile_options(-fpch-preprocess)
  endif()
endif()

find_program(INFERBENCH_MOLD mold)
if(INFERBENCH_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
