// Cost of a graph node beside the bare call of its work.
// SPDX-License-Identifier: Apache-2.0
//
//   graph [--channels C] [--rounds R] [--nodes N] [--frames F] [--shape chain|wide|mixer|lv2]
//   graph --long SECONDS | --audio SECONDS [--nodes N] [--shape chain|wide]
//
// Chains of 1 to 1000 nodes and wide graphs of 3 to 1000, each a gain, at 32 to 1024 frames. The output unit is
// one of them, a gain as well; so is the sum of a wide graph, which adds its inputs. The gain is a unit written
// from the interface alone, without the SDK: it pulls its input into its output buffers and multiplies them. The
// bare call is the same multiplication through a function pointer. Graph and bare calls alternate. A figure is the
// least of the rounds, as other programs only add to it.
//
// --long renders a chain or a wide graph (of 100 nodes) for so many seconds, --audio as many slices as so many
// seconds of sound have, and prints the cost and the memory by the tenth.
// With -DLV2 and lilv, chains of an LV2 plug-in follow, beside bare LV2 calls.
#include "graph-nodes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>


static const UInt32 frameCounts[] = {32, 64, 256, 1024};

double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// Slices of one measurement: about half a millisecond, which other programs leave whole often enough.
static int slicesFor(int nodes, UInt32 frames) {
  const double work = (double)nodes * (40 + frames / 3.0) + 100;
  const int slices = (int)(5e5 / work);
  return slices < 2 ? 2 : slices;
}

static void printRow(Graph *graph, int rounds, int nodes, UInt32 frames, Bare bare) {
  const int slices = slicesFor(nodes, frames);
  double best = INFINITY, least = INFINITY;
  for (int round = 0; round < rounds; ++round) {
    double start = now();
    renderGraph(graph, frames, slices);
    double time = (now() - start) / slices / nodes;
    if (time < best) best = time;
    start = now();
    bare(nodes, frames, slices);
    time = (now() - start) / slices / nodes;
    if (time < least) least = time;
  }
  printf("| %d | %u | %.1f | %.1f | **%.1f** | %.2f |\n", nodes, frames, least, best, best - least,
         best / least);
  fflush(stdout);
}

void printRows(
    Rows rows, int fewest, Boolean isWide, const AudioComponentDescription *kind, Bare bare) {
  const int nodeCounts[] = {fewest, 10, 100, 1000};
  printf("| nodes | frames | bare call | in the graph | difference | ratio |\n");
  printf("|--:|--:|--:|--:|--:|--:|\n");
  for (int n = 0; n < 4; ++n) {
    const int nodes = nodeCounts[n];
    if (rows.nodes != 0 && rows.nodes != nodes) continue;
    Graph graph = makeGraph(nodes, isWide, kind);
    for (int f = 0; f < 4; ++f) {
      if (rows.frames != 0 && rows.frames != frameCounts[f]) continue;
      printRow(&graph, rows.rounds, nodes, frameCounts[f], bare);
    }
    check(DisposeAUGraph(graph.graph), "dispose");
  }
}

static void bareChain(int nodes, UInt32 frames, int slices) {
  renderBare(nodes, false, frames, slices);
}

static void bareWide(int nodes, UInt32 frames, int slices) {
  renderBare(nodes, true, frames, slices);
}

static void table(Rows rows, Boolean isWide) {
  printf("\n### %s of gains%s, %u channel%s\n\n", isWide ? "Wide graphs" : "Chains",
         joint != &sumUnit ? " into the mixer that ships" : "", channelCount,
         channelCount == 1 ? "" : "s");
  // A wide graph has three nodes at least: a branch, the sum, and the output unit.
  printRows(rows, isWide ? 3 : 1, isWide, &gainUnit, isWide ? bareWide : bareChain);
}

static long residentKilobytes(void) {
  long pages = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL) return 0;
  if (fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
  fclose(file);
  return resident * 4;
}

// Renders for so many seconds, or, if `audio` is more than 0, so many seconds of sound.
static void longRun(double seconds, double audio, int nodes, Boolean isWide) {
  Graph graph = makeGraph(nodes, isWide, &gainUnit);
  const long wanted = (long)(audio * 48000 / 64 / 10);
  printf("\n### A %s of %d nodes for %.0f s%s, 64 frames a slice\n\n", isWide ? "wide graph" : "chain",
         nodes, audio > 0 ? audio : seconds, audio > 0 ? " of sound" : "");
  printf("| part | slices | ns a node a slice, least | mean | resident KB |\n");
  printf("|--:|--:|--:|--:|--:|\n");
  for (int part = 1; part <= 10; ++part) {
    const double start = now();
    double best = INFINITY;
    long slices = 0;
    while (audio > 0 ? slices < wanted : now() - start < seconds * 1e8) {
      const double begin = now();
      renderGraph(&graph, 64, 100);
      const double time = (now() - begin) / 100 / nodes;
      if (time < best) best = time;
      slices += 100;
    }
    printf("| %d | %ld | %.1f | %.1f | %ld |\n", part, slices, best,
           (now() - start) / (double)slices / nodes, residentKilobytes());
    fflush(stdout);
  }
  check(DisposeAUGraph(graph.graph), "dispose");
}

int main(int argc, char **argv) {
  Rows rows = {60, 0, 0};
  double seconds = 0, audio = 0;
  const char *shape = NULL;
  for (int index = 1; index + 1 < argc; index += 2) {
    const char *value = argv[index + 1];
    if (strcmp(argv[index], "--channels") == 0) channelCount = (UInt32)atoi(value);
    if (strcmp(argv[index], "--rounds") == 0) rows.rounds = atoi(value);
    if (strcmp(argv[index], "--nodes") == 0) rows.nodes = atoi(value);
    if (strcmp(argv[index], "--frames") == 0) rows.frames = (UInt32)atoi(value);
    if (strcmp(argv[index], "--shape") == 0) shape = value;
    if (strcmp(argv[index], "--long") == 0) seconds = atof(value);
    if (strcmp(argv[index], "--audio") == 0) audio = atof(value);
  }
  if (channelCount < 1 || channelCount > kMaximumChannels) return 64;
  registerUnits();
  if (seconds > 0 || audio > 0) {
    longRun(
        seconds, audio, rows.nodes < 1 ? 100 : rows.nodes,
        shape != NULL && strcmp(shape, "wide") == 0);
    return 0;
  }
  if (shape == NULL || strcmp(shape, "chain") == 0) table(rows, false);
  if (shape == NULL || strcmp(shape, "wide") == 0) table(rows, true);
  if (shape == NULL || strcmp(shape, "mixer") == 0) {
    static const AudioComponentDescription mixer = {'aumx', 'mcmx', 'appl', 0, 0};
    joint = &mixer;
    table(rows, true);
  }
#ifdef LV2
  if (channelCount == 1 && (shape == NULL || strcmp(shape, "lv2") == 0)) {
    lv2Table(rows, "http://lv2plug.in/plugins/eg-amp", "Simple Amplifier");
  }
#endif
  return 0;
}
