// The properties of Auricle's graphs beyond Core Audio's functions.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_GRAPH_H
#define AURICLE_GRAPH_H

#include "../AudioToolbox/AUGraph.h"

AURICLE_BEGIN_DECLS

// The latency of the whole graph, in seconds: that of its slowest way, which faster ones are aligned
// with. 0 for a graph that is not initialised; may change while the graph renders, as units' latencies do.
// kAudio_ParamError without a graph or a place for the answer. Not from a render thread.
extern OSStatus AuricleGraphGetLatency(AUGraph graph, Float64 *seconds);

AURICLE_END_DECLS

#endif
