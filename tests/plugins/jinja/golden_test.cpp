// Compares real chat templates with real conversations with the output of Python's Jinja2
// (tests/fixtures/chat_templates).
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "plugins/jinja/rendering.hpp"

namespace jinja {
namespace {

std::string file(const std::string& name) {
  std::ifstream in(std::string(INFERBENCH_FIXTURES) + "/chat_templates/" + name, std::ios::binary);
  std::stringstream out;
  out << in.rdbuf();
  EXPECT_FALSE(out.str().empty()) << name;
  return out.str();
}

std::string json(const rapidjson::Value& of) {
  rapidjson::StringBuffer out;
  rapidjson::Writer<rapidjson::StringBuffer> writer(out);
  of.Accept(writer);
  return out.GetString();
}

class golden : public testing::Test {
 protected:
  golden() {
    scenarios_.Parse(file("scenarios.json"));
    templates_.Parse(file("templates.json"));
  }

  /// The variables of a case.
  rapidjson::Document context(const rapidjson::Value& of) {
    rapidjson::Document out(rapidjson::kObjectType);
    auto& memory = out.GetAllocator();
    const auto add = [&](const char* name, const rapidjson::Value& from) {
      out.AddMember(rapidjson::StringRef(name), rapidjson::Value(from, memory), memory);
    };
    const rapidjson::Value none;
    const auto& scenario = scenarios_[of["scenario"].GetString()];
    add("messages", scenario["messages"]);
    add("tools", scenario.HasMember("tools") ? scenario["tools"] : none);
    add("documents", none);
    add("add_generation_prompt", of["add_generation_prompt"]);
    if (scenario.HasMember("enable_thinking")) add("enable_thinking", scenario["enable_thinking"]);
    for (const auto& about : templates_.GetArray())
      if (about["template"] == of["template"])
        for (const char* const token : {"bos_token", "eos_token"})
          if (!about[token].IsNull()) add(token, about[token]);
    return out;
  }

  const chat_template& compiled(const std::string& name) {
    auto at = compiled_.find(name);
    if (at == compiled_.end())
      at = compiled_.emplace(name, compile(file("templates/" + name), name)).first;
    return at->second;
  }

  static std::string result(const std::function<std::string()>& render) {
    try {
      return render();
    } catch (const error& failed) {
      return failed.type() + ": " + failed.message();
    }
  }

  rapidjson::Document scenarios_;
  rapidjson::Document templates_;
  std::map<std::string, chat_template> compiled_;
};

TEST_F(golden, every_rendering_is_that_of_python) {
  std::istringstream lines(file("cases.jsonl"));
  std::size_t cases = 0;
  for (std::string line; std::getline(lines, line); ++cases) {
    rapidjson::Document of;
    of.Parse(line);
    ASSERT_TRUE(of.IsObject());
    const std::string wanted = of.HasMember("rendered") ? of["rendered"].GetString()
                                                        : std::string(of["error"].GetString()) +
                                                              ": " + of["message"].GetString();
    const rapidjson::Document variables = context(of);
    const std::string name = of["template"].GetString();
    const options how = at_friday();
    // The context can be a parsed document or its text.
    EXPECT_EQ(result([&] { return compiled(name).render(variables, how); }), wanted)
        << of["id"].GetString() << " " << name;
    EXPECT_EQ(result([&] { return compiled(name).render(json(variables), how); }), wanted)
        << of["id"].GetString() << " " << name;
  }
  EXPECT_GT(cases, 900U);
}

}  // namespace
}  // namespace jinja
