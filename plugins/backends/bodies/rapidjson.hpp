// RapidJSON with one set of switches for all backends: a template that two files compile
// differently would be defined twice.
//
// SSE2 strings: a chunk of 246 bytes takes 175 ns instead of 220. RapidJSON then reads
// up to 15 bytes past the end of its input, aligned, so the input must lie in a
// 16-byte aligned buffer with 16 bytes to spare (insitu.hpp).
#pragma once

#if defined(__SSE2__)
#define RAPIDJSON_SSE2
#endif

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
