// A backend in the client: loads and creates a backend with options; an exchange gets the bytes of
// an answer.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/views.hpp>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "client/backend.hpp"
#include "client/exchange.hpp"
#include "plugin/instance.hpp"
#include "plugin/library.hpp"
#include "transport/resolver.hpp"

namespace backends {

class live_backend {
 public:
  /// `extra_body`: empty if the option is not set.
  live_backend(const std::string& id, const std::string& extra_body)
      : instance_(load(id), values(id, extra_body), services_) {
    shared.instance = instance_.get();
    shared.codec = inferbench::plugin::codec_of(instance_);
    shared.servers = {&nowhere_};
  }

  inferbench::client::backend shared;

 private:
  static inferbench::plugin::loaded load(const std::string& id) {
    return inferbench::plugin::load(
        IFB_BACKEND, std::string(INFERBENCH_PLUGIN_FOLDER) + "/backends/" + id + ".so:" + id, {});
  }
  static std::vector<ifb_value> values(const std::string& id, const std::string& extra_body) {
    std::vector<ifb_value> out;
    for (const ifb_option* option : load(id).options()) {
      ifb_value value{};
      value.type = option->type;
      const std::string_view name = option->name;
      if (name == "model") value.as.s = ifb::str("m");
      if (name == "endpoint") {
        const std::string_view literal = option->fallback;
        value.as.s = ifb::str(literal.substr(1, literal.size() - 2));
      }
      if (name == "extra-body") value.as.s = ifb::str(extra_body);
      value.is_set = value.as.s.size != 0 ? 1 : 0;
      out.push_back(value);
    }
    return out;
  }

  inferbench::base::log log_{inferbench::base::log_level::error,
                             [](inferbench::base::log_level, std::string_view) {}};
  inferbench::base::monotonic_clock clock_;
  inferbench::plugin::services services_{.log = &log_, .clock = &clock_};
  inferbench::plugin::instance instance_;
  inferbench::transport::endpoint nowhere_{inferbench::transport::parse_url("http://host"), {}};
};

}  // namespace backends
