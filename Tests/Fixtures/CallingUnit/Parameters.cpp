// Parameters: their descriptions, their values, and their changes within a slice.
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include "CallingUnit.hpp"

namespace calling {

static AudioUnitParameterInfo makeInfo(
    const char *name, AudioUnitParameterUnit unit, float minimum, float maximum, UInt32 more) {
  AudioUnitParameterInfo info{};
  std::copy_n(name, std::char_traits<char>::length(name) + 1, info.name);
  info.cfNameString = CFStringCreateWithCString(nullptr, name, kCFStringEncodingUTF8);
  info.unit = unit;
  info.minValue = minimum;
  info.maxValue = maximum;
  info.flags = kAudioUnitParameterFlag_IsReadable | kAudioUnitParameterFlag_IsWritable |
               kAudioUnitParameterFlag_HasCFNameString | more;
  return info;
}

const AudioUnitParameterInfo &parameterInfo(AudioUnitParameterID id) {
  static const AudioUnitParameterInfo all[kParameterCount] = {
      makeInfo(
          "Gain", kAudioUnitParameterUnit_Decibels, -96, 24, kAudioUnitParameterFlag_CanRamp),
      makeInfo("Mute", kAudioUnitParameterUnit_Boolean, 0, 1, 0)};
  return all[id];
}

static OSStatus check(AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element) {
  if (scope > kAudioUnitScope_Output) return kAudioUnitErr_InvalidScope;
  if (element != 0) return kAudioUnitErr_InvalidElement;
  if (scope != kAudioUnitScope_Global || id >= kParameterCount)
    return kAudioUnitErr_InvalidParameter;
  return noErr;
}

OSStatus Unit::getParameter(
    AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element, Float32 *value) {
  if (!value) return kAudio_ParamError;
  OSStatus status = check(id, scope, element);
  if (status == noErr) *value = values[id].load(std::memory_order_relaxed);
  return status;
}

OSStatus Unit::setParameter(
    AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element, Float32 value) {
  OSStatus status = check(id, scope, element);
  if (status != noErr) return status;
  if (!std::isfinite(value)) return kAudioUnitErr_InvalidParameterValue;
  const auto &info = parameterInfo(id);
  values[id].store(std::clamp(value, info.minValue, info.maxValue), std::memory_order_relaxed);
  return noErr;
}

OSStatus Unit::schedule(const AudioUnitParameterEvent *added, UInt32 count) {
  if (!added && count) return kAudio_ParamError;
  for (UInt32 i = 0; i < count; i++) {
    OSStatus status = check(added[i].parameter, added[i].scope, added[i].element);
    if (status != noErr) return status;
    if (events.size() == events.capacity()) return kAudio_MemFullError;
    events.push_back(added[i]);
  }
  return noErr;
}

}  // namespace calling
