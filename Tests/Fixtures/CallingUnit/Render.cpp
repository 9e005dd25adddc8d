// Sound: the input from a callback or through the host, the gain with its events, observers.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <cstring>

#include "CallingUnit.hpp"

namespace calling {

OSStatus Unit::initialize() {
  if (isInitialized) return noErr;
  constexpr Float64 kGreatestRate = 384000;
  if (formats[1].mSampleRate > kGreatestRate) return kAudioUnitErr_FailedInitialization;
  if (formats[0].mChannelsPerFrame != formats[1].mChannelsPerFrame ||
      formats[0].mSampleRate != formats[1].mSampleRate)
    return kAudioUnitErr_FormatNotSupported;
  storage.assign(static_cast<size_t>(formats[1].mChannelsPerFrame) * maximumFrames, 0);
  isInitialized = true;
  return reset();
}

OSStatus Unit::reset() {
  hasRendered = false;
  events.clear();
  notes.reset();
  return noErr;
}

OSStatus Unit::failed(OSStatus status) {
  if (status != noErr && lastError == noErr) {
    lastError = status;
    changed(kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global, 0);
  }
  return status;
}

void Unit::notify(
    AudioUnitRenderActionFlags flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
  for (const Observer &observer : observers) {
    AudioUnitRenderActionFlags seen = flags;
    observer.procedure(observer.data, &seen, time, bus, frames, list);
  }
}

OSStatus Unit::render(
    AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
  AudioUnitRenderActionFlags none = 0;
  if (!flags) flags = &none;
  if (!isInitialized) return failed(kAudioUnitErr_Uninitialized);
  if (bus != 0) return failed(kAudioUnitErr_InvalidElement);
  if (!time || !list) return failed(kAudio_ParamError);
  if (frames > maximumFrames) return failed(kAudioUnitErr_TooManyFramesToProcess);
  if (list->mNumberBuffers != formats[1].mChannelsPerFrame) return failed(kAudio_ParamError);
  for (UInt32 i = 0; i < list->mNumberBuffers; i++)
    if (list->mBuffers[i].mData && list->mBuffers[i].mDataByteSize < frames * sizeof(float))
      return failed(kAudio_ParamError);
  if (isRendering) return failed(kAudioUnitErr_CannotDoInCurrentContext);
  isRendering = true;
  notify(*flags | kAudioUnitRenderAction_PreRender, time, bus, frames, list);
  OSStatus status = renderOnce(time, bus, frames, list);
  *flags &= ~static_cast<AudioUnitRenderActionFlags>(kAudioUnitRenderAction_OutputIsSilence);
  AudioUnitRenderActionFlags after = *flags | kAudioUnitRenderAction_PostRender;
  if (status != noErr) after |= kAudioUnitRenderAction_PostRenderError;
  notify(after, time, bus, frames, list);
  isRendering = false;
  events.clear();
  return failed(status);
}

OSStatus Unit::renderOnce(
    const AudioTimeStamp *time, UInt32, UInt32 frames, AudioBufferList *list) {
  const UInt32 bytes = frames * static_cast<UInt32>(sizeof(float));
  const bool isAgain = hasRendered && lastSampleTime == time->mSampleTime;
  for (UInt32 i = 0; i < list->mNumberBuffers; i++) {
    AudioBuffer &buffer = list->mBuffers[i];
    buffer.mNumberChannels = 1;
    buffer.mDataByteSize = bytes;
    if (!buffer.mData) buffer.mData = storage.data() + static_cast<size_t>(i) * maximumFrames;
  }
  if (isAgain) return noErr;  // rendered once a time; the caller still has the first result
  OSStatus status = pull(time, frames, list);
  if (status != noErr) {
    hasRendered = false;
    return status;
  }
  apply(list, frames);
  hasRendered = true;
  lastSampleTime = time->mSampleTime;
  return noErr;
}

OSStatus Unit::process(
    AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 frames,
    AudioBufferList *list) {
  if (!isInitialized) return failed(kAudioUnitErr_Uninitialized);
  const bool mayCheck = !flags || !(*flags & kAudioUnitRenderAction_DoNotCheckRenderArgs);
  if (mayCheck) {
    if (!time || !list || list->mNumberBuffers != formats[1].mChannelsPerFrame)
      return failed(kAudio_ParamError);
    if (frames > maximumFrames) return failed(kAudioUnitErr_TooManyFramesToProcess);
    for (UInt32 i = 0; i < list->mNumberBuffers; i++)
      if (!list->mBuffers[i].mData || list->mBuffers[i].mDataByteSize < frames * sizeof(float))
        return failed(kAudio_ParamError);
  }
  apply(list, frames);
  events.clear();
  return noErr;
}

OSStatus Unit::pull(const AudioTimeStamp *time, UInt32 frames, AudioBufferList *list) {
  Buffers input;
  input.count = list->mNumberBuffers;
  for (UInt32 i = 0; i < input.count; i++) input.buffers[i] = list->mBuffers[i];
  AudioUnitRenderActionFlags flags = 0;
  OSStatus status = kAudioUnitErr_NoConnection;
  if (callback.inputProc)
    status = callback.inputProc(
        callback.inputProcRefCon, &flags, time, 0, frames, input.list());
  else if (connection.sourceAudioUnit)
    status = AudioUnitRender(
        connection.sourceAudioUnit, &flags, time, connection.sourceOutputNumber, frames,
        input.list());
  if (status != noErr) return status;
  for (UInt32 i = 0; i < input.count; i++) {
    const AudioBuffer &from = input.buffers[i];
    if (!from.mData || from.mDataByteSize < frames * sizeof(float)) return kAudio_ParamError;
    if (from.mData != list->mBuffers[i].mData)
      std::memcpy(list->mBuffers[i].mData, from.mData, frames * sizeof(float));
  }
  return noErr;
}

// The value of an event at a frame of the slice.
static float valueAt(const AudioUnitParameterEvent &event, SInt64 frame) {
  if (event.eventType == kParameterEvent_Immediate) return event.eventValues.immediate.value;
  const auto &ramp = event.eventValues.ramp;
  SInt64 into = frame - ramp.startBufferOffset;
  if (into <= 0) return ramp.startValue;
  if (into >= static_cast<SInt64>(ramp.durationInFrames)) return ramp.endValue;
  return ramp.startValue + (ramp.endValue - ramp.startValue) * static_cast<float>(into) /
                               static_cast<float>(ramp.durationInFrames);
}

static SInt64 startOf(const AudioUnitParameterEvent &event) {
  return event.eventType == kParameterEvent_Immediate
             ? static_cast<SInt64>(event.eventValues.immediate.bufferOffset)
             : event.eventValues.ramp.startBufferOffset;
}

void Unit::apply(AudioBufferList *list, UInt32 frames) {
  std::stable_sort(
      events.begin(), events.end(),
      [](const auto &a, const auto &b) { return startOf(a) < startOf(b); });
  const bool bypass = isBypassed.load(std::memory_order_relaxed);
  for (UInt32 frame = 0; frame < frames; frame++) {
    for (const auto &event : events)
      if (startOf(event) <= static_cast<SInt64>(frame))
        values[event.parameter].store(valueAt(event, frame), std::memory_order_relaxed);
    float gain = values[kMute].load(std::memory_order_relaxed) >= 0.5f
                     ? 0
                     : std::pow(10.0f, values[kGain].load(std::memory_order_relaxed) / 20);
    if (bypass) continue;
    for (UInt32 i = 0; i < list->mNumberBuffers; i++)
      static_cast<float *>(list->mBuffers[i].mData)[frame] *= gain;
  }
  if (kind == Kind::musicEffect) notes.add(*list, frames);
}

}  // namespace calling
