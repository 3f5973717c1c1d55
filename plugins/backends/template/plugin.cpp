#include <inferbench/plugin.hpp>

#include "by_template.hpp"

INFERBENCH_PLUGINS(ifb::backend<template_backend::by_template>);
