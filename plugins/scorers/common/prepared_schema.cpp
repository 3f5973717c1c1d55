#include "prepared_schema.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <inferbench/json_reader.hpp>

#include "json_text.hpp"
#include "schema_pointer.hpp"

namespace scorers {
namespace {

using rapidjson::Value;

std::string_view text_view(const Value& text) { return {text.GetString(), text.GetStringLength()}; }

/// A schema with all its parts that are for the same value, such as those of allOf.
struct application {
  std::vector<std::size_t> references;  // definitions that are for the same value, too
  std::size_t schemas = 0;              // without those of the references
  std::size_t depth = 0;                // of parts in parts
};

/// One definition of the new document.
struct definition {
  const Value* source = nullptr;
  std::size_t root = 0;  // the application of the whole definition
};

/// The place of a schema.
struct schema_place {
  std::size_t level = 1;        // in its definition
  std::size_t application = 0;  // to which it belongs
  std::size_t depth = 1;        // in its application

  /// The place of a part for the same value.
  [[nodiscard]] schema_place part() const { return {level + 1, application, depth + 1}; }
};

class preparation {
 public:
  preparation(const Value& root, type_names names)
      : root_(root), names_(names), memory_(out_.document.GetAllocator()) {}

  prepared_schema run() {
    Value first = reference_to(root_);
    Value all(rapidjson::kObjectType);
    std::size_t levels = 0;
    for (std::size_t i = 0; i < definitions_.size(); ++i) {
      levels_of_this_ = 0;
      definitions_[i].root = applications_.size();
      add(all, std::to_string(i), schema_of(*definitions_[i].source, for_another_value(0)));
      levels += levels_of_this_;
      if (levels > prepared_schema::most_levels) throw unusable_schema("it is nested too deeply");
    }
    measure_applications();
    out_.document.SetObject();
    out_.document.AddMember("$ref", first["$ref"], memory_);
    out_.document.AddMember("definitions", all, memory_);
    return std::move(out_);
  }

 private:
  void count() {
    if (++out_.size > prepared_schema::largest) throw unusable_schema("it is too large");
  }
  Value text_value(std::string_view text) {
    count();
    return {text.data(), static_cast<rapidjson::SizeType>(text.size()), memory_};
  }
  Value copy_of(const Value& value) {
    std::vector<const Value*> left{&value};
    while (!left.empty()) {
      const Value& next = *left.back();
      left.pop_back();
      count();
      if (next.IsArray())
        for (const auto& item : next.GetArray())
          left.push_back(&item);
      if (next.IsObject())
        for (const auto& member : next.GetObject())
          left.push_back(&member.value);
    }
    return {value, memory_};
  }

  /// Follows references to references, so that a definition is always a schema of its own.
  const Value& target_of(std::string_view ref) {
    const Value* at = &referred(root_, ref);
    for (int i = 0; i < 100; ++i) {
      const Value* const next = ifb::find(*at, "$ref");
      if (next == nullptr || !next->IsString()) return *at;
      at = &referred(root_, text_view(*next));
    }
    throw unusable_schema("its references go round in a circle");
  }
  std::size_t number_of(const Value& source) {
    const auto [at, fresh] = numbers_.emplace(&source, definitions_.size());
    if (fresh) definitions_.push_back({&source, 0});
    return at->second;
  }
  Value reference_to(const Value& source, std::vector<std::size_t>* references = nullptr) {
    const Value* at = &source;
    if (const Value* const ref = ifb::find(source, "$ref"); ref != nullptr && ref->IsString())
      at = &target_of(text_view(*ref));
    const std::size_t number = number_of(*at);
    if (references != nullptr) references->push_back(number);
    Value out(rapidjson::kObjectType);
    out.AddMember("$ref", text_value("#/definitions/" + std::to_string(number)), memory_);
    return out;
  }

  /// The place of a schema below `level` that begins an application.
  schema_place for_another_value(std::size_t level) {
    applications_.emplace_back();
    return {level + 1, applications_.size() - 1, 1};
  }

  // NOLINTNEXTLINE(misc-no-recursion): the source is not deeper than `deepest`
  Value schema_of(const Value& from, schema_place here) {
    count();
    levels_of_this_ = std::max(levels_of_this_, here.level);
    application& mine = applications_[here.application];
    ++mine.schemas;
    mine.depth = std::max(mine.depth, here.depth);
    if (from.IsBool()) return boolean(from.GetBool());
    if (!from.IsObject()) throw unusable_schema("a part of it is no schema");
    const Value* const ref = ifb::find(from, "$ref");
    if (ref != nullptr && ref->IsString()) return reference_to(from, &mine.references);
    Value out(rapidjson::kObjectType);
    for (const auto& [name, value] : from.GetObject())
      put(out, from, text_view(name), value, here);
    put_items(out, from, here);
    put_limits(out, from);
    return out;
  }
  Value boolean(bool allows) {
    Value out(rapidjson::kObjectType);
    if (!allows) out.AddMember("not", Value(rapidjson::kObjectType), memory_);
    return out;
  }
  void add(Value& out, std::string_view name, Value value) {
    out.AddMember(text_value(name), value, memory_);
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  void put(Value& out, const Value& from, std::string_view name, const Value& value,
           schema_place here) {
    if (name == "type") return put_type(out, value);
    if (name == "pattern") return put_pattern(out, value);
    if (name == "multipleOf") return put_multiple(out, value);
    if (name == "enum" || name == "required") return put_list(out, name, value);
    if (name == "const") return add(out, name, copy_of(value));
    if (name == "uniqueItems") {
      out_.unique = out_.unique || (value.IsBool() && value.GetBool());
      return add(out, name, copy_of(value));
    }
    if (is_one_of(name, {"maxLength", "minLength", "maxItems", "minItems", "maxProperties",
                         "minProperties"})) {
      if (!value.IsInt64() || value.GetInt64() < 0) refuse(name);
      return add(out, name, copy_of(value));
    }
    if (is_one_of(name, {"contains", "additionalProperties"}))
      return add(out, name, schema_of(value, for_another_value(here.level)));
    // The validator confuses a schema of names with the schema around it, unless it is a reference.
    if (name == "propertyNames") return add(out, name, reference_to(value));
    if (name == "not" || name == "if" ||
        (is_one_of(name, {"then", "else"}) && from.HasMember("if")))
      return add(out, name, schema_of(value, here.part()));
    if (is_one_of(name, {"allOf", "anyOf", "oneOf"}))
      return add(out, name, list_of(name, value, here, true));
    if (is_one_of(name, {"properties", "patternProperties", "dependencies"}))
      return put_map(out, name, value, here);
  }
  static bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
  }
  [[noreturn]] static void refuse(std::string_view keyword) {
    throw unusable_schema("its keyword " + std::string(keyword) + " has a wrong value");
  }

  void put_type(Value& out, const Value& value) {
    Value names(rapidjson::kArrayType);
    const auto take = [&](const Value& one) {
      if (!one.IsString()) refuse("type");
      const std::string_view name = json_type(text_view(one));
      if (name.empty()) return false;
      names.PushBack(text_value(name), memory_);
      return true;
    };
    if (!value.IsArray()) {
      if (take(value)) add(out, "type", std::move(names));
      return;
    }
    bool all = true;  // a name that allows all values makes the other names meaningless
    for (const auto& one : value.GetArray())
      all = take(one) && all;
    if (all) add(out, "type", std::move(names));
  }
  /// Returns the name of a type in JSON Schema; an empty text for a name that allows all values.
  [[nodiscard]] std::string_view json_type(std::string_view name) const {
    if (is_one_of(name, {"null", "boolean", "object", "array", "number", "string", "integer"}))
      return name;
    if (names_ == type_names::json_schema) refuse("type");
    constexpr std::pair<std::string_view, std::string_view> known[] = {
        {"dict", "object"}, {"float", "number"}, {"tuple", "array"}, {"list", "array"}};
    for (const auto& [python, schema] : known)
      if (name == python) return schema;
    return {};
  }
  void put_pattern(Value& out, const Value& value) {
    if (!value.IsString()) refuse("pattern");
    out_.patterns.emplace_back(text_view(value));
    add(out, "pattern", copy_of(value));
  }
  // The validator takes the whole part of a value before it divides by a whole number, so the
  // divisor becomes a double.
  void put_multiple(Value& out, const Value& value) {
    if (!value.IsNumber() || !(value.GetDouble() > 0)) refuse("multipleOf");
    count();
    add(out, "multipleOf", Value(value.GetDouble()));
  }
  void put_list(Value& out, std::string_view name, const Value& value) {
    if (!value.IsArray()) {
      // Descriptions of tools sometimes say "required": true beside a parameter.
      if (name == "required" && names_ == type_names::of_tools) return;
      refuse(name);
    }
    add(out, name, copy_of(value));
  }
  // NOLINTNEXTLINE(misc-no-recursion)
  Value list_of(std::string_view name, const Value& value, schema_place here, bool same_value) {
    if (!value.IsArray()) refuse(name);
    Value out(rapidjson::kArrayType);
    for (const auto& one : value.GetArray())
      out.PushBack(schema_of(one, same_value ? here.part() : for_another_value(here.level)),
                   memory_);
    return out;
  }
  // NOLINTNEXTLINE(misc-no-recursion)
  void put_map(Value& out, std::string_view name, const Value& value, schema_place here) {
    if (!value.IsObject()) refuse(name);
    const bool depends = name == "dependencies";
    Value map(rapidjson::kObjectType);
    for (const auto& [key, one] : value.GetObject()) {
      if (name == "patternProperties") out_.patterns.emplace_back(text_view(key));
      if (depends && one.IsArray())
        add(map, text_view(key), copy_of(one));
      else
        add(map, text_view(key),
            schema_of(one, depends ? here.part() : for_another_value(here.level)));
    }
    add(out, name, std::move(map));
  }
  // NOLINTNEXTLINE(misc-no-recursion)
  void put_items(Value& out, const Value& from, schema_place here) {
    const Value* items = ifb::find(from, "items");
    const Value* rest = ifb::find(from, "additionalItems");
    if (const Value* const first = ifb::find(from, "prefixItems"); first != nullptr) {
      rest = items;
      items = first;
    }
    if (items == nullptr) return;
    if (!items->IsArray())
      return add(out, "items", schema_of(*items, for_another_value(here.level)));
    add(out, "items", list_of("items", *items, here, false));
    // Without it the validator allows no further items if the list of schemas is empty.
    add(out, "additionalItems",
        rest == nullptr ? Value(rapidjson::kObjectType)
                        : schema_of(*rest, for_another_value(here.level)));
  }
  // Draft 4 says beside maximum whether it is exclusive; draft 7 has two numbers.
  void put_limits(Value& out, const Value& from) {
    for (const auto& [limit, exclusive] :
         {std::pair{"maximum", "exclusiveMaximum"}, std::pair{"minimum", "exclusiveMinimum"}}) {
      const Value* const value = ifb::find(from, limit);
      const Value* const how = ifb::find(from, exclusive);
      if (value != nullptr && !value->IsNumber()) refuse(limit);
      if (how != nullptr && !how->IsNumber() && !how->IsBool()) refuse(exclusive);
      const bool boolean = how != nullptr && how->IsBool();
      if (value != nullptr)
        add(out, boolean && how->GetBool() ? exclusive : limit, copy_of(*value));
      if (how != nullptr && !boolean) add(out, exclusive, copy_of(*how));
    }
  }

  /// Computes how many schemas one value is checked against, through any number of references, and
  /// how many of them in turn. Refuses a schema that is applied to the same value again and again.
  void measure_applications() {
    struct total {
      std::size_t schemas = 0;  // 0: not yet known
      std::size_t depth = 0;
      bool open = false;
    };
    std::vector<total> known(applications_.size());
    std::vector<std::pair<std::size_t, std::size_t>> path;  // an application, its next reference
    const auto enter = [&](std::size_t number) {
      if (known[number].open)
        throw unusable_schema("it applies a part of itself to the same value without end");
      if (known[number].schemas != 0) return;
      known[number].open = true;
      path.emplace_back(number, 0);
    };
    for (std::size_t first = 0; first < applications_.size(); ++first) {
      enter(first);
      while (!path.empty()) {
        const std::size_t number = path.back().first;
        const application& here = applications_[number];
        if (path.back().second < here.references.size()) {
          enter(definitions_[here.references[path.back().second++]].root);
          continue;
        }
        path.pop_back();
        total& mine = known[number];
        mine.open = false;
        mine.schemas = here.schemas;
        for (const std::size_t each : here.references) {
          const total& other = known[definitions_[each].root];
          mine.schemas = std::min(mine.schemas + other.schemas, prepared_schema::most_applied + 1);
          mine.depth = std::max(mine.depth, other.depth);
        }
        mine.depth += here.depth;
        out_.depth = std::max(out_.depth, mine.depth);
        if (mine.schemas > prepared_schema::most_applied)
          throw unusable_schema("it applies too many parts of itself to one value");
      }
    }
  }

  const Value& root_;
  type_names names_;
  prepared_schema out_;
  rapidjson::Document::AllocatorType& memory_;
  std::vector<definition> definitions_;
  std::unordered_map<const Value*, std::size_t> numbers_;
  std::vector<application> applications_;
  std::size_t levels_of_this_ = 0;  // how deep schemas are nested in the definition that is made
};

}  // namespace

prepared_schema prepare(const Value& source, type_names names) {
  return preparation(source, names).run();
}

}  // namespace scorers
