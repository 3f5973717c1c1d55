#include <inferbench/draft/batch_engine.hpp>
#include <inferbench/plugin.hpp>

#include "python_plugin.hpp"

INFERBENCH_PLUGINS(ifb::draft::batch_engine<python_engine::python_plugin>)
