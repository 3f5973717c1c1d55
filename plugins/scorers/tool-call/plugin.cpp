#include <inferbench/draft/scorer.hpp>
#include <inferbench/plugin.hpp>

#include "tool_call_scorer.hpp"

INFERBENCH_PLUGINS(ifb::draft::scorer<scorers::tool_call_scorer>)
