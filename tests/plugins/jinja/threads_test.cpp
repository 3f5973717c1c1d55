// One compiled template serves many threads.
#include <thread>

#include <gtest/gtest.h>

#include "plugins/jinja/rendering.hpp"

namespace jinja {
namespace {

TEST(jinja_threads, share_a_template) {
  const chat_template shared = compile(
      "{% set words = ['é', 'b', ('c', 1)] %}{% macro m(x, y='é') %}{{ x ~ y|length }}{% endmacro "
      "%}"
      "{% for i in range(50) %}{{ m(words[0]) }}{{ 'é' in words }}{{ words|length }}{% endfor %}"
      "{{ n }}{{ [words, 'é'[0]] }}",
      "shared");
  const std::string wanted = shared.render("{\"n\": 1}");
  std::vector<std::thread> threads;
  std::vector<int> same(4);
  for (int& good : same)
    threads.emplace_back([&shared, &wanted, &good] {
      const chat_template copy = shared;
      for (int i = 0; i < 50; ++i)
        good += copy.render("{\"n\": 1}") == wanted ? 1 : 0;
    });
  for (std::thread& one : threads)
    one.join();
  EXPECT_EQ(same, (std::vector<int>{50, 50, 50, 50}));
}

}  // namespace
}  // namespace jinja
