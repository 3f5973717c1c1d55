#include "schema.hpp"

#include <exception>
#include <utility>

#include <rapidjson/document.h>

#include <inferbench/json_reader.hpp>
#include <inferbench/text.hpp>

#include "validator.hpp"

namespace scorers {
namespace {

using json_adapter = valijson::adapters::RapidJsonAdapter;

/// Bounds of one check. They are far above those of real answers, and keep the time below a few
/// seconds and the recursion within the stack of a thread.
constexpr std::size_t most_comparisons = 50'000'000;  // values of the answer times the schema's
constexpr std::size_t most_pairs = 20'000'000;        // for uniqueItems, which compares all pairs
// Levels of the answer times the depth of nested schemas (allOf, $ref) that apply to the same
// value.
constexpr std::size_t most_depth = 2000;
constexpr std::size_t most_visits = 400'000;

/// How many more values this thread may visit in its check: anyOf and references can visit a value
/// exponentially often.
thread_local std::size_t visits_left = 0;

struct too_many_visits : std::exception {};

/// The adapter of valijson for RapidJSON, which counts how often a value is visited: valijson makes
/// an adapter for each visit.
class counted_value : public json_adapter {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): valijson converts
  counted_value(const json_adapter& from) : json_adapter(from) { count(); }
  counted_value(const counted_value& from) : json_adapter(from) { count(); }
  counted_value& operator=(const counted_value&) = delete;

 private:
  void count() const {
    std::size_t cost = 1;
    if (isArray()) cost += getArraySize() / 16;
    if (isObject()) cost += getObjectSize() / 16;
    if (visits_left < cost) throw too_many_visits();
    visits_left -= cost;
  }
};

std::string one_line(std::string_view text) {
  std::string out(ifb::cut_utf8(text, 200));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return out;
}

}  // namespace

struct schema::state {
  prepared_schema source;
  pattern_table patterns;
  valijson::Schema compiled;
};

schema::schema(std::string_view text, type_names names) {
  json_tree tree;
  tree_outcome read = tree.read(text);
  if (read == tree_outcome::read && tree.root().IsString()) {
    const std::string inner(ifb::text_of(&tree.root()));
    read = tree.read(inner);
  }
  if (read != tree_outcome::read)
    problem_ = read == tree_outcome::no_json ? "it is no JSON" : "it is too large";
  else
    compile(tree.root(), names);
}

schema::schema(const rapidjson::Value& root, type_names names) { compile(root, names); }
schema::schema(schema&&) noexcept = default;
schema& schema::operator=(schema&&) noexcept = default;
schema::~schema() = default;

void schema::compile(const rapidjson::Value& root, type_names names) {
  try {
    auto made = std::make_unique<state>();
    made->source = prepare(root, names);
    for (const std::string& text : made->source.patterns) {
      if (made->patterns.contains(text)) continue;
      pattern compiled(from_ecmascript(text));
      if (!compiled.usable())
        throw unusable_schema("RE2 cannot use its regular expression " + one_line(text) + ": " +
                              compiled.problem());
      made->patterns.emplace(text, std::move(compiled));
    }
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(json_adapter(made->source.document), made->compiled);
    state_ = std::move(made);
  } catch (const unusable_schema& e) {
    problem_ = e.what();
  } catch (const std::runtime_error& e) {
    problem_ = "it is no valid schema: " + one_line(e.what());
  }
}

schema_verdict schema::check(const json_tree& answer) const {
  const prepared_schema& source = state_->source;
  if (answer.size().values * source.size > most_comparisons ||
      (source.unique && answer.pairs() > most_pairs) ||
      (answer.size().depth + 1) * source.depth > most_depth)
    return schema_verdict::unknown;
  patterns_in_use = &state_->patterns;
  visits_left = most_visits;
  try {
    valijson::Validator validator;
    const counted_value value{json_adapter(answer.root())};
    return validator.validate(state_->compiled, value, nullptr) ? schema_verdict::valid
                                                                : schema_verdict::invalid;
  } catch (const too_many_visits&) {
    return schema_verdict::unknown;
  }
}

}  // namespace scorers
