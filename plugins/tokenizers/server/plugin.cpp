#include <inferbench/plugin.hpp>

#include "server.hpp"

INFERBENCH_PLUGINS(ifb::tokenizer<server::tokenizer>);
