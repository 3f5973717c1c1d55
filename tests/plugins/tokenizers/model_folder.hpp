// A temporary folder with the files of a model, for the tests of plugins/tokenizers/model_files.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "plugins/hub/fake_hub.hpp"
#include "support/plugin_box.hpp"
#include "tokenizers/model_files/file_set.hpp"
#include "tokenizers/model_files/model_config.hpp"

namespace tokenizers::model_files {

/// The failure that `body` throws.
template <typename call>
ifb::failure failure_of(call&& body) {
  try {
    body();
  } catch (const ifb::failure& e) {
    return e;
  }
  ADD_FAILURE() << "nothing was refused";
  return {IFB_OK, ""};
}

class model_folder : public testing::Test {
 protected:
  void put(const std::string& name, const std::string& text) {
    hub_test::write(folder.path / name, text);
  }
  file_set files() { return {ifb::host(host.table()), {}, folder.path.string(), "", "path"}; }
  model_config config() {
    auto from = files();
    return read_model_config(from);
  }
  std::string refusal() {
    return failure_of([this] { config(); }).message();
  }
  std::vector<std::string> to_add() {
    std::vector<std::string> out;
    for (const auto& each : config().to_add())
      out.push_back(each.content + (each.special ? "!" : "") + (each.normalized ? "~" : "") +
                    (each.lstrip ? "<" : "") + (each.rstrip ? ">" : "") +
                    (each.single_word ? "_" : ""));
    return out;
  }

  support::host host;
  hub_test::folder folder;
};

}  // namespace tokenizers::model_files
