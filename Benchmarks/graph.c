// What a node of a graph costs beside the bare call of what it does.
// SPDX-License-Identifier: Apache-2.0
//
//   graph [--channels C] [--rounds R] [--long SECONDS | --audio SECONDS [--nodes N]]
//
// Chains and wide graphs of 1 to 1000 nodes, each a gain, at 32 to 1024 frames. The gain is a unit written
// from the interface alone, without the SDK: it pulls its input into the buffers that it was given
// and multiplies them. The bare call is the same multiplication through a function pointer. Graph and
// bare calls take turns; a figure is the least of the rounds, as other programs only add to it.
//
// --long renders a chain (of 100 nodes) for so many seconds, --audio as many slices as so many seconds of sound
// have, and prints the cost and the memory by the tenth.
// With -DLV2 and lilv, chains of an LV2 plug-in follow, beside bare LV2 calls.
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef LV2
#include <lilv/lilv.h>
#endif

enum { kMaximumFrames = 1024, kMaximumChannels = 8, kMaximumNodes = 1000 };

static UInt32 channelCount = 1;

typedef struct List {
  UInt32 count;
  AudioBuffer buffers[kMaximumChannels];
} List;

// A unit of any number of inputs and one output: it adds the inputs and multiplies them by a gain.
typedef struct Unit {
  AudioComponentPlugInInterface interface;
  UInt32 inputCount;
  AudioStreamBasicDescription format;
  AURenderCallbackStruct *callbacks;
  void (*gain)(Float32 *, UInt32, Float32);
} Unit;

static volatile Float32 unity = 1;

__attribute__((noinline)) static void gainOf(Float32 *samples, UInt32 frameCount, Float32 gain) {
  for (UInt32 frame = 0; frame < frameCount; ++frame) samples[frame] *= gain;
}

__attribute__((noinline)) static void addTo(
    Float32 *target, const Float32 *source, UInt32 frameCount) {
  for (UInt32 frame = 0; frame < frameCount; ++frame) target[frame] += source[frame];
}

static void (*volatile bareGain)(Float32 *, UInt32, Float32) = gainOf;
static void (*volatile bareAdd)(Float32 *, const Float32 *, UInt32) = addTo;

static OSStatus source(
    void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus,
    UInt32 frameCount, AudioBufferList *list) {
  (void)refCon, (void)flags, (void)stamp, (void)bus;
  for (UInt32 channel = 0; channel < list->mNumberBuffers; ++channel) {
    memset((&list->mBuffers[0] + channel)->mData, 0, frameCount * sizeof(Float32));
  }
  return noErr;
}

static OSStatus nothing(void *self) {
  (void)self;
  return noErr;
}

static OSStatus getInfo(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    UInt32 *size, Boolean *isWritable) {
  (void)self, (void)scope, (void)element;
  *isWritable = true;
  switch (property) {
    case kAudioUnitProperty_StreamFormat: *size = sizeof(AudioStreamBasicDescription); break;
    case kAudioUnitProperty_ElementCount: *size = 4; break;
    case kAudioUnitProperty_MaximumFramesPerSlice: *size = 4; break;
    case kAudioUnitProperty_InPlaceProcessing: *size = 4; break;
    default: return kAudioUnitErr_InvalidProperty;
  }
  return noErr;
}

static OSStatus getProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    void *data, UInt32 *size) {
  const Unit *unit = (const Unit *)self;
  (void)element;
  switch (property) {
    case kAudioUnitProperty_StreamFormat:
      memcpy(data, &unit->format, sizeof unit->format);
      *size = sizeof unit->format;
      return noErr;
    case kAudioUnitProperty_ElementCount:
      *(UInt32 *)data = scope == kAudioUnitScope_Input ? unit->inputCount : 1;
      break;
    case kAudioUnitProperty_MaximumFramesPerSlice: *(UInt32 *)data = kMaximumFrames; break;
    case kAudioUnitProperty_InPlaceProcessing: *(UInt32 *)data = unit->inputCount == 1; break;
    default: return kAudioUnitErr_InvalidProperty;
  }
  *size = 4;
  return noErr;
}

static OSStatus setProperty(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    const void *data, UInt32 size) {
  Unit *unit = (Unit *)self;
  (void)scope, (void)size;
  switch (property) {
    case kAudioUnitProperty_StreamFormat: memcpy(&unit->format, data, sizeof unit->format); break;
    case kAudioUnitProperty_MaximumFramesPerSlice: break;
    case kAudioUnitProperty_SetRenderCallback:
      if (element >= unit->inputCount) return kAudioUnitErr_InvalidElement;
      memcpy(&unit->callbacks[element], data, sizeof unit->callbacks[element]);
      break;
    default: return kAudioUnitErr_InvalidProperty;
  }
  return noErr;
}

static OSStatus reset(void *self, AudioUnitScope scope, AudioUnitElement element) {
  (void)self, (void)scope, (void)element;
  return noErr;
}

static OSStatus renderGain(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus,
    UInt32 frameCount, AudioBufferList *list) {
  Unit *unit = (Unit *)self;
  const AURenderCallbackStruct callback = unit->callbacks[0];
  (void)bus;
  const OSStatus status =
      callback.inputProc(callback.inputProcRefCon, flags, stamp, 0, frameCount, list);
  if (status != noErr) return status;
  for (UInt32 channel = 0; channel < list->mNumberBuffers; ++channel) {
    unit->gain((Float32 *)(&list->mBuffers[0] + channel)->mData, frameCount, unity);
  }
  return noErr;
}

static OSStatus renderSum(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus,
    UInt32 frameCount, AudioBufferList *list) {
  Unit *unit = (Unit *)self;
  (void)bus;
  for (UInt32 input = 0; input < unit->inputCount; ++input) {
    const AURenderCallbackStruct callback = unit->callbacks[input];
    List pulled = {list->mNumberBuffers, {{0, 0, NULL}}};
    for (UInt32 channel = 0; channel < pulled.count; ++channel) {
      pulled.buffers[channel].mNumberChannels = 1;
      pulled.buffers[channel].mDataByteSize = frameCount * 4;
      pulled.buffers[channel].mData = NULL;
    }
    const OSStatus status = callback.inputProc(
        callback.inputProcRefCon, flags, stamp, input, frameCount, (AudioBufferList *)&pulled);
    if (status != noErr) return status;
    for (UInt32 channel = 0; channel < pulled.count; ++channel) {
      Float32 *target = (Float32 *)(&list->mBuffers[0] + channel)->mData;
      const Float32 *given = (const Float32 *)pulled.buffers[channel].mData;
      if (input == 0) {
        memcpy(target, given, frameCount * 4);
      } else {
        bareAdd(target, given, frameCount);
      }
    }
  }
  return noErr;
}

#define METHOD(function) ((AudioComponentMethod)(void (*)(void))(function))

static AudioComponentMethod lookupCommon(SInt16 selector) {
  switch (selector) {
    case kAudioUnitInitializeSelect: return METHOD(nothing);
    case kAudioUnitUninitializeSelect: return METHOD(nothing);
    case kAudioUnitGetPropertyInfoSelect: return METHOD(getInfo);
    case kAudioUnitGetPropertySelect: return METHOD(getProperty);
    case kAudioUnitSetPropertySelect: return METHOD(setProperty);
    case kAudioUnitResetSelect: return METHOD(reset);
    default: return NULL;
  }
}

static AudioComponentMethod lookupGain(SInt16 selector) {
  return selector == kAudioUnitRenderSelect ? METHOD(renderGain) : lookupCommon(selector);
}

static AudioComponentMethod lookupSum(SInt16 selector) {
  return selector == kAudioUnitRenderSelect ? METHOD(renderSum) : lookupCommon(selector);
}

static OSStatus openUnit(void *self, AudioComponentInstance instance) {
  (void)self, (void)instance;
  return noErr;
}

static OSStatus closeUnit(void *self) {
  free(((Unit *)self)->callbacks);
  free(self);
  return noErr;
}

static UInt32 wantedInputs = 1;

static AudioComponentPlugInInterface *makeUnit(const AudioComponentDescription *description) {
  Unit *unit = (Unit *)calloc(1, sizeof(Unit));
  if (unit == NULL) return NULL;
  const Boolean isSum = description->componentType == kAudioUnitType_Mixer;
  unit->interface.Open = openUnit;
  unit->interface.Close = closeUnit;
  unit->interface.Lookup = isSum ? lookupSum : lookupGain;
  unit->inputCount = isSum ? wantedInputs : 1;
  unit->callbacks = (AURenderCallbackStruct *)calloc(unit->inputCount, sizeof *unit->callbacks);
  unit->gain = gainOf;
  unit->format.mSampleRate = 48000;
  unit->format.mFormatID = kAudioFormatLinearPCM;
  unit->format.mFormatFlags = kAudioFormatFlagsAudioUnitCanonical;
  unit->format.mBytesPerPacket = unit->format.mBytesPerFrame = 4;
  unit->format.mFramesPerPacket = 1;
  unit->format.mChannelsPerFrame = channelCount;
  unit->format.mBitsPerChannel = 32;
  return &unit->interface;
}

static const AudioComponentDescription gainUnit = {'aufx', 'bgai', 'Bnch', 0, 0};
static const AudioComponentDescription sumUnit = {'aumx', 'bsum', 'Bnch', 0, 0};
static const AudioComponentDescription endUnit = {'auou', 'bend', 'Bnch', 0, 0};

static void check(OSStatus status, const char *what) {
  if (status == noErr) return;
  fprintf(stderr, "%s: %d\n", what, (int)status);
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

typedef struct Graph {
  AUGraph graph;
  AudioUnit end;
  Float64 time;
} Graph;

static Float32 memory[kMaximumChannels][kMaximumFrames];

static void renderGraph(Graph *graph, UInt32 frames, int slices) {
  List list;
  AudioTimeStamp stamp;
  memset(&stamp, 0, sizeof stamp);
  stamp.mFlags = kAudioTimeStampSampleTimeValid;
  for (int slice = 0; slice < slices; ++slice) {
    AudioUnitRenderActionFlags flags = 0;
    list.count = channelCount;
    for (UInt32 channel = 0; channel < channelCount; ++channel) {
      list.buffers[channel].mNumberChannels = 1;
      list.buffers[channel].mDataByteSize = frames * 4;
      list.buffers[channel].mData = memory[channel];
    }
    stamp.mSampleTime = graph->time;
    check(
        AudioUnitRender(graph->end, &flags, &stamp, 0, frames, (AudioBufferList *)&list),
        "rendering");
    graph->time += frames;
  }
}

static AURenderCallbackStruct silence = {source, NULL};

static Graph makeGraph(int nodes, Boolean isWide, const AudioComponentDescription *kind) {
  Graph result = {NULL, NULL, 0};
  AUNode end, last = 0;
  check(NewAUGraph(&result.graph), "new");
  check(AUGraphAddNode(result.graph, &endUnit, &end), "add");
  if (isWide) {
    wantedInputs = (UInt32)nodes;
    check(AUGraphAddNode(result.graph, &sumUnit, &last), "add");
  }
  check(AUGraphOpen(result.graph), "open");
  AUNode first = 0, previous = 0;
  for (int index = 0; index < nodes; ++index) {
    AUNode node;
    check(AUGraphAddNode(result.graph, kind, &node), "add");
    if (kind != &gainUnit) {
      AudioUnit unit;
      AUGraphNodeInfo(result.graph, node, NULL, &unit);
      Unit *like = (Unit *)makeUnit(&gainUnit);
      AudioUnitSetProperty(
          unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &like->format,
          sizeof like->format);
      AudioUnitSetProperty(
          unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &like->format,
          sizeof like->format);
      closeUnit(like);
    }
    if (isWide) {
      check(AUGraphSetNodeInputCallback(result.graph, node, 0, &silence), "callback");
      check(AUGraphConnectNodeInput(result.graph, node, 0, last, (UInt32)index), "connect");
    } else if (index == 0) {
      first = node;
    } else {
      check(AUGraphConnectNodeInput(result.graph, previous, 0, node, 0), "connect");
    }
    previous = node;
  }
  if (!isWide) {
    check(AUGraphSetNodeInputCallback(result.graph, first, 0, &silence), "callback");
    last = previous;
  }
  check(AUGraphConnectNodeInput(result.graph, last, 0, end, 0), "connect");
  check(AUGraphNodeInfo(result.graph, end, NULL, &result.end), "info");
  check(AUGraphInitialize(result.graph), "initialize");
  return result;
}

static Float32 branches[kMaximumNodes][kMaximumFrames];

static void renderBare(int nodes, Boolean isWide, UInt32 frames, int slices) {
  for (int slice = 0; slice < slices; ++slice) {
    for (UInt32 channel = 0; channel < channelCount; ++channel) {
      if (isWide) {
        for (int node = 0; node < nodes; ++node) {
          memset(branches[node], 0, frames * 4);
          bareGain(branches[node], frames, unity);
        }
        memcpy(memory[channel], branches[0], frames * 4);
        for (int node = 1; node < nodes; ++node) bareAdd(memory[channel], branches[node], frames);
        bareGain(memory[channel], frames, unity);
      } else {
        memset(memory[channel], 0, frames * 4);
        // One more: the output unit is a gain as well.
        for (int node = 0; node <= nodes; ++node) bareGain(memory[channel], frames, unity);
      }
    }
  }
}

static const int nodeCounts[] = {1, 10, 100, 1000};
static const UInt32 frameCounts[] = {32, 64, 256, 1024};

static int slicesFor(int nodes, UInt32 frames) {
  const double work = (double)nodes * (60 + frames / 4.0) + 200;
  const int slices = (int)(3e6 / work);
  return slices < 4 ? 4 : slices;
}

static void table(Boolean isWide, int rounds) {
  printf("\n### %s of gains, %u channel%s\n\n", isWide ? "Wide graphs" : "Chains", channelCount,
         channelCount == 1 ? "" : "s");
  printf("| nodes | frames | bare call | in the graph | difference | ratio |\n");
  printf("|--:|--:|--:|--:|--:|--:|\n");
  for (int n = 0; n < 4; ++n) {
    Graph graph = makeGraph(nodeCounts[n], isWide, &gainUnit);
    for (int f = 0; f < 4; ++f) {
      const int slices = slicesFor(nodeCounts[n], frameCounts[f]);
      double best = INFINITY, bare = INFINITY;
      for (int round = 0; round < rounds; ++round) {
        double start = now();
        renderGraph(&graph, frameCounts[f], slices);
        double time = (now() - start) / slices / nodeCounts[n];
        if (time < best) best = time;
        start = now();
        renderBare(nodeCounts[n], isWide, frameCounts[f], slices);
        time = (now() - start) / slices / nodeCounts[n];
        if (time < bare) bare = time;
      }
      printf("| %d | %u | %.1f | %.1f | **%.1f** | %.2f |\n", nodeCounts[n], frameCounts[f], bare,
             best, best - bare, best / bare);
      fflush(stdout);
    }
    check(DisposeAUGraph(graph.graph), "dispose");
  }
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
static void longRun(double seconds, double audio, int nodes) {
  Graph graph = makeGraph(nodes, false, &gainUnit);
  const long wanted = (long)(audio * 48000 / 64 / 10);
  printf("\n### A chain of %d nodes for %.0f s%s, 64 frames a slice\n\n", nodes,
         audio > 0 ? audio : seconds, audio > 0 ? " of sound" : "");
  printf("| part | slices | ns a node a slice, least | mean | resident KB |\n|--:|--:|--:|--:|--:|\n");
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

#ifdef LV2
// The component whose LV2 URI is wanted.
static AudioComponent findLV2(const char *uri) {
  const AudioComponentDescription any = {0, 0, 0, 0, 0};
  AudioComponent component = NULL;
  while ((component = AudioComponentFindNext(component, &any)) != NULL) {
    AudioComponentDescription description;
    AudioComponentGetDescription(component, &description);
    CFStringRef name = NULL;
    char text[256] = "";
    AudioComponentCopyName(component, &name);
    if (name != NULL) {
      CFStringGetCString(name, text, sizeof text, kCFStringEncodingUTF8);
      CFRelease(name);
    }
    if (strstr(text, uri) != NULL) return component;
  }
  return NULL;
}

static void lv2Table(const char *uri, const char *name, int rounds) {
  AudioComponent component = findLV2(name);
  if (component == NULL) {
    printf("\n%s is not installed.\n", name);
    return;
  }
  AudioComponentDescription description;
  AudioComponentGetDescription(component, &description);
  LilvWorld *world = lilv_world_new();
  lilv_world_load_all(world);
  LilvNode *node = lilv_new_uri(world, uri);
  const LilvPlugin *plugin =
      lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world), node);
  static LilvInstance *instances[kMaximumNodes];
  static Float32 control = 0;
  for (int index = 0; index < kMaximumNodes; ++index) {
    instances[index] = lilv_plugin_instantiate(plugin, 48000, NULL);
    for (uint32_t port = 0; port < lilv_plugin_get_num_ports(plugin); ++port) {
      LilvNode *audio = lilv_new_uri(world, LILV_URI_AUDIO_PORT);
      const Boolean isAudio = lilv_port_is_a(plugin, lilv_plugin_get_port_by_index(plugin, port), audio);
      lilv_instance_connect_port(instances[index], port, isAudio ? (void *)memory[0] : &control);
      lilv_node_free(audio);
    }
    lilv_instance_activate(instances[index]);
  }
  printf("\n### Chains of %s, 1 channel\n\n", name);
  printf("| nodes | frames | bare LV2 call | in the graph | difference | ratio |\n");
  printf("|--:|--:|--:|--:|--:|--:|\n");
  for (int n = 0; n < 4; ++n) {
    Graph graph = makeGraph(nodeCounts[n], false, &description);
    for (int f = 0; f < 4; ++f) {
      const int slices = slicesFor(nodeCounts[n], frameCounts[f]);
      double best = INFINITY, bare = INFINITY;
      for (int round = 0; round < rounds; ++round) {
        double start = now();
        renderGraph(&graph, frameCounts[f], slices);
        double time = (now() - start) / slices / nodeCounts[n];
        if (time < best) best = time;
        start = now();
        for (int slice = 0; slice < slices; ++slice) {
          memset(memory[0], 0, frameCounts[f] * 4);
          for (int index = 0; index < nodeCounts[n]; ++index) {
            lilv_instance_run(instances[index], frameCounts[f]);
          }
        }
        time = (now() - start) / slices / nodeCounts[n];
        if (time < bare) bare = time;
      }
      printf("| %d | %u | %.1f | %.1f | **%.1f** | %.2f |\n", nodeCounts[n], frameCounts[f], bare,
             best, best - bare, best / bare);
      fflush(stdout);
    }
    check(DisposeAUGraph(graph.graph), "dispose");
  }
}
#endif

int main(int argc, char **argv) {
  int rounds = 15;
  double seconds = 0, audio = 0;
  int nodes = 100;
  for (int index = 1; index + 1 < argc; index += 2) {
    if (strcmp(argv[index], "--channels") == 0) channelCount = (UInt32)atoi(argv[index + 1]);
    if (strcmp(argv[index], "--rounds") == 0) rounds = atoi(argv[index + 1]);
    if (strcmp(argv[index], "--nodes") == 0) nodes = atoi(argv[index + 1]);
    if (strcmp(argv[index], "--long") == 0) seconds = atof(argv[index + 1]);
    if (strcmp(argv[index], "--audio") == 0) audio = atof(argv[index + 1]);
  }
  if (channelCount < 1 || channelCount > kMaximumChannels) return 64;
  AudioComponentRegister(&gainUnit, CFSTR("Benchmark: Gain"), 0x10000, makeUnit);
  AudioComponentRegister(&sumUnit, CFSTR("Benchmark: Sum"), 0x10000, makeUnit);
  AudioComponentRegister(&endUnit, CFSTR("Benchmark: End"), 0x10000, makeUnit);
  if (seconds > 0 || audio > 0) {
    longRun(seconds, audio, nodes < 1 ? 1 : nodes);
    return 0;
  }
  table(false, rounds);
  table(true, rounds);
#ifdef LV2
  if (channelCount == 1) {
    lv2Table("http://lv2plug.in/plugins/eg-amp", "Simple Amplifier", rounds);
  }
#endif
  return 0;
}
