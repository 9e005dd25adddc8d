// Shared parts of the graph benchmark: its units, its graphs, its way of measuring.
// SPDX-License-Identifier: Apache-2.0
#ifndef BENCHMARK_GRAPH_NODES_H
#define BENCHMARK_GRAPH_NODES_H

#include <AudioToolbox/AudioToolbox.h>

enum { kMaximumFrames = 1024, kMaximumChannels = 8, kMaximumNodes = 1000 };

typedef struct List {
  UInt32 count;
  AudioBuffer buffers[kMaximumChannels];
} List;

// graph-units.c: components of units that are written from the interface alone, and their bare work.
extern const AudioComponentDescription gainUnit, sumUnit, endUnit;
extern volatile Float32 unity;
extern void (*volatile bareGain)(Float32 *, UInt32, Float32);
extern void (*volatile bareAdd)(Float32 *, const Float32 *, UInt32);
extern UInt32 wantedInputs;
AudioStreamBasicDescription streamFormat(void);
void registerUnits(void);

// graph-nodes.c: graphs, and the same work as bare calls.
typedef struct Graph {
  AUGraph graph;
  AudioUnit end;
  Float64 time;
} Graph;

extern UInt32 channelCount;
// The unit that joins the branches of a wide graph.
extern const AudioComponentDescription *joint;
extern Float32 memory[kMaximumChannels][kMaximumFrames];
// The input: audible, since units rest in silence.
extern Float32 sound[kMaximumFrames];
void check(OSStatus status, const char *what);
// Returns how many of the nodes are neither the output unit nor, in a wide graph, the sum.
int othersThan(int nodes, Boolean isWide);
Graph makeGraph(int nodes, Boolean isWide, const AudioComponentDescription *kind);
void renderGraph(Graph *graph, UInt32 frames, int slices);
void renderBare(int nodes, Boolean isWide, UInt32 frames, int slices);

// graph.c: rows of a table.
double now(void);
typedef struct Rows {
  int rounds;
  // The only number of nodes or frames wanted; 0 for all.
  int nodes;
  UInt32 frames;
} Rows;
typedef void (*Bare)(int nodes, UInt32 frames, int slices);
// `fewest`: the nodes of the first rows, which 10, 100 and 1000 follow.
void printRows(
    Rows rows, int fewest, Boolean isWide, const AudioComponentDescription *kind, Bare bare);

// graph-lv2.c
void lv2Table(Rows rows, const char *uri, const char *name);

#endif
