// A host in C++ with its own components, gestures, and graphs that change, nest, end in integers.
// SPDX-License-Identifier: Apache-2.0

#include "OddHost.hpp"

#include <Auricle/AuricleGraph.h>

static OSStatus openNothing(void *, AudioComponentInstance) { return noErr; }
static OSStatus closeNothing(void *) { return noErr; }
static AudioComponentMethod lookUpNothing(SInt16) { return nullptr; }
static AudioComponentPlugInInterface nothing = {openNothing, closeNothing, lookUpNothing, nullptr};
static AudioComponentPlugInInterface *makeNothing(const AudioComponentDescription *) {
  return &nothing;
}
static AudioComponentPlugInInterface *makeNull(const AudioComponentDescription *) {
  return nullptr;
}

// Components of this program.
static void components() {
  const AudioComponentDescription mine = describe("aufx", "mine", "Test");
  AudioComponent component = AudioComponentRegister(&mine, CFSTR("Test: Mine"), 0x10203,
      makeNothing);
  CHECK(component != nullptr);
  CHECK(AudioComponentRegister(&mine, CFSTR("Test: Again"), 1, makeNothing) == nullptr);
  CHECK(AudioComponentRegister(&mine, nullptr, 1, makeNothing) == nullptr);
  CHECK(AudioComponentRegister(&mine, CFSTR("x"), 1, nullptr) == nullptr);
  CHECK(AudioComponentRegister(nullptr, CFSTR("x"), 1, makeNothing) == nullptr);
  UInt32 value = 0, size = 4;
  EQUAL(AudioComponentGetVersion(component, &value), noErr);
  EQUAL(value, 0x10203);
  EQUAL(AudioComponentGetVersion(component, nullptr), kAudio_ParamError);
  AudioUnit unit = nullptr;
  EQUAL(AudioComponentInstanceNew(component, &unit), noErr);
  CHECK(AudioComponentInstanceGetComponent(unit) == component);
  EQUAL(AudioUnitInitialize(unit), kAudio_UnimplementedError);
  EQUAL(AudioUnitGetPropertyInfo(unit, 14, 0, 0, &size, nullptr), kAudio_UnimplementedError);
  EQUAL(size, 0);
  EQUAL(MusicDeviceMIDIEvent(unit, 0x90, 1, 1, 0), kAudio_UnimplementedError);
  EQUAL(AudioComponentInstanceDispose(unit), noErr);
  const AudioComponentDescription null = describe("aufx", "null", "Test");
  AudioComponent empty = AudioComponentRegister(&null, CFSTR("Test: Null"), 1, makeNull);
  unit = reinterpret_cast<AudioUnit>(0x10);
  CHECK(AudioComponentInstanceNew(empty, &unit) != noErr);
  CHECK(unit == nullptr);
  EQUAL(AudioComponentInstanceNew(empty, nullptr), kAudio_ParamError);
  EQUAL(AudioComponentInstanceNew(nullptr, &unit), kAudio_ParamError);
  // An unsearchable component is found only by all of its codes.
  const AudioComponentDescription all = {0, 0, 0, 0, 0};
  const UInt32 count = AudioComponentCount(&all);
  AudioComponentDescription hidden = describe("aufx", "hidd", "Test");
  hidden.componentFlags = kAudioComponentFlag_Unsearchable;
  CHECK(AudioComponentRegister(&hidden, CFSTR("Test: Hidden"), 1, makeNothing) != nullptr);
  EQUAL(AudioComponentCount(&all), count);
  hidden.componentFlags = 0;
  EQUAL(AudioComponentCount(&hidden), 1);
  AudioComponentValidationResult result = kAudioComponentValidationResult_Unknown;
  EQUAL(AudioComponentValidate(component, nullptr, &result), noErr);
  EQUAL(result, kAudioComponentValidationResult_Failed);
  const AudioComponentDescription good = describe("aufx", "lpas");
  EQUAL(AudioComponentValidate(AudioComponentFindNext(nullptr, &good), nullptr, &result), noErr);
  EQUAL(result, kAudioComponentValidationResult_Passed);
  EQUAL(AudioComponentValidate(nullptr, nullptr, &result), kAudio_ParamError);
}

static UInt32 told[16];
static int toldCount;
static void onEvent(void *, void *, const AudioUnitEvent *event, UInt64, Float32) {
  if (toldCount < 16) told[toldCount++] = event->mEventType;
}

// A gesture is announced in order; events about a disposed unit are dropped.
static void gestures() {
  AudioUnit unit = open("aufx", "lpas");
  AUEventListenerRef listener = nullptr;
  EQUAL(AUEventListenerCreate(onEvent, nullptr, nullptr, nullptr, 0, 0, &listener), noErr);
  AudioUnitEvent event;
  memset(&event, 0, sizeof event);
  event.mArgument.mParameter.mAudioUnit = unit;
  const AudioUnitEventType types[] = {
      kAudioUnitEvent_BeginParameterChangeGesture, kAudioUnitEvent_ParameterValueChange,
      kAudioUnitEvent_EndParameterChangeGesture};
  for (AudioUnitEventType type : types) {
    event.mEventType = type;
    EQUAL(AUEventListenerAddEventType(listener, nullptr, &event), noErr);
  }
  for (AudioUnitEventType type : types) {
    event.mEventType = type;
    if (type == kAudioUnitEvent_ParameterValueChange)
      EQUAL(AUParameterSet(nullptr, nullptr, &event.mArgument.mParameter, 500, 0), noErr);
    else
      EQUAL(AUEventListenerNotify(nullptr, nullptr, &event), noErr);
  }
  EQUAL(toldCount, 3);
  for (int i = 0; i < 3; ++i) EQUAL(told[i], types[i]);
  event.mEventType = static_cast<AudioUnitEventType>(9);
  EQUAL(AUEventListenerAddEventType(listener, nullptr, &event), kAudio_ParamError);
  AudioUnitParameter any = {unit, kAUParameterListener_AnyParameter, 0, 0};
  EQUAL(AUParameterListenerNotify(nullptr, nullptr, &any), noErr);
  EQUAL(toldCount, 4);
  EQUAL(AudioComponentInstanceDispose(unit), noErr);
  EQUAL(AUParameterSet(nullptr, nullptr, &any, 0, 0), kAudio_ParamError);
  EQUAL(AUListenerDispose(listener), noErr);
}

// A graph whose output is interleaved integers of another rate, changed while it runs.
static void integers() {
  AUGraph graph = nullptr;
  EQUAL(NewAUGraph(&graph), noErr);
  const AudioComponentDescription output = describe("auou", "genr"), effect = describe("aufx",
      "lpas"),
                                  none = describe("aufx", "nope");
  AUNode end, filter, gone, added;
  EQUAL(AUGraphAddNode(graph, &output, &end), noErr);
  EQUAL(AUGraphAddNode(graph, &effect, &filter), noErr);
  EQUAL(AUGraphAddNode(graph, nullptr, &added), kAudio_ParamError);
  EQUAL(AUGraphAddNode(graph, &none, &gone), noErr);
  EQUAL(AUGraphOpen(graph), kAUGraphErr_InvalidAudioUnit);
  EQUAL(AUGraphRemoveNode(graph, gone), noErr);
  EQUAL(AUGraphConnectNodeInput(graph, filter, 0, end, 0), noErr);
  EQUAL(AUGraphOpen(graph), noErr);
  EQUAL(AUGraphOpen(graph), noErr);
  float amplitude = 0.5f;
  const AURenderCallbackStruct source = {sine, &amplitude};
  EQUAL(AUGraphSetNodeInputCallback(graph, filter, 0, &source), noErr);
  EQUAL(AUGraphSetNodeInputCallback(graph, filter, 0, &source), noErr);  // replaces its own connection
  EQUAL(AUGraphSetNodeInputCallback(graph, filter, 4, &source), kAudioUnitErr_InvalidElement);
  AudioUnit unit = nullptr;
  EQUAL(AUGraphNodeInfo(graph, end, nullptr, &unit), noErr);
  const UInt32 flags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  EQUAL(setProperty(unit, kAudioUnitProperty_StreamFormat, 2, 0, pcm(48000, 2, 16, flags)),
      noErr);
  EQUAL(AUGraphInitialize(graph), noErr);
  EQUAL(AUGraphStart(graph), noErr);
  UInt32 isRunning = 0;
  EQUAL(getProperty(unit, kAudioOutputUnitProperty_IsRunning, 0, 0, isRunning), noErr);
  EQUAL(isRunning, 1);
  Buffers buffers(1, 512 * 2 * sizeof(SInt16), 2);
  int slice = 0;
  const auto peak = [&](int slices) {
    int greatest = 0;
    for (int last = slice + slices; slice < last; ++slice)
      EQUAL(render(unit, 512.0 * slice, 512, buffers), noErr);
    for (int i = 0; i < 1024; ++i) {
      SInt16 sample;
      memcpy(&sample, buffers.memory[0].data() + 2 * i, 2);
      greatest = std::max(greatest, static_cast<int>(sample));
    }
    return greatest;
  };
  CHECK(peak(8) > 14000);
  EQUAL(AUGraphAddNode(graph, &effect, &added), noErr);
  EQUAL(AUGraphDisconnectNodeInput(graph, end, 0), noErr);
  EQUAL(AUGraphConnectNodeInput(graph, filter, 0, added, 0), noErr);
  EQUAL(AUGraphConnectNodeInput(graph, added, 0, end, 0), noErr);
  UInt32 count = 0;
  EQUAL(AUGraphGetNumberOfInteractions(graph, &count), noErr);
  EQUAL(count, 3);
  EQUAL(AUGraphUpdate(graph, nullptr), noErr);
  CHECK(peak(8) > 12000);
  EQUAL(AUGraphClearConnections(graph), noErr);
  Boolean isUpdated = true;
  EQUAL(AUGraphUpdate(graph, &isUpdated), noErr);
  CHECK(peak(8) == 0);
  EQUAL(AUGraphGetNumberOfInteractions(graph, &count), noErr);
  EQUAL(count, 0);
  Float32 load = -1;
  EQUAL(AUGraphGetMaxCPULoad(graph, &load), noErr);
  CHECK(load >= 0);
  EQUAL(AUGraphGetCPULoad(graph, nullptr), kAudio_ParamError);
  EQUAL(AUGraphUninitialize(graph), noErr);
  EQUAL(getProperty(unit, kAudioOutputUnitProperty_IsRunning, 0, 0, isRunning), noErr);
  EQUAL(isRunning, 0);
  EQUAL(AUGraphClose(graph), noErr);
  EQUAL(AUGraphNodeInfo(graph, end, nullptr, &unit), noErr);
  CHECK(unit == nullptr);
  EQUAL(DisposeAUGraph(graph), noErr);
}

// A graph in a graph, each with its own interactions.
static void nested() {
  AUGraph graph = nullptr, inner = nullptr;
  EQUAL(NewAUGraph(&graph), noErr);
  const AudioComponentDescription output = describe("auou", "genr"), effect = describe("aufx",
      "lpas");
  AUNode end, sub, innerEnd, innerEffect;
  EQUAL(AUGraphAddNode(graph, &output, &end), noErr);
  EQUAL(AUGraphNewNodeSubGraph(graph, &sub), noErr);
  EQUAL(AUGraphGetNodeInfoSubGraph(graph, sub, &inner), noErr);
  EQUAL(AUGraphAddNode(inner, &output, &innerEnd), noErr);
  EQUAL(AUGraphAddNode(inner, &effect, &innerEffect), noErr);
  EQUAL(AUGraphOpen(graph), noErr);
  float amplitude = 0.5f;
  const AURenderCallbackStruct source = {sine, &amplitude};
  EQUAL(AUGraphConnectNodeInput(inner, innerEffect, 0, innerEnd, 0), noErr);
  EQUAL(AUGraphSetNodeInputCallback(inner, innerEffect, 0, &source), noErr);
  EQUAL(AUGraphConnectNodeInput(graph, sub, 0, end, 0), noErr);
  UInt32 count = 0;
  EQUAL(AUGraphGetNumberOfInteractions(inner, &count), noErr);
  EQUAL(count, 2);
  EQUAL(AUGraphCountNodeInteractions(inner, innerEffect, &count), noErr);
  EQUAL(count, 2);
  EQUAL(AUGraphGetNumberOfInteractions(graph, &count), noErr);
  EQUAL(count, 1);
  EQUAL(AUGraphInitialize(graph), noErr);
  // Its states are those of its parent.
  Boolean isOpen = false, isInitialized = false, isRunning = true;
  EQUAL(AUGraphIsOpen(inner, &isOpen), noErr);
  EQUAL(AUGraphIsInitialized(inner, &isInitialized), noErr);
  EQUAL(AUGraphIsRunning(inner, &isRunning), noErr);
  CHECK(isOpen && isInitialized && !isRunning);
  EQUAL(AUGraphStart(graph), noErr);
  EQUAL(AUGraphIsRunning(inner, &isRunning), noErr);
  CHECK(isRunning);
  AudioUnit unit = nullptr;
  EQUAL(AUGraphNodeInfo(graph, end, nullptr, &unit), noErr);
  Buffers buffers(2, 512 * sizeof(float));
  for (int slice = 0; slice < 4; ++slice) EQUAL(render(unit, 512.0 * slice, 512, buffers), noErr);
  CHECK(std::fabs(buffers.floats(0)[100] - sineAt(amplitude, 1636)) < 0.1);
  EQUAL(AUGraphStop(graph), noErr);
  EQUAL(AUGraphIsRunning(inner, &isRunning), noErr);
  CHECK(!isRunning);
  EQUAL(AUGraphStop(graph), noErr);
  // Ending the running of the parent ends that of the subgraph; one that comes late begins at once.
  EQUAL(AUGraphStart(graph), noErr);
  EQUAL(AUGraphUninitialize(graph), noErr);
  EQUAL(AUGraphIsRunning(inner, &isRunning), noErr);
  EQUAL(AUGraphIsInitialized(inner, &isInitialized), noErr);
  CHECK(!isRunning && !isInitialized);
  EQUAL(AUGraphDisconnectNodeInput(graph, end, 0), noErr);
  EQUAL(AUGraphInitialize(graph), noErr);
  EQUAL(AUGraphStart(graph), noErr);
  EQUAL(AUGraphConnectNodeInput(graph, sub, 0, end, 0), noErr);
  EQUAL(AUGraphUpdate(graph, nullptr), noErr);
  EQUAL(AUGraphIsRunning(inner, &isRunning), noErr);
  CHECK(isRunning);
  EQUAL(DisposeAUGraph(graph), noErr);
}

// A graph reports its own latency, which is that of its slowest way.
static void latency() {
  AUGraph graph = nullptr;
  EQUAL(NewAUGraph(&graph), noErr);
  const AudioComponentDescription output = describe("auou", "genr"), late = describe("aufx",
      "lmtr");
  AUNode end, limiter, second;
  EQUAL(AUGraphAddNode(graph, &output, &end), noErr);
  EQUAL(AUGraphAddNode(graph, &late, &limiter), noErr);
  EQUAL(AUGraphAddNode(graph, &late, &second), noErr);
  EQUAL(AUGraphConnectNodeInput(graph, limiter, 0, second, 0), noErr);
  EQUAL(AUGraphConnectNodeInput(graph, second, 0, end, 0), noErr);
  EQUAL(AUGraphOpen(graph), noErr);
  Float64 seconds = -1, one = 0;
  EQUAL(AuricleGraphGetLatency(graph, &seconds), noErr);
  CHECK(seconds == 0);
  EQUAL(AUGraphInitialize(graph), noErr);
  AudioUnit unit = nullptr;
  EQUAL(AUGraphNodeInfo(graph, limiter, nullptr, &unit), noErr);
  EQUAL(getProperty(unit, kAudioUnitProperty_Latency, 0, 0, one), noErr);
  EQUAL(AuricleGraphGetLatency(graph, &seconds), noErr);
  CHECK(one > 0 && std::fabs(seconds - 2 * one) < 1e-4);
  EQUAL(AuricleGraphGetLatency(graph, nullptr), kAudio_ParamError);
  EQUAL(AuricleGraphGetLatency(nullptr, &seconds), kAudio_ParamError);
  EQUAL(DisposeAUGraph(graph), noErr);
}

int main() {
  components();
  gestures();
  integers();
  nested();
  latency();
  return failures == 0 ? 0 : 1;
}
