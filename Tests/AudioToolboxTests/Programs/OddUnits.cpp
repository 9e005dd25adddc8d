// A host in C++ with uses of units that are rare, and should be: formats, lists, codes, circles.
// SPDX-License-Identifier: Apache-2.0

#include "OddHost.hpp"

static constexpr UInt32 kFrames = 256;

// Every linear PCM between two units that convert comes back as it was, within a step of it.
static void formats(const char *type, const char *subtype) {
  const UInt32 packed = kAudioFormatFlagIsPacked;
  const UInt32 integer = packed | kAudioFormatFlagIsSignedInteger;
  const UInt32 real = packed | kAudioFormatFlagIsFloat;
  const struct {
    UInt32 flags, bits;
    double step;
  } all[] = {
      {real, 32, 1e-6},
      {integer, 16, 1.0 / 32768},
      {integer | kAudioFormatFlagIsNonInterleaved, 16, 1.0 / 32768},
      {integer, 24, 1.0 / 8388608},
      {integer, 32, 1e-6},
      {integer, 8, 1.0 / 128},
      {packed, 8, 1.0 / 128},
      {integer | kAudioFormatFlagIsBigEndian, 16, 1.0 / 32768},
      {integer | 24u << 7, 32, 1e-6},  // 8.24
      {real, 64, 1e-6},
      {real | kAudioFormatFlagIsBigEndian, 32, 1e-6}};
  for (const auto &entry : all) {
    AudioUnit first = open(type, subtype), second = open(type, subtype);
    float amplitude = 0.7f;
    const AudioStreamBasicDescription format = pcm(44100, 2, entry.bits, entry.flags);
    EQUAL(feed(first, 0, &amplitude), noErr);
    EQUAL(setProperty(first, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, format),
        0);
    const AudioUnitConnection connection = {first, 0, 0};
    EQUAL(setProperty(second, kAudioUnitProperty_MakeConnection, 1, 0, connection), noErr);
    AudioStreamBasicDescription told;
    EQUAL(getProperty(second, kAudioUnitProperty_StreamFormat, 1, 0, told), noErr);
    EQUAL(told.mFormatFlags, format.mFormatFlags);
    EQUAL(AudioUnitInitialize(first), noErr);
    EQUAL(AudioUnitInitialize(second), noErr);
    Buffers output(2, kFrames * sizeof(float));
    double worst = 0;
    for (UInt32 time = 0; time < 4 * kFrames; time += kFrames) {
      EQUAL(render(second, time, kFrames, output), noErr);
      for (UInt32 i = 0; i < kFrames; ++i)
        worst = std::fmax(worst, std::fabs(output.floats(1)[i] - sineAt(amplitude, time + i)));
    }
    if (!(worst <= entry.step * 1.01)) {
      printf("%s: flags %x, %u bits: differs by %g\n", subtype, entry.flags, entry.bits, worst);
      ++failures;
    }
    EQUAL(AudioComponentInstanceDispose(second), noErr);
    EQUAL(AudioComponentInstanceDispose(first), noErr);
  }
}

// Integers, interleaved, of another rate, at a unit that is pulled; and formats that cannot be.
static void interleaved(const char *type, const char *subtype) {
  AudioUnit unit = open(type, subtype);
  float amplitude = 0.5f;
  EQUAL(feed(unit, 0, &amplitude), noErr);
  const UInt32 flags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
  const AudioStreamBasicDescription format = pcm(48000, 2, 16, flags);
  const AudioUnitPropertyID id = kAudioUnitProperty_StreamFormat;
  EQUAL(setProperty(unit, id, kAudioUnitScope_Output, 0, format), noErr);
  EQUAL(AudioUnitInitialize(unit), noErr);
  Buffers output(1, 2 * kFrames * sizeof(SInt16), 2);
  for (int slice = 0; slice < 40; ++slice)
    EQUAL(render(unit, slice * kFrames, kFrames, output), noErr);
  double power = 0;
  for (UInt32 i = 0; i < 2 * kFrames; ++i) {
    SInt16 sample;
    memcpy(&sample, output.memory[0].data() + 2 * i, 2);
    power += sample / 32768.0 * sample / 32768.0;
  }
  CHECK(std::fabs(std::sqrt(power / (2 * kFrames)) - 0.5 / std::sqrt(2.0)) < 0.03);
  Buffers two(2, 2 * kFrames * sizeof(SInt16)), small(1, 4 * kFrames - 4, 2), none(1, 0, 2);
  EQUAL(render(unit, 40 * kFrames, kFrames, two), kAudio_ParamError);
  EQUAL(render(unit, 40 * kFrames, kFrames, small), kAudio_ParamError);
  EQUAL(render(unit, 40 * kFrames, kFrames, none), noErr);
  CHECK(none.list()->mBuffers[0].mData != nullptr);
  EQUAL(none.list()->mBuffers[0].mDataByteSize, 4 * kFrames);
  EQUAL(AudioUnitUninitialize(unit), noErr);
  AudioStreamBasicDescription wrong[8];
  for (auto &one : wrong) one = format;
  wrong[0].mBytesPerFrame = 3;
  wrong[1].mFramesPerPacket = 2;
  wrong[2].mBitsPerChannel = 7;
  wrong[3].mFormatID = kAudioFormatMPEG4AAC;
  wrong[4].mChannelsPerFrame = 5000;
  wrong[5].mSampleRate = 0;
  wrong[6].mSampleRate = -44100;
  wrong[7].mSampleRate = INFINITY;
  for (const auto &one : wrong)
    EQUAL(setProperty(unit, id, 1, 0, one), kAudioUnitErr_FormatNotSupported);
  const SInt32 map[] = {1, -1};
  SInt32 kept[] = {0, 0};
  EQUAL(setProperty(unit, kAudioOutputUnitProperty_ChannelMap, 2, 0, map), noErr);
  EQUAL(getProperty(unit, kAudioOutputUnitProperty_ChannelMap, 2, 0, kept), noErr);
  CHECK(kept[0] == 1 && kept[1] == -1);
  EQUAL(AudioComponentInstanceDispose(unit), noErr);
}

// Lists of a caller, through a mixer, a splitter and a converter.
static void lists() {
  AudioUnit mixer = open("aumx", "mcmx"), splitter = open("aufc", "mspl"),
      converter = open("aufc", "conv");
  for (AudioUnit unit : {mixer, splitter, converter}) EQUAL(AudioUnitInitialize(unit), noErr);
  AudioTimeStamp stamp = at(0);
  AudioUnitRenderActionFlags flags = 0;
  Buffers ramp(2, 256), first(2, 256), second(2, 256);
  for (int i = 0; i < 64; ++i) ramp.floats(0)[i] = ramp.floats(1)[i] = static_cast<float>(i);
  const AudioBufferList *input[] = {ramp.list()};
  AudioBufferList *outputs[] = {first.list(), second.list()};
  EQUAL(AudioUnitProcessMultiple(splitter, &flags, &stamp, 64, 1, input, 2, outputs), noErr);
  CHECK(first.floats(0)[63] == 63 && second.floats(1)[63] == 63);
  EQUAL(AudioUnitProcess(converter, &flags, &stamp, 64, ramp.list()), noErr);
  CHECK(ramp.floats(1)[63] == 63);
  EQUAL(AudioUnitProcess(mixer, &flags, &stamp, 64, ramp.list()), noErr);
  CHECK(ramp.floats(0)[63] == 63);
  EQUAL(AudioUnitProcessMultiple(mixer, &flags, &stamp, 64, 1, input, 1, outputs),
      kAudio_ParamError);
  EQUAL(AudioUnitProcess(mixer, &flags, nullptr, 64, ramp.list()), kAudio_ParamError);
  EQUAL(AudioUnitProcess(mixer, &flags, &stamp, 5000, ramp.list()),
      kAudioUnitErr_TooManyFramesToProcess);
  for (AudioUnit unit : {mixer, splitter, converter}) AudioComponentInstanceDispose(unit);
}

// Codes of properties and parameters.
static void codes() {
  AudioUnit unit = open("aufx", "lpas");
  UInt32 size = 0;
  EQUAL(AudioUnitGetPropertyInfo(unit, 8, 1, 0, nullptr, nullptr), noErr);
  EQUAL(AudioUnitGetProperty(unit, 14, 0, 0, &size, nullptr), kAudio_ParamError);
  EQUAL(AudioUnitGetProperty(unit, 14, 0, 0, nullptr, &size), noErr);
  EQUAL(size, 4);
  AudioUnitParameterStringFromValue asked;
  memset(&asked, 0, sizeof asked);
  EQUAL(getProperty(unit, kAudioUnitProperty_ParameterStringFromValue, 0, 0, asked), noErr);
  CHECK(asked.outString != nullptr);
  CFRelease(asked.outString);
  size = 8;
  EQUAL(AudioUnitGetProperty(unit, 33, 0, 0, &asked, &size), kAudioUnitErr_InvalidPropertyValue);
  AudioUnitParameterIDName name;
  for (SInt32 length : {4, 1, static_cast<SInt32>(kAudioUnitParameterName_Full)}) {
    memset(&name, 0, sizeof name);
    name.inDesiredLength = length;
    EQUAL(getProperty(unit, kAudioUnitProperty_ParameterIDName, 0, 0, name), noErr);
    if (length > 0) EQUAL(CFStringGetLength(name.outName), length);
    CFRelease(name.outName);
  }
  CFDictionaryRef state = nullptr;
  EQUAL(setProperty(unit, kAudioUnitProperty_ClassInfo, 0, 0, state),
      kAudioUnitErr_InvalidPropertyValue);
  EQUAL(getProperty(unit, kAudioUnitProperty_ClassInfo, 0, 0, state), noErr);
  EQUAL(setProperty(unit, kAudioUnitProperty_ClassInfo, 1, 0, state), kAudioUnitErr_InvalidScope);
  EQUAL(setProperty(unit, kAudioUnitProperty_ClassInfo, 0, 3, state), kAudioUnitErr_InvalidElement);
  CFRelease(state);
  for (UInt32 scope = 0; scope < 3; ++scope) {
    const CFStringRef given = CFSTR("mine");
    CFStringRef kept = nullptr;
    EQUAL(setProperty(unit, kAudioUnitProperty_ElementName, scope, 0, given), noErr);
    EQUAL(getProperty(unit, kAudioUnitProperty_ElementName, scope, 0, kept), noErr);
    CHECK(kept != nullptr && CFEqual(kept, given));
    CFRelease(kept);
    EQUAL(setProperty(unit, kAudioUnitProperty_ElementName, scope, 1, given),
        kAudioUnitErr_InvalidElement);
  }
  for (UInt32 scope = 3; scope < 9; ++scope)
    EQUAL(getProperty(unit, kAudioUnitProperty_ElementCount, scope, 0, size),
        kAudioUnitErr_InvalidScope);
  AudioUnit mixer = open("aumx", "mcmx");
  const AudioUnitPropertyID count = kAudioUnitProperty_ElementCount;
  for (UInt32 wrong : {0u, 100000u})
    EQUAL(setProperty(mixer, count, 1, 0, wrong), kAudioUnitErr_InvalidPropertyValue);
  EQUAL(setProperty(mixer, count, 2, 0, UInt32(2)), kAudioUnitErr_PropertyNotWritable);
  EQUAL(setProperty(mixer, count, 0, 0, UInt32(2)), kAudioUnitErr_PropertyNotWritable);
  EQUAL(setProperty(mixer, count, 1, 0, UInt16(2)), kAudioUnitErr_InvalidPropertyValue);
  EQUAL(AudioComponentInstanceDispose(mixer), noErr);
  EQUAL(AudioComponentInstanceDispose(unit), noErr);
  EQUAL(AudioComponentInstanceDispose(nullptr), kAudio_ParamError);
}

static AudioUnit noted;
static int notes;
static OSStatus leave(
    void *, AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32, UInt32,
    AudioBufferList *) {
  if (++notes == 1) EQUAL(AudioUnitRemoveRenderNotify(noted, leave, nullptr), noErr);
  return -1;  // an observer's status has no effect
}

// Units that pull each other; an observer that goes during its call.
static void circles() {
  AudioUnit first = open("aufx", "lpas"), second = open("aufx", "sdly");
  const AudioUnitConnection there = {first, 0, 0}, back = {second, 0, 0}, far = {second, 7, 0};
  EQUAL(setProperty(second, kAudioUnitProperty_MakeConnection, 1, 0, there), noErr);
  EQUAL(setProperty(first, kAudioUnitProperty_MakeConnection, 1, 0, far),
      kAudioUnitErr_InvalidElement);
  EQUAL(setProperty(first, kAudioUnitProperty_MakeConnection, 1, 0, back), noErr);
  EQUAL(AudioUnitInitialize(first), noErr);
  EQUAL(AudioUnitInitialize(second), noErr);
  Buffers output(2, 256);
  EQUAL(render(first, 0, 64, output), kAudioUnitErr_CannotDoInCurrentContext);
  EQUAL(render(second, 0, 64, output), kAudioUnitErr_CannotDoInCurrentContext);
  float amplitude = 1;
  EQUAL(feed(first, 0, &amplitude), noErr);
  EQUAL(render(second, 64, 64, output), noErr);
  noted = second;
  EQUAL(AudioUnitAddRenderNotify(second, leave, nullptr), noErr);
  EQUAL(render(second, 128, 64, output), noErr);
  EQUAL(notes, 1);
  EQUAL(AudioUnitAddRenderNotify(second, nullptr, nullptr), kAudio_ParamError);
  EQUAL(AudioComponentInstanceDispose(second), noErr);
  EQUAL(AudioComponentInstanceDispose(first), noErr);
}

int main() {
  formats("aufc", "conv");
  formats("auou", "genr");
  interleaved("aufc", "conv");
  interleaved("auou", "genr");
  lists();
  codes();
  circles();
  return failures == 0 ? 0 : 1;
}
