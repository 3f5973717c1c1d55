#include <inferbench/draft/batch_engine.hpp>
#include <inferbench/plugin.hpp>

#include "reference_plugin.hpp"

INFERBENCH_PLUGINS(ifb::draft::batch_engine<reference_engine::reference_plugin>)
