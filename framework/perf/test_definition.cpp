#include "perf/test_definition.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "perf/command_words.hpp"
#include "pytext/python_json.hpp"
#include "pytext/python_number.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::perf {

namespace {

using options::node;

constexpr const char* test_remedy = R"(write {"test_name": "latency_small", "parameters": {...}})";
// A result has the name of its test, with rate and concurrency, and an ending of its own.
constexpr std::size_t longest_test_name = 200;

/// The member `key` of a test, which must be a table; an empty table if it is not there.
node table_in(const node& test, std::string_view key) {
  const node* const found = test.find(key);
  if (found == nullptr) {
    node out = node::table();
    out.where = test.where;
    return out;
  }
  if (!found->is(node::kind::table))
    throw base::error(
        std::string(key) + " is " + std::string(options::noun_of(*found)) + " and not an object",
        "write the options as {\"name\": value}", found->where);
  for (const std::string& each : found->names)
    if (each.empty() || each.front() == '-')
      throw base::error("the key " + pytext::python_repr(each) + " of " + std::string(key) +
                            " is not the name of an option",
                        "write the name of the option without the dashes in front of it",
                        found->where);
  return *found;
}

void refuse_options(const node& table, std::initializer_list<std::string_view> set_by_driver) {
  for (const std::string_view each : set_by_driver)
    if (const node* const found = option_of(table, each); found != nullptr)
      throw base::error("the option " + std::string(each) + " is set by the driver",
                        "remove it from the test", found->where);
}

/// Reads the names of the tests of one file.
class test_names {
 public:
  explicit test_names(test_kind which) : prefix_(std::string(name_of(which)) + "_") {}

  std::string next(const node& test) {
    if (!test.is(node::kind::table))
      throw base::error("a test is " + std::string(options::noun_of(test)) + " and not an object",
                        test_remedy, test.where);
    const node* const name = test.find("test_name");
    if (name == nullptr || !name->is(node::kind::text))
      throw base::error("the test has no text test_name", test_remedy, test.where);
    const std::string shown = pytext::python_repr(name->text);
    if (!name->text.starts_with(prefix_))
      throw base::error("the test name " + shown + " does not begin with " + prefix_,
                        "rename it, or move it to the file of its kind", name->where);
    if (name->text.find('/') != std::string::npos || name->text.size() > longest_test_name)
      throw base::error(
          "the test name " + shown + " cannot be the name of a file",
          "use at most " + std::to_string(longest_test_name) + " characters other than /",
          name->where);
    if (!seen_.insert(name->text).second)
      throw base::error("the test name " + shown + " occurs twice",
                        "give each test a name of its own", name->where);
    return name->text;
  }

 private:
  std::string prefix_;
  std::set<std::string> seen_;
};

const node& list_in(const node& test, std::string_view key, const char* remedy) {
  const node* const found = test.find(key);
  if (found == nullptr)
    throw base::error("the test has no " + std::string(key), remedy, test.where);
  if (!found->is(node::kind::list) || found->items.empty())
    throw base::error(std::string(key) + " is not a list with at least one value", remedy,
                      found->where);
  return *found;
}

std::vector<std::string> rates_of(const node& test) {
  constexpr const char* remedy = R"(write for instance "qps_list": [1, 4, "inf"])";
  const node& list = list_in(test, "qps_list", remedy);
  std::vector<std::string> out;
  for (const node& each : list.items) {
    const std::string rate = word_of(each);
    const auto value = pytext::python_float(rate);
    if (!value || !(*value > 0) || rate.find_first_of(" \t/") != std::string::npos)
      throw base::error(
          "qps_list holds " + pytext::python_repr(each) + ", which is not a rate above 0", remedy,
          each.where);
    if (std::ranges::find(out, rate) != out.end())
      throw base::error("qps_list holds " + rate + " twice", "remove one", each.where);
    out.push_back(rate);
  }
  return out;
}

std::vector<std::int64_t> concurrencies_of(const node& test, const node& client) {
  constexpr const char* remedy = R"(write for instance "max_concurrency_list": [12, 16, 24])";
  node list = node::list();
  if (test.find("max_concurrency_list") != nullptr) {
    list = list_in(test, "max_concurrency_list", remedy);
  } else if (const node* const prompts = option_of(client, "num_prompts"); prompts != nullptr) {
    list.items.push_back(*prompts);
  } else {
    throw base::error("the test has neither max_concurrency_list nor num_prompts of the client",
                      remedy, test.where);
  }
  std::vector<std::int64_t> out;
  for (const node& each : list.items) {
    const auto value = base::parse_int(word_of(each));
    if (!value || *value < 1)
      throw base::error(
          "the concurrency " + pytext::python_repr(each) + " is not a whole number above 0", remedy,
          each.where);
    if (std::ranges::find(out, *value) != out.end())
      throw base::error("max_concurrency_list holds " + std::to_string(*value) + " twice",
                        "remove one", each.where);
    out.push_back(*value);
  }
  return out;
}

/// The test with what the defaults add to it.
node with_defaults(node test, const node& defaults) {
  if (!test.is(node::kind::table)) return test;
  for (const char* const key : {"qps_list", "max_concurrency_list"})
    if (const node* const value = defaults.find(key); value != nullptr && test.find(key) == nullptr)
      test.set(key, *value);
  for (const char* const key :
       {"server_parameters", "server_environment_variables", "client_parameters"}) {
    if (defaults.find(key) == nullptr) continue;
    node merged = table_in(defaults, key);
    const node own = table_in(test, key);
    for (std::size_t i = 0; i < own.items.size(); ++i)
      merged.set(own.names[i], own.items[i]);
    test.set(key, std::move(merged));
  }
  return test;
}

void require_list(const node& root) {
  if (!root.is(node::kind::list))
    throw base::error(
        "the file holds " + std::string(options::noun_of(root)) + " and not an array of tests", {},
        root.where);
}

serving_test serving_test_of(const node& test, std::string name) {
  serving_test out;
  out.name = std::move(name);
  out.server = table_in(test, "server_parameters");
  const node* const model = out.server.find("model");
  if (model == nullptr || !model->is(node::kind::text) || model->text.empty())
    throw base::error("server_parameters has no model", "write \"model\": \"organisation/model\"",
                      out.server.where);
  out.model = model->text;
  out.server = without_option(out.server, "model");
  out.server_environment = table_in(test, "server_environment_variables");
  out.client = table_in(test, "client_parameters");
  refuse_options(out.client, {"save_result", "result_dir", "result_filename"});
  out.rates = rates_of(test);
  out.concurrencies = concurrencies_of(test, out.client);
  return out;
}

}  // namespace

std::string_view name_of(test_kind which) {
  switch (which) {
    case test_kind::serving: return "serving";
    case test_kind::latency: return "latency";
    case test_kind::startup: return "startup";
    case test_kind::throughput: break;
  }
  return "throughput";
}

std::vector<offline_test> offline_tests(test_kind which, std::string_view text,
                                        const std::string& file) {
  const node root = pytext::read_json_node(text, file);
  require_list(root);
  test_names names(which);
  std::vector<offline_test> out;
  for (const node& each : root.items) {
    std::string name = names.next(each);
    node parameters = table_in(each, "parameters");
    refuse_options(parameters, {"output_json"});
    out.push_back(
        {std::move(name), std::move(parameters), table_in(each, "environment_variables")});
  }
  return out;
}

std::vector<serving_test> serving_tests(std::string_view text, const std::string& file) {
  const node root = pytext::read_json_node(text, file);
  const node nothing = node::table();
  const node* defaults = &nothing;
  const node* tests = &root;
  if (root.is(node::kind::table)) {
    tests = root.find("tests");
    if (tests == nullptr)
      throw base::error("the object has no tests", R"(write {"defaults": {...}, "tests": [...]})",
                        root.where);
    if (const node* const given = root.find("defaults"); given != nullptr) defaults = given;
    if (!defaults->is(node::kind::table))
      throw base::error(
          "defaults is " + std::string(options::noun_of(*defaults)) + " and not an object", {},
          defaults->where);
  }
  require_list(*tests);
  test_names names(test_kind::serving);
  std::vector<serving_test> out;
  for (const node& each : tests->items) {
    std::string name = names.next(each);
    out.push_back(serving_test_of(with_defaults(each, *defaults), std::move(name)));
  }
  return out;
}

}  // namespace inferbench::perf
