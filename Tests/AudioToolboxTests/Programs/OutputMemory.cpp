// A host in C++ whose output unit pulls whenever it is rendered: where a graph makes its output.
// SPDX-License-Identifier: Apache-2.0

#include "OddHost.hpp"

static constexpr UInt32 kFrames = 64;

// A unit that remembers nothing: its input is made in its caller's memory, and doubled there.
struct Doubler {
  AudioComponentPlugInInterface interface;
  AURenderCallbackStruct input;
};

static OSStatus nothing(void *) { return noErr; }
static OSStatus openUnit(void *, AudioComponentInstance) { return noErr; }
static OSStatus closeUnit(void *self) {
  delete static_cast<Doubler *>(self);
  return noErr;
}
static OSStatus info(
    void *, AudioUnitPropertyID id, AudioUnitScope, AudioUnitElement, UInt32 *size,
    Boolean *isWritable) {
  const bool isFormat = id == kAudioUnitProperty_StreamFormat;
  if (!isFormat && id != kAudioUnitProperty_ElementCount &&
      id != kAudioUnitProperty_InPlaceProcessing)
    return kAudioUnitErr_InvalidProperty;
  if (size != nullptr) *size = isFormat ? sizeof(AudioStreamBasicDescription) : 4;
  if (isWritable != nullptr) *isWritable = true;
  return noErr;
}
static OSStatus get(
    void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement bus, void *data,
    UInt32 *size) {
  const OSStatus status = info(self, id, scope, bus, size, nullptr);
  if (status != noErr) return status;
  const AudioStreamBasicDescription format =
      pcm(48000, 2, 32, kAudioFormatFlagsAudioUnitCanonical);
  const UInt32 one = 1;
  memcpy(data, *size == 4 ? static_cast<const void *>(&one) : &format, *size);
  return noErr;
}
static OSStatus set(
    void *self, AudioUnitPropertyID id, AudioUnitScope, AudioUnitElement, const void *data,
    UInt32) {
  Doubler *unit = static_cast<Doubler *>(self);
  if (id == kAudioUnitProperty_SetRenderCallback) memcpy(&unit->input, data, sizeof unit->input);
  return noErr;
}
static OSStatus renderTwice(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32,
    UInt32 frames, AudioBufferList *list) {
  const AURenderCallbackStruct input = static_cast<Doubler *>(self)->input;
  const OSStatus status = input.inputProc(input.inputProcRefCon, flags, time, 0, frames, list);
  for (UInt32 i = 0; status == noErr && i < list->mNumberBuffers; ++i) {
    float *samples = static_cast<float *>(list->mBuffers[i].mData);
    for (UInt32 frame = 0; frame < frames; ++frame) samples[frame] *= 2;
  }
  return status;
}
static AudioComponentMethod lookUp(SInt16 selector) {
  switch (selector) {
    case kAudioUnitInitializeSelect:
    case kAudioUnitUninitializeSelect:
      return reinterpret_cast<AudioComponentMethod>(nothing);
    case kAudioUnitGetPropertyInfoSelect: return reinterpret_cast<AudioComponentMethod>(info);
    case kAudioUnitGetPropertySelect: return reinterpret_cast<AudioComponentMethod>(get);
    case kAudioUnitSetPropertySelect: return reinterpret_cast<AudioComponentMethod>(set);
    case kAudioUnitRenderSelect: return reinterpret_cast<AudioComponentMethod>(renderTwice);
    default: return nullptr;
  }
}
static AudioComponentPlugInInterface *makeDoubler(const AudioComponentDescription *) {
  return &(new Doubler{{openUnit, closeUnit, lookUp, nullptr}, {nullptr, nullptr}})->interface;
}

// The memory that the source was called with.
static void *given;
static int pulls;
static OSStatus source(
    void *amplitude, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
  given = list->mBuffers[0].mData;
  ++pulls;
  if (time->mSampleTime == 199 * kFrames) return -1234;
  return sine(amplitude, flags, time, bus, frames, list);
}

static bool isDoubledTwice(const float *samples, double time, float amplitude) {
  for (UInt32 frame = 0; frame < kFrames; ++frame)
    if (samples[frame] != 4 * sineAt(amplitude, time + frame)) return false;
  return true;
}

// A doubler behind a source that counts its pulls, and another as the end behind it.
struct Chain {
  AUGraph graph = nullptr;
  AUNode first = 0, end = 0;
  AudioUnit output = nullptr;
  float amplitude = 0.25f;

  Chain() {
    const AudioComponentDescription effect = describe("aufx", "dbls", "Test");
    const AudioComponentDescription last = describe("auou", "dbls", "Test");
    EQUAL(NewAUGraph(&graph), noErr);
    EQUAL(AUGraphAddNode(graph, &effect, &first), noErr);
    EQUAL(AUGraphAddNode(graph, &last, &end), noErr);
    EQUAL(AUGraphOpen(graph), noErr);
    const AURenderCallbackStruct callback = {source, &amplitude};
    EQUAL(AUGraphSetNodeInputCallback(graph, first, 0, &callback), noErr);
    EQUAL(AUGraphConnectNodeInput(graph, first, 0, end, 0), noErr);
    EQUAL(AUGraphNodeInfo(graph, end, nullptr, &output), noErr);
    EQUAL(AUGraphInitialize(graph), noErr);
    pulls = 0;
  }
  ~Chain() { EQUAL(DisposeAUGraph(graph), noErr); }
};

// Once nobody asks twice, the output is made where it is wanted, and is the same.
static void once() {
  Chain chain;
  Buffers output(2, kFrames * sizeof(float)), small(2, kFrames * sizeof(float) - 4);
  bool wasMadeThere = false;
  for (int slice = 0; slice < 199; ++slice) {
    EQUAL(render(chain.output, slice * kFrames, kFrames, output), noErr);
    CHECK(isDoubledTwice(output.floats(0), slice * kFrames, chain.amplitude));
    CHECK(isDoubledTwice(output.floats(1), slice * kFrames, chain.amplitude));
    wasMadeThere = wasMadeThere || given == output.floats(0);
  }
  CHECK(wasMadeThere);
  EQUAL(pulls, 199);
  // An error of the source, memory that is too small, one memory for two channels, and none.
  EQUAL(render(chain.output, 199 * kFrames, kFrames, output), -1234);
  EQUAL(render(chain.output, 200 * kFrames, kFrames, small), kAudio_ParamError);
  Buffers shared(2, kFrames * sizeof(float)), none(2, 0);
  shared.list()->mBuffers[1].mData = shared.floats(0);
  shared.list()->mBuffers[1].mDataByteSize = kFrames * sizeof(float);
  EQUAL(render(chain.output, 201 * kFrames, kFrames, shared), noErr);
  CHECK(given != shared.floats(0));
  EQUAL(render(chain.output, 202 * kFrames, kFrames, none), noErr);
  CHECK(isDoubledTwice(static_cast<float *>(none.list()->mBuffers[0].mData), 202 * kFrames, 0.25f));
  EQUAL(render(chain.output, 203 * kFrames, kFrames, output), noErr);
  CHECK(isDoubledTwice(output.floats(1), 203 * kFrames, chain.amplitude));
}

// A second render of the same time yields the same samples, and the source is pulled once.
static void twice() {
  Chain chain;
  Buffers output(2, kFrames * sizeof(float)), again(2, kFrames * sizeof(float));
  for (int slice = 0; slice < 199; ++slice) {
    EQUAL(render(chain.output, slice * kFrames, kFrames, output), noErr);
    EQUAL(render(chain.output, slice * kFrames, kFrames, again), noErr);
    CHECK(isDoubledTwice(output.floats(1), slice * kFrames, chain.amplitude));
    CHECK(isDoubledTwice(again.floats(1), slice * kFrames, chain.amplitude));
  }
  EQUAL(pulls, 199);
}

// The first repeated render after a long time yields the memory as it was; later ones yield the same samples.
static void late() {
  Chain chain;
  Buffers output(2, kFrames * sizeof(float)), again(2, kFrames * sizeof(float));
  for (int slice = 0; slice < 199; ++slice) {
    EQUAL(render(chain.output, slice * kFrames, kFrames, output), noErr);
    CHECK(isDoubledTwice(output.floats(1), slice * kFrames, chain.amplitude));
    if (slice < 150) continue;
    EQUAL(render(chain.output, slice * kFrames, kFrames, again), noErr);
    if (slice == 150) EQUAL(again.floats(1)[7] * 1e6f, 0);
    if (slice > 150) CHECK(isDoubledTwice(again.floats(1), slice * kFrames, chain.amplitude));
  }
  EQUAL(pulls, 199);
}

int main() {
  for (const char *type : {"aufx", "auou"}) {
    const AudioComponentDescription kind = describe(type, "dbls", "Test");
    CHECK(AudioComponentRegister(&kind, CFSTR("Test: Doubles"), 1, makeDoubler) != nullptr);
  }
  once();
  twice();
  late();
  return failures == 0 ? 0 : 1;
}
