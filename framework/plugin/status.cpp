#include "plugin/status.hpp"

#include <string>

#include <inferbench/guard.hpp>

namespace inferbench::plugin {

ifb_status unexpected_status(ifb_status status, const char* call, ifb_error* error) {
  // An error of a later version has its own message; a success has none.
  if (status > IFB_OK)
    ifb::fill(error, IFB_E_INTERNAL,
              std::string(call) + " returned the status " + std::to_string(status) +
                  ", which this call does not have");
  return IFB_E_INTERNAL;
}

}  // namespace inferbench::plugin
