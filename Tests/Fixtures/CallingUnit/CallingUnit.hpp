// A gain in C++ that calls its host back while it opens, connects and renders. For tests.
// SPDX-License-Identifier: Apache-2.0
//
// Build: c++ -std=c++17 -shared -fPIC -I SDK/include *.cpp -o CallingUnit
// The host brings the functions it calls.

#pragma once

#include <AudioToolbox/AudioToolbox.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "Notes.hpp"

namespace calling {

constexpr UInt32 kParameterCount = 2;
constexpr AudioUnitParameterID kGain = 0;   // decibels, can ramp
constexpr AudioUnitParameterID kMute = 1;   // boolean
constexpr UInt32 kMaximumChannels = 64;

// What a factory makes of the unit.
enum class Kind { effect, musicEffect, output };

struct Listener {
  AudioUnitPropertyID property;
  AudioUnitPropertyListenerProc procedure;
  void *data;
};

struct Observer {
  AURenderCallback procedure;
  void *data;
};

// A buffer list with room for the most channels.
struct Buffers {
  UInt32 count = 0;
  AudioBuffer buffers[kMaximumChannels];
  AudioBufferList *list() { return reinterpret_cast<AudioBufferList *>(this); }
};

// One instance. The interface comes first: a pointer to it is a pointer to the instance.
struct Unit {
  AudioComponentPlugInInterface interface{};
  AudioComponentInstance instance = nullptr;
  Kind kind = Kind::effect;
  AudioComponentDescription description{};
  UInt32 version = 0;
  std::recursive_mutex mutex;

  AudioStreamBasicDescription formats[2];   // input, output
  UInt32 maximumFrames = 1156;
  bool isInitialized = false;
  std::atomic<bool> isBypassed{false};
  UInt32 inPlace = 1, isOffline = 0;
  std::array<std::atomic<float>, kParameterCount> values{};
  AUPreset preset{-1, nullptr};
  CFStringRef contextName = nullptr;
  CFStringRef elementNames[2] = {nullptr, nullptr};  // null: its own
  HostCallbackInfo hostCallbacks{};
  AURenderCallbackStruct callback{};
  AudioUnitConnection connection{};
  std::vector<Listener> listeners;
  std::vector<Observer> observers;

  std::vector<float> storage;
  std::vector<AudioUnitParameterEvent> events;
  Notes notes;                          // of a music effect
  std::atomic<bool> isRunning{false};   // of an output
  SInt32 hostProtocol = kMIDIProtocol_1_0;
  bool isRendering = false;
  OSStatus lastError = noErr;
  bool hasRendered = false;
  Float64 lastSampleTime = 0;

  Unit();
  ~Unit();

  OSStatus info(AudioUnitPropertyID, AudioUnitScope, AudioUnitElement, UInt32 *, Boolean *);
  OSStatus get(AudioUnitPropertyID, AudioUnitScope, AudioUnitElement, void *, UInt32 *);
  OSStatus set(AudioUnitPropertyID, AudioUnitScope, AudioUnitElement, const void *, UInt32);
  OSStatus setFormat(AudioUnitScope, const AudioStreamBasicDescription &);
  OSStatus connect(const AudioUnitConnection &);
  CFDictionaryRef saveState();
  OSStatus restoreState(CFDictionaryRef);
  void changed(AudioUnitPropertyID, AudioUnitScope, AudioUnitElement);

  OSStatus getParameter(AudioUnitParameterID, AudioUnitScope, AudioUnitElement, Float32 *);
  OSStatus setParameter(AudioUnitParameterID, AudioUnitScope, AudioUnitElement, Float32);
  OSStatus schedule(const AudioUnitParameterEvent *, UInt32);

  OSStatus initialize();
  OSStatus reset();
  OSStatus render(
      AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32, UInt32, AudioBufferList *);
  OSStatus process(
      AudioUnitRenderActionFlags *, const AudioTimeStamp *, UInt32, AudioBufferList *);

 private:
  OSStatus renderOnce(const AudioTimeStamp *, UInt32, UInt32, AudioBufferList *);
  OSStatus pull(const AudioTimeStamp *, UInt32, AudioBufferList *);
  void apply(AudioBufferList *, UInt32);
  void notify(
      AudioUnitRenderActionFlags, const AudioTimeStamp *, UInt32, UInt32, AudioBufferList *);
  OSStatus failed(OSStatus);
};

const AudioUnitParameterInfo &parameterInfo(AudioUnitParameterID);

// The presets that ship: a name and a gain.
struct FactoryPreset {
  const char *name;
  float gain;
};
constexpr FactoryPreset kFactoryPresets[] = {{"Unchanged", 0}, {"Half", -6.0206f}};
constexpr UInt32 kFactoryPresetCount = 2;

}  // namespace calling
