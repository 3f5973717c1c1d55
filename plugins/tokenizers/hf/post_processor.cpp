#include "post_processor.hpp"

#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <rapidjson/document.h>

namespace tokenizers::hf {

namespace {

/// The result of a step in a sequence. In the reference, there is first one list for each text;
/// TemplateProcessing makes one list for each piece of the template.
struct state {
  std::vector<layout> parts;
  std::size_t added = 0;
  bool special = false;
};

slot special_slot(std::vector<std::uint32_t> ids, std::uint32_t type_id) {
  return {slot::holds::special, std::move(ids), type_id, true};
}

/// Reads a token and its id, such as ["[SEP]", 102], and returns the id.
std::uint32_t read_end(const node& from) {
  if (from.size() != 2) from.fail("expected a token and its id");
  (void)from.at(std::size_t{0}).text();
  return from.at(1).u32();
}

std::vector<std::uint32_t> read_special(const node& processor, const node& id) {
  const node specials = processor.at("special_tokens");
  const auto token = specials.find(id.text());
  if (!token) id.fail("\"" + std::string(id.text()) + "\" is not among the special_tokens");
  const node ids = token->at("ids");
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < ids.size(); ++i)
    out.push_back(ids.at(i).u32());
  return out;
}

void apply_template(const node& from, state& now) {
  if (now.parts.size() != 1 && now.parts.size() != 2)
    from.fail("cannot follow a TemplateProcessing of other than one or two pieces");
  const node pieces = from.at(now.parts.size() == 1 ? "single" : "pair");
  std::vector<layout> out;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const node piece = pieces.at(i);
    if (const auto token = piece.find("SpecialToken")) {
      auto ids = read_special(from, token->at("id"));
      const std::uint32_t type_id = token->at("type_id").u32();
      now.added += ids.size();
      if (now.special) out.push_back({special_slot(std::move(ids), type_id)});
      continue;
    }
    const node sequence = piece.at("Sequence");
    const node id = sequence.at("id");
    const std::string_view which = id.text();
    if (which != "A" && which != "B") id.fail("expected \"A\" or \"B\"");
    const std::size_t part = which == "A" ? 0 : 1;
    if (part >= now.parts.size()) id.fail("there is no second text here");
    for (slot& it : now.parts[part])
      it.type_id = sequence.at("type_id").u32();
    out.push_back(now.parts[part]);
  }
  now.parts = std::move(out);
}

/// Applies BertProcessing or RobertaProcessing.
void apply_ends(const node& from, bool roberta, state& now) {
  const std::uint32_t sep = read_end(from.at("sep"));
  const std::uint32_t cls = read_end(from.at("cls"));
  now.added += now.parts.size() == 1 ? 2 : roberta ? 4 : 3;
  for (std::size_t i = 0; i < now.parts.size(); ++i) {
    layout& part = now.parts[i];
    const std::uint32_t type_id = i == 0 || roberta ? 0 : 1;
    for (slot& it : part) {
      if (roberta) it.type_id = 0;
      // Tokens that an earlier step added count as text for this step.
      if (now.special) it.masked = false;
    }
    if (!now.special) continue;
    if (i == 0)
      part.insert(part.begin(), special_slot({cls}, type_id));
    else if (roberta)
      part.insert(part.begin(), special_slot({sep}, type_id));
    part.push_back(special_slot({sep}, type_id));
  }
}

void apply(const node& from, state& now) {
  const node type = from.at("type");
  const std::string_view is = type.text();
  if (is == "Sequence") {
    const node steps = from.at("processors");
    for (std::size_t i = 0; i < steps.size(); ++i)
      apply(steps.at(i), now);
  } else if (is == "TemplateProcessing") {
    apply_template(from, now);
  } else if (is == "BertProcessing" || is == "RobertaProcessing") {
    apply_ends(from, is == "RobertaProcessing", now);
  } else if (is != "ByteLevel") {  // ByteLevel changes only offsets
    type.fail("there is no post-processor \"" + std::string(is) + "\"");
  }
}

state start(bool pair, bool special) {
  state out;
  out.special = special;
  out.parts.push_back({slot{slot::holds::first, {}, 0, false}});
  if (pair) out.parts.push_back({slot{slot::holds::second, {}, 1, false}});
  return out;
}

layout joined(state from) {
  layout out;
  for (layout& part : from.parts)
    out.insert(out.end(), std::make_move_iterator(part.begin()),
               std::make_move_iterator(part.end()));
  return out;
}

}  // namespace

post_processor::post_processor() {
  for (const bool special : {false, true}) {
    single_[special] = joined(start(false, special));
    pair_[special] = joined(start(true, special));
  }
}

post_processor::post_processor(const node& from) {
  for (const bool special : {false, true}) {
    for (const bool pair : {false, true}) {
      state now = start(pair, special);
      apply(from, now);
      added_[pair] = now.added;
      (pair ? pair_ : single_)[special] = joined(std::move(now));
    }
  }
}

post_processor::post_processor(std::optional<std::uint32_t> first,
                               std::optional<std::uint32_t> last)
    : post_processor() {
  const auto framed = [&](const layout& texts) {
    layout out;
    for (const slot& it : texts) {
      if (first) out.push_back(special_slot({*first}, it.type_id));
      out.push_back(it);
      if (last) out.push_back(special_slot({*last}, it.type_id));
    }
    return out;
  };
  single_[true] = framed(single_[true]);
  pair_[true] = framed(pair_[true]);
  added_[false] = std::size_t{first.has_value()} + std::size_t{last.has_value()};
  added_[true] = 2 * added_[false];
}

}  // namespace tokenizers::hf
