// Setting properties: accepted and refused values of each.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <cstring>

#include "CallingUnit.hpp"

namespace calling {

OSStatus Unit::setFormat(AudioUnitScope scope, const AudioStreamBasicDescription &format) {
  const UInt32 side = scope == kAudioUnitScope_Input ? 0 : 1;
  const AudioFormatFlags planar =
      kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved;
  if (std::memcmp(&formats[side], &format, 36) == 0) return noErr;
  if (isInitialized) return kAudioUnitErr_Initialized;
  if (format.mFormatID != kAudioFormatLinearPCM || format.mFormatFlags != planar ||
      format.mBitsPerChannel != 32 || format.mBytesPerFrame != 4 || format.mChannelsPerFrame < 1 ||
      format.mChannelsPerFrame > kMaximumChannels || !(format.mSampleRate > 0) ||
      !std::isfinite(format.mSampleRate))
    return kAudioUnitErr_FormatNotSupported;
  formats[side] = format;
  changed(kAudioUnitProperty_StreamFormat, scope, 0);
  return noErr;
}

// A connection adopts the format of its source, which the unit asks its host for.
OSStatus Unit::connect(const AudioUnitConnection &wanted) {
  if (wanted.destInputNumber != 0) return kAudioUnitErr_InvalidElement;
  if (wanted.sourceAudioUnit) {
    AudioStreamBasicDescription format{};
    UInt32 size = sizeof format;
    OSStatus status = AudioUnitGetProperty(
        wanted.sourceAudioUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output,
        wanted.sourceOutputNumber, &format, &size);
    if (status == noErr) status = setFormat(kAudioUnitScope_Input, format);
    if (status != noErr) return status;
    callback = {};
  }
  connection = wanted;
  return noErr;
}

OSStatus Unit::set(
    AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, const void *data,
    UInt32 size) {
  UInt32 known = 0;
  Boolean isWritable = 0;
  OSStatus status = info(id, scope, element, &known, &isWritable);
  if (status != noErr) return status;
  if (!isWritable) return kAudioUnitErr_PropertyNotWritable;
  if ((data == nullptr) != (size == 0)) return kAudio_ParamError;
  if (!data) {
    if (id == kAudioUnitProperty_HostCallbacks) return hostCallbacks = {}, noErr;
    const bool isContext = id == kAudioUnitProperty_ContextName;
    if (!isContext && id != kAudioUnitProperty_ElementName)
      return kAudioUnitErr_InvalidPropertyValue;
    CFStringRef &place =
        isContext ? contextName : elementNames[scope == kAudioUnitScope_Input ? 0 : 1];
    if (place) CFRelease(place);
    place = nullptr;
    return noErr;
  }
  const UInt32 least = id == kAudioUnitProperty_StreamFormat ? 36
                       : id == kAudioUnitProperty_HostCallbacks ? 32 : known;
  if (size < least || (least == known && size != known)) return kAudioUnitErr_InvalidPropertyValue;
  const UInt32 side = scope == kAudioUnitScope_Input ? 0 : 1;
  UInt32 number = 0;
  if (known == 4) std::memcpy(&number, data, 4);
  switch (id) {
    case kAudioUnitProperty_StreamFormat: {
      AudioStreamBasicDescription format{};
      std::memcpy(&format, data, 36);
      return setFormat(scope, format);
    }
    case kAudioUnitProperty_SampleRate: {
      AudioStreamBasicDescription format = formats[side];
      std::memcpy(&format.mSampleRate, data, 8);
      if (!(format.mSampleRate > 0)) return kAudioUnitErr_InvalidPropertyValue;
      return setFormat(scope, format);
    }
    case kAudioUnitProperty_MaximumFramesPerSlice:
      if (number == maximumFrames) return noErr;
      if (isInitialized) return kAudioUnitErr_Initialized;
      if (number == 0 || number > 1 << 24) return kAudioUnitErr_InvalidPropertyValue;
      maximumFrames = number;
      break;
    case kAudioUnitProperty_BypassEffect: isBypassed = number != 0; break;
    case kAudioUnitProperty_InPlaceProcessing: inPlace = number != 0; break;
    case kAudioUnitProperty_OfflineRender: isOffline = number != 0; break;
    case kAudioUnitProperty_HostMIDIProtocol:
      if (number != kMIDIProtocol_1_0 && number != kMIDIProtocol_2_0)
        return kAudioUnitErr_InvalidPropertyValue;
      hostProtocol = static_cast<SInt32>(number);
      break;
    case kAudioUnitProperty_HostCallbacks:
      hostCallbacks = {};
      std::memcpy(&hostCallbacks, data, size < sizeof hostCallbacks ? size : sizeof hostCallbacks);
      return noErr;
    case kAudioUnitProperty_ContextName:
    case kAudioUnitProperty_ElementName: {
      CFStringRef name = nullptr;
      std::memcpy(&name, data, sizeof name);
      if (!name) return kAudioUnitErr_InvalidPropertyValue;
      CFStringRef &place = id == kAudioUnitProperty_ContextName ? contextName : elementNames[side];
      CFRetain(name);
      if (place) CFRelease(place);
      place = name;
      break;
    }
    case kAudioUnitProperty_PresentPreset: {
      AUPreset wanted{};
      std::memcpy(&wanted, data, sizeof wanted);
      if (wanted.presetNumber >= SInt32(kFactoryPresetCount) ||
          (wanted.presetNumber < 0 && !wanted.presetName))
        return kAudioUnitErr_InvalidPropertyValue;
      CFStringRef name = wanted.presetName;
      if (wanted.presetNumber >= 0) {
        values[kGain] = kFactoryPresets[wanted.presetNumber].gain;
        values[kMute] = 0;
        name = CFStringCreateWithCString(
            nullptr, kFactoryPresets[wanted.presetNumber].name, kCFStringEncodingUTF8);
      } else {
        CFRetain(name);
      }
      CFRelease(preset.presetName);
      preset = {wanted.presetNumber < 0 ? -1 : wanted.presetNumber, name};
      break;
    }
    case kAudioUnitProperty_ClassInfo: {
      CFDictionaryRef state = nullptr;
      std::memcpy(&state, data, sizeof state);
      status = restoreState(state);
      break;
    }
    case kAudioUnitProperty_SetRenderCallback:
      std::memcpy(&callback, data, sizeof callback);
      connection = {};
      break;
    case kAudioUnitProperty_MakeConnection: {
      AudioUnitConnection wanted{};
      std::memcpy(&wanted, data, sizeof wanted);
      status = connect(wanted);
      break;
    }
    default: return kAudioUnitErr_PropertyNotWritable;
  }
  if (status == noErr) changed(id, scope, element);
  return status;
}

}  // namespace calling
