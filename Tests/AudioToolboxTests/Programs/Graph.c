// A program in C that builds a graph, shows it, renders it, changes it and destroys it again.
// SPDX-License-Identifier: Apache-2.0
//
// usage: Graph [TYPE SUBTYPE MANUFACTURER]   the output unit; one of this program's own without
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "PassingUnit.c"

enum { kFrames = 256, kRate = 44100 };

static int failures = 0;

static void expect(const char *what, OSStatus found, OSStatus wanted) {
  if (found == wanted) return;
  printf("%s: %d, not %d\n", what, (int)found, (int)wanted);
  failures += 1;
}

static OSType code(const char *text) {
  return (OSType)text[0] << 24 | (OSType)text[1] << 16 | (OSType)text[2] << 8 | (OSType)text[3];
}

static AudioComponentDescription describe(const char *type, const char *subtype, const char *maker) {
  const AudioComponentDescription description = {code(type), code(subtype), code(maker), 0, 0};
  return description;
}

// A sine of 441 Hz and amplitude 0.5, on all channels.
static OSStatus sine(
    void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp, UInt32 bus,
    UInt32 frameCount, AudioBufferList *buffers) {
  (void)flags;
  *(int *)refCon += 1;
  if (bus != 0) return kAudio_ParamError;
  for (UInt32 channel = 0; channel < buffers->mNumberBuffers; ++channel) {
    Float32 *samples = (Float32 *)buffers->mBuffers[channel].mData;
    for (UInt32 frame = 0; frame < frameCount; ++frame) {
      samples[frame] =
          (Float32)(0.5 * sin(2 * 3.14159265358979 * (timeStamp->mSampleTime + frame) / 100));
    }
  }
  return noErr;
}

// Counts the calls of a render notification.
typedef struct Notified {
  int before, after, errors;
  AUGraph graph;
  OSStatus updateStatus;
} Notified;

static OSStatus notified(
    void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp, UInt32 bus,
    UInt32 frameCount, AudioBufferList *buffers) {
  Notified *counts = (Notified *)refCon;
  Boolean isUpdated = false;
  (void)timeStamp;
  (void)bus;
  (void)frameCount;
  (void)buffers;
  if (*flags & kAudioUnitRenderAction_PreRender) counts->before += 1;
  if (*flags & kAudioUnitRenderAction_PostRender) counts->after += 1;
  if (*flags & kAudioUnitRenderAction_PostRenderError) counts->errors += 1;
  counts->updateStatus = AUGraphUpdate(counts->graph, &isUpdated);
  return noErr;
}

// Renders one slice; the largest magnitude of its first channel.
static Float32 renderSlice(AudioUnit unit, Float64 *time, OSStatus wanted) {
  static Float32 memory[2][kFrames];
  struct {
    AudioBufferList list;
    AudioBuffer second;
  } buffers;
  AudioUnitRenderActionFlags flags = 0;
  AudioTimeStamp stamp;
  Float32 peak = 0;
  memset(&stamp, 0, sizeof stamp);
  stamp.mSampleTime = *time;
  stamp.mFlags = kAudioTimeStampSampleTimeValid;
  buffers.list.mNumberBuffers = 2;
  for (int channel = 0; channel < 2; ++channel) {
    AudioBuffer *buffer = &buffers.list.mBuffers[0] + channel;
    buffer->mNumberChannels = 1;
    buffer->mDataByteSize = sizeof memory[channel];
    buffer->mData = memory[channel];
  }
  expect("render", AudioUnitRender(unit, &flags, &stamp, 0, kFrames, &buffers.list), wanted);
  *time += kFrames;
  for (int frame = 0; frame < kFrames; ++frame) {
    if (fabsf(memory[0][frame]) > peak) peak = fabsf(memory[0][frame]);
  }
  return peak;
}

static void checkPeak(const char *what, Float32 peak, Float32 low, Float32 high) {
  if (peak >= low && peak <= high) return;
  printf("%s: peak %f, not %f to %f\n", what, peak, low, high);
  failures += 1;
}

int main(int argc, char **argv) {
  const AudioComponentDescription passing = describe("aufx", "pass", "TsTc");
  const AudioComponentDescription ownOutput = describe("auou", "pass", "TsTc");
  const AudioComponentDescription output =
      argc > 3 ? describe(argv[1], argv[2], argv[3]) : ownOutput;
  AudioComponentRegister(&passing, CFSTR("Test: Passing"), 0x10000, PassingUnitFactory);
  AudioComponentRegister(&ownOutput, CFSTR("Test: Output"), 0x10000, PassingUnitFactory);

  // Anything but a graph is refused, for any pointer.
  AUGraph graph = NULL;
  Boolean flag = true;
  char rubbish[64] = "rubbish";
  expect("open null", AUGraphOpen(NULL), kAudio_ParamError);
  expect("open rubbish", AUGraphOpen((AUGraph)(void *)rubbish), kAudio_ParamError);
  expect("open nowhere", AUGraphOpen((AUGraph)(void *)0x10), kAudio_ParamError);
  expect("new null", NewAUGraph(NULL), kAudio_ParamError);
  expect("new", NewAUGraph(&graph), noErr);

  // Nodes.
  AUNode outputNode = 0, source = 0, effect = 0, extra = 0;
  UInt32 count = 0;
  const AudioComponentDescription reverb = describe("aufx", "lpas", "appl");
  expect("add", AUGraphAddNode(graph, &output, &outputNode), noErr);
  expect("add", AUGraphAddNode(graph, &passing, &source), noErr);
  expect("add", AUGraphAddNode(graph, &reverb, &effect), noErr);
  expect("second output", AUGraphAddNode(graph, &ownOutput, &extra), kAUGraphErr_OutputNodeErr);
  expect("count", AUGraphGetNodeCount(graph, &count), noErr);
  expect("count", (OSStatus)count, 3);
  expect("index", AUGraphGetIndNode(graph, 1, &extra), noErr);
  expect("index", extra, source);
  expect("bad index", AUGraphGetIndNode(graph, 3, &extra), kAUGraphErr_NodeNotFound);
  AudioUnit unit = (AudioUnit)(void *)rubbish;
  AudioComponentDescription told;
  expect("closed info", AUGraphNodeInfo(graph, effect, &told, &unit), noErr);
  expect("closed unit", unit == NULL, true);
  expect("told", (OSStatus)told.componentSubType, (OSStatus)reverb.componentSubType);
  expect("bad node", AUGraphNodeInfo(graph, 99, NULL, NULL), kAUGraphErr_NodeNotFound);

  // States that are not there yet.
  expect("start", AUGraphStart(graph), kAudioUnitErr_Uninitialized);
  expect("initialize", AUGraphInitialize(graph), kAUGraphErr_InvalidAudioUnit);
  expect("is open", AUGraphIsOpen(graph, &flag), noErr);
  expect("is open", flag, false);
  expect("open", AUGraphOpen(graph), noErr);
  expect("is open", AUGraphIsOpen(graph, &flag), noErr);
  expect("is open", flag, true);

  // Connections.
  expect("connect", AUGraphConnectNodeInput(graph, source, 0, effect, 0), noErr);
  expect("connect", AUGraphConnectNodeInput(graph, effect, 0, outputNode, 0), noErr);
  expect(
      "fan-out", AUGraphConnectNodeInput(graph, source, 0, outputNode, 0),
      kAUGraphErr_InvalidConnection);
  expect("cycle", AUGraphConnectNodeInput(graph, effect, 0, source, 0), kAUGraphErr_InvalidConnection);
  expect("self", AUGraphConnectNodeInput(graph, source, 0, source, 0), kAUGraphErr_InvalidConnection);
  expect("no node", AUGraphConnectNodeInput(graph, source, 0, 77, 0), kAUGraphErr_NodeNotFound);
  expect(
      "no bus", AUGraphConnectNodeInput(graph, source, 0, outputNode, 5),
      kAudioUnitErr_InvalidElement);
  int calls = 0;
  const AURenderCallbackStruct callback = {sine, &calls};
  expect(
      "taken", AUGraphSetNodeInputCallback(graph, effect, 0, &callback),
      kAUGraphErr_InvalidConnection);
  expect("callback", AUGraphSetNodeInputCallback(graph, source, 0, &callback), noErr);

  // Interactions.
  AUNodeInteraction interactions[4];
  expect("interactions", AUGraphGetNumberOfInteractions(graph, &count), noErr);
  expect("interactions", (OSStatus)count, 3);
  expect("interaction", AUGraphGetInteractionInfo(graph, 2, &interactions[0]), noErr);
  expect("type", (OSStatus)interactions[0].nodeInteractionType, kAUNodeInteraction_InputCallback);
  expect("proc", interactions[0].nodeInteraction.inputCallback.cback.inputProc == sine, true);
  expect("no interaction", AUGraphGetInteractionInfo(graph, 3, &interactions[0]), kAudio_ParamError);
  expect("of node", AUGraphCountNodeInteractions(graph, effect, &count), noErr);
  expect("of node", (OSStatus)count, 2);
  count = 4;
  expect("of node", AUGraphGetNodeInteractions(graph, effect, &count, interactions), noErr);
  expect("of node", (OSStatus)count, 2);
  expect("of node", interactions[1].nodeInteraction.connection.destNode, outputNode);
  expect("connections", AUGraphGetNumberOfConnections(graph, &count), noErr);
  expect("connections", (OSStatus)count, 2);
  UInt32 bus = 7;
  expect("connection", AUGraphGetConnectionInfo(graph, 1, &extra, &bus, NULL, NULL), noErr);
  expect("connection", extra, effect);
  expect("connection", (OSStatus)bus, 0);
  AudioUnitNodeConnection connections[2];
  count = 1;
  expect("of node", AUGraphGetNodeConnections(graph, effect, connections, &count), noErr);
  expect("of node", (OSStatus)count, 1);
  expect("of node", connections[0].sourceNode, source);

  // Running.
  Notified counts = {0, 0, 0, graph, -1};
  expect("notify", AUGraphAddRenderNotify(graph, notified, &counts), argc > 3 ? noErr : -4);
  expect("initialize", AUGraphInitialize(graph), noErr);
  expect("initialized", AUGraphIsInitialized(graph, &flag), noErr);
  expect("initialized", flag, true);
  expect("start", AUGraphStart(graph), noErr);
  expect("running", AUGraphIsRunning(graph, &flag), noErr);
  expect("running", flag, true);
  CAShow(graph);
  fflush(stdout);
  expect("info", AUGraphNodeInfo(graph, outputNode, NULL, &unit), noErr);
  Float64 time = 0;
  Float32 peak = 0;
  for (int slice = 0; slice < 10; ++slice) peak = renderSlice(unit, &time, noErr);
  checkPeak("playing", peak, 0.45f, 0.55f);
  expect("calls", calls, 10);
  if (argc > 3) {
    expect("before", counts.before, 10);
    expect("after", counts.after, 10);
    expect("update in a notification", counts.updateStatus, noErr);
    expect("no notify", AUGraphRemoveRenderNotify(graph, notified, &counts), noErr);
  }
  Float32 load = -1, maximum = -1;
  expect("load", AUGraphGetCPULoad(graph, &load), noErr);
  expect("load", AUGraphGetMaxCPULoad(graph, &maximum), noErr);
  expect("load", load > 0 && maximum >= load, true);
  expect("maximum again", AUGraphGetMaxCPULoad(graph, &maximum), noErr);
  expect("maximum again", maximum == 0, true);

  // A change waits for the update, and the callback is not called after it.
  expect("disconnect", AUGraphDisconnectNodeInput(graph, source, 0), noErr);
  expect("nothing there", AUGraphDisconnectNodeInput(graph, source, 0), kAUGraphErr_InvalidConnection);
  peak = renderSlice(unit, &time, noErr);
  expect("calls", calls, 11);
  flag = true;
  expect("update", AUGraphUpdate(graph, &flag), noErr);
  expect("not yet", flag, false);
  for (int slice = 0; slice < 10; ++slice) peak = renderSlice(unit, &time, noErr);
  expect("calls", calls, 11);
  checkPeak("silent", peak, 0, 0.001f);
  expect("update", AUGraphUpdate(graph, &flag), noErr);
  expect("in force", flag, true);
  expect("update", AUGraphUpdate(graph, NULL), noErr);

  // A subgraph.
  AUNode node = 0;
  AUGraph inner = NULL, same = NULL;
  expect("subgraph", AUGraphNewNodeSubGraph(graph, &node), noErr);
  expect("subgraph", AUGraphIsNodeSubGraph(graph, node, &flag), noErr);
  expect("subgraph", flag, true);
  expect("subgraph", AUGraphGetNodeInfoSubGraph(graph, node, &inner), noErr);
  expect("subgraph", AUGraphGetNodeInfoSubGraph(graph, node, &same), noErr);
  expect("subgraph", same == inner, true);
  expect("no subgraph", AUGraphGetNodeInfoSubGraph(graph, effect, &same), kAUGraphErr_NodeNotFound);
  expect("of its parent", DisposeAUGraph(inner), kAudio_ParamError);
  expect("remove", AUGraphRemoveNode(graph, node), noErr);
  expect("gone", AUGraphOpen(inner), kAudio_ParamError);

  // Down again.
  expect("output", AUGraphRemoveNode(graph, outputNode), kAUGraphErr_OutputNodeErr);
  expect("clear", AUGraphClearConnections(graph), noErr);
  expect("stop", AUGraphStop(graph), noErr);
  expect("running", AUGraphIsRunning(graph, &flag), noErr);
  expect("running", flag, false);
  expect("uninitialize", AUGraphUninitialize(graph), noErr);
  expect("remove", AUGraphRemoveNode(graph, outputNode), noErr);
  expect("no output", AUGraphInitialize(graph), kAUGraphErr_OutputNodeErr);
  expect("close", AUGraphClose(graph), noErr);
  expect("dispose", DisposeAUGraph(graph), noErr);
  expect("gone", AUGraphOpen(graph), kAudio_ParamError);
  expect("gone", DisposeAUGraph(graph), kAudio_ParamError);

  // Objects of other kinds.
  CAShow(NULL);
  CAShow((void *)(uintptr_t)CFSTR("a string"));
  CAShow(AudioComponentFindNext(NULL, &passing));
  return failures == 0 ? 0 : 1;
}
