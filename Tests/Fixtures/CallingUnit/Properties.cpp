// Properties: the list of them, reading them, and their listeners.
// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "CallingUnit.hpp"

namespace calling {

Unit::Unit() {
  AudioStreamBasicDescription format{};
  format.mSampleRate = 44100;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved;
  format.mBytesPerPacket = format.mBytesPerFrame = 4;
  format.mFramesPerPacket = 1;
  format.mChannelsPerFrame = 2;
  format.mBitsPerChannel = 32;
  formats[0] = formats[1] = format;
  events.reserve(256);
  preset.presetName = CFStringCreateWithCString(nullptr, "Untitled", kCFStringEncodingUTF8);
}

Unit::~Unit() {
  for (CFTypeRef object : {static_cast<CFTypeRef>(preset.presetName),
                           static_cast<CFTypeRef>(contextName),
                           static_cast<CFTypeRef>(elementNames[0]),
                           static_cast<CFTypeRef>(elementNames[1])})
    if (object) CFRelease(object);
}

void Unit::changed(AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element) {
  const auto all = listeners;  // a listener may remove itself
  for (const Listener &listener : all)
    if (listener.property == id) listener.procedure(listener.data, instance, id, scope, element);
}

OSStatus Unit::info(
    AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, UInt32 *size,
    Boolean *isWritable) {
  enum { kRead = 0, kWrite = 1 };
  const bool isGlobal = scope == kAudioUnitScope_Global;
  const bool isBus = scope == kAudioUnitScope_Input || scope == kAudioUnitScope_Output;
  auto answer = [&](bool isThere, UInt32 bytes, Boolean writable, bool hasElements) -> OSStatus {
    if (!isThere && !isGlobal && !isBus) return kAudioUnitErr_InvalidScope;
    if (!isThere) return kAudioUnitErr_InvalidProperty;
    if (hasElements && element != 0) return kAudioUnitErr_InvalidElement;
    *size = bytes;
    *isWritable = writable;
    return noErr;
  };
  switch (id) {
    case kAudioUnitProperty_ClassInfo:
    case kAudioUnitProperty_ContextName:
      return answer(isGlobal, sizeof(CFTypeRef), kWrite, true);
    case kAudioUnitProperty_ElementName:
      return answer(isBus, sizeof(CFStringRef), kWrite, true);
    case kAudioUnitProperty_StreamFormat:
      return answer(isGlobal || isBus, sizeof(AudioStreamBasicDescription), kWrite, true);
    case kAudioUnitProperty_SampleRate: return answer(isGlobal || isBus, 8, kWrite, true);
    case kAudioUnitProperty_ElementCount: return answer(isGlobal || isBus, 4, kRead, false);
    case kAudioUnitProperty_Latency:
    case kAudioUnitProperty_TailTime: return answer(isGlobal, 8, kRead, true);
    case kAudioUnitProperty_SupportedNumChannels:
      return answer(isGlobal, sizeof(AUChannelInfo), kRead, true);
    case kAudioUnitProperty_MaximumFramesPerSlice:
    case kAudioUnitProperty_BypassEffect:
    case kAudioUnitProperty_InPlaceProcessing:
    case kAudioUnitProperty_OfflineRender: return answer(isGlobal, 4, kWrite, true);
    case kAudioUnitProperty_LastRenderError: return answer(isGlobal, 4, kRead, true);
    case kAudioUnitProperty_ParameterList:
      return answer(isGlobal || isBus, isGlobal ? kParameterCount * 4 : 0, kRead, true);
    case kAudioUnitProperty_ParameterInfo:
      if (isGlobal && element >= kParameterCount) return kAudioUnitErr_InvalidParameter;
      return answer(isGlobal, sizeof(AudioUnitParameterInfo), kRead, false);
    case kAudioUnitProperty_FactoryPresets:
      return answer(isGlobal, sizeof(CFArrayRef), kRead, true);
    case kAudioUnitProperty_PresentPreset: return answer(isGlobal, sizeof(AUPreset), kWrite, true);
    case kAudioUnitProperty_HostCallbacks:
      return answer(isGlobal, sizeof(HostCallbackInfo), kWrite, true);
    case kAudioUnitProperty_SetRenderCallback:
      return answer(
          isGlobal || scope == kAudioUnitScope_Input, sizeof(AURenderCallbackStruct), kWrite, true);
    case kAudioUnitProperty_MakeConnection:
      return answer(
          isGlobal || scope == kAudioUnitScope_Input, sizeof(AudioUnitConnection), kWrite, true);
    case kAudioOutputUnitProperty_IsRunning:
      return answer(isGlobal && kind == Kind::output, 4, kRead, true);
    case kMusicDeviceProperty_InstrumentCount:
    case kMusicDeviceProperty_SupportsStartStopNote:
    case kAudioUnitProperty_SupportsMPE:
    case kAudioUnitProperty_AudioUnitMIDIProtocol:
      return answer(isGlobal && kind == Kind::musicEffect, 4, kRead, true);
    case kAudioUnitProperty_HostMIDIProtocol:
      return answer(isGlobal && kind == Kind::musicEffect, 4, kWrite, true);
    default: return kAudioUnitErr_InvalidProperty;
  }
}

template <typename Value>
static OSStatus give(const Value &value, void *data, UInt32 *size) {
  if (*size > sizeof value) *size = sizeof value;
  std::memcpy(data, &value, *size);
  return noErr;
}

static const void *retained(CFTypeRef object) { return object ? CFRetain(object) : nullptr; }

OSStatus Unit::get(
    AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, void *data,
    UInt32 *size) {
  UInt32 known = 0;
  Boolean isWritable = 0;
  OSStatus status = info(id, scope, element, &known, &isWritable);
  if (status != noErr) return status;
  if (!size) return kAudio_ParamError;
  if (!data) return *size = known, noErr;
  if (*size == 0) return kAudio_ParamError;
  const UInt32 side = scope == kAudioUnitScope_Input ? 0 : 1;
  switch (id) {
    case kAudioUnitProperty_ClassInfo: return give(saveState(), data, size);
    case kAudioUnitProperty_ContextName:
      return contextName ? give(retained(contextName), data, size) : kAudioUnitErr_PropertyNotInUse;
    case kAudioUnitProperty_ElementName: {
      const char *own = side == 0 ? "Input" : "Output";
      return give(
          elementNames[side] ? retained(elementNames[side])
                             : CFStringCreateWithCString(nullptr, own, kCFStringEncodingUTF8),
          data, size);
    }
    case kAudioUnitProperty_StreamFormat: return give(formats[side], data, size);
    case kAudioUnitProperty_SampleRate: return give(formats[side].mSampleRate, data, size);
    case kAudioUnitProperty_ElementCount: return give(UInt32(1), data, size);
    case kAudioUnitProperty_Latency:
    case kAudioUnitProperty_TailTime: return give(Float64(0), data, size);
    case kAudioUnitProperty_SupportedNumChannels: return give(AUChannelInfo{-1, -1}, data, size);
    case kAudioUnitProperty_MaximumFramesPerSlice: return give(maximumFrames, data, size);
    case kAudioUnitProperty_BypassEffect: return give(UInt32(isBypassed.load()), data, size);
    case kAudioUnitProperty_InPlaceProcessing: return give(inPlace, data, size);
    case kAudioUnitProperty_OfflineRender: return give(isOffline, data, size);
    case kAudioUnitProperty_LastRenderError: {
      OSStatus last = lastError;
      lastError = noErr;
      return give(last, data, size);
    }
    case kAudioUnitProperty_ParameterList: {
      AudioUnitParameterID ids[kParameterCount] = {kGain, kMute};
      if (*size > known) *size = known;
      std::memcpy(data, ids, *size);
      return noErr;
    }
    case kAudioUnitProperty_ParameterInfo: return give(parameterInfo(element), data, size);
    case kAudioUnitProperty_FactoryPresets: {
      static AUPreset presets[kFactoryPresetCount];
      const void *pointers[kFactoryPresetCount];
      for (UInt32 i = 0; i < kFactoryPresetCount; i++) {
        if (!presets[i].presetName)
          presets[i] = {SInt32(i), CFStringCreateWithCString(
                                       nullptr, kFactoryPresets[i].name, kCFStringEncodingUTF8)};
        pointers[i] = &presets[i];
      }
      return give(CFArrayCreate(nullptr, pointers, kFactoryPresetCount, nullptr), data, size);
    }
    case kAudioUnitProperty_PresentPreset: {
      AUPreset answer = preset;
      retained(answer.presetName);
      return give(answer, data, size);
    }
    case kAudioOutputUnitProperty_IsRunning: return give(UInt32(isRunning.load()), data, size);
    case kMusicDeviceProperty_InstrumentCount: return give(kInstrumentCount, data, size);
    case kMusicDeviceProperty_SupportsStartStopNote: return give(UInt32(1), data, size);
    case kAudioUnitProperty_SupportsMPE: return give(UInt32(0), data, size);
    case kAudioUnitProperty_AudioUnitMIDIProtocol:
      return give(SInt32(kMIDIProtocol_1_0), data, size);
    default: return kAudioUnitErr_InvalidProperty;  // set only
  }
}

}  // namespace calling
