// Parameters of instruments, generators, converters and outputs: ids, units, ranges, defaults.
// SPDX-License-Identifier: Apache-2.0
//
// Scope, unit, range and default follow each id. SR is the sample rate. A meter's id is that of its
// first channel; the next channels follow. A band's id in the N-band equalizer is the id plus the
// band.
#ifndef AURICLE_AUDIOUNITOTHERPARAMETERS_H
#define AURICLE_AUDIOUNITOTHERPARAMETERS_H

#include "AUComponent.h"

// AudioDeviceOutput, DefaultOutputUnit, and SystemOutputUnit units.
AURICLE_ENUM(AudioUnitParameterID) {
  kHALOutputParam_Volume = 14,  // global, LinearGain, 0 to 1, default 1
};

// AUTimePitch, AUTimePitch (offline), AUPitch units.
AURICLE_ENUM(AudioUnitParameterID) {
  kTimePitchParam_Rate = 0,
  kTimePitchParam_Pitch = 1,
  kTimePitchParam_EffectBlend = 2,
};

// AUNewTimePitch.
AURICLE_ENUM(AudioUnitParameterID) {
  kNewTimePitchParam_Rate = 0,                         // global, rate, 1/32 to 32.0, default 1.0
  kNewTimePitchParam_Pitch = 1,                        // global, Cents, -2400 to 2400, default 1.0
  kNewTimePitchParam_Smoothness = 4,                   // global, generic, 3.0 to 32.0, default 8.0
  kNewTimePitchParam_Overlap = 4,
  kNewTimePitchParam_EnableSpectralCoherence = 6,      // global, Boolean, 0 to 1, default 1
  kNewTimePitchParam_EnablePeakLocking = 6,
  kNewTimePitchParam_EnableTransientPreservation = 7,  // global, Boolean, 0 to 1, default 1
};

// AUVarispeed unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kVarispeedParam_PlaybackRate = 0,   // global, Rate, 0.25 to 4.0, default 1.0
  kVarispeedParam_PlaybackCents = 1,  // global, Cents, -2400 to 2400, default 0.0
};

// AUSampler unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kAUSamplerParam_Gain = 900,          // global, dB, -90 to 12, default 0
  kAUSamplerParam_CoarseTuning = 901,  // global, Semitones, -24 to 24, default 0
  kAUSamplerParam_FineTuning = 902,    // global, Cents, -99 to 99, default 0
  kAUSamplerParam_Pan = 903,           // global, -1.0 to 1.0, default 0
};

// DLSMusicDevice unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kMusicDeviceParam_Tuning = 0,        // global, Cents, -1200 to 1200, default 0
  kMusicDeviceParam_Volume = 1,        // global, dB, -120 to 40, default 0
  kMusicDeviceParam_ReverbVolume = 2,  // global, dB, -120 to 40, default 0
};

// AURandom unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kRandomParam_BoundA = 0,
  kRandomParam_BoundB = 1,
  kRandomParam_Curve = 2,
};

// AURogerBeep.
AURICLE_ENUM(AudioUnitParameterID) {
  kRogerBeepParam_InGateThreshold = 0,       // global, dB, -80 to 0, default -6
  kRogerBeepParam_InGateThresholdTime = 1,   // global, Milliseconds, 0 to 1000, default 1000
  kRogerBeepParam_OutGateThreshold = 2,      // global, dB, -80 to 0, default -6
  kRogerBeepParam_OutGateThresholdTime = 3,  // global, Milliseconds, 0 to 1000, default 1000
  kRogerBeepParam_Sensitivity = 4,           // global, indexed, 0 to 2, default 2
  kRogerBeepParam_RogerType = 5,             // global, indexed, 0 to 2, default 0
  kRogerBeepParam_RogerGain = 6,             // global, dB, -80 to 20, default -6
};

// AUNetReceive unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kAUNetReceiveParam_Status = 0,  // global, indexed, 0 to 5, read only
};

AURICLE_ENUM(UInt32) {
  kAUNetReceiveParam_NumParameters = 1,
};

// AUNetSend unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kAUNetSendParam_Status = 0,  // global, indexed, 0 to 5, read only
};

AURICLE_ENUM(UInt32) {
  kAUNetSendParam_NumParameters = 1,
  kAUNetStatus_NotConnected = 0,
  kAUNetStatus_Connected = 1,
  kAUNetStatus_Overflow = 2,
  kAUNetStatus_Underflow = 3,
  kAUNetStatus_Connecting = 4,
  kAUNetStatus_Listening = 5,
};

// Parameters of group scope: MIDI controllers and such, by the number a channel knows them by.
AURICLE_ENUM(AudioUnitParameterID) {
  kAUGroupParameterID_Volume = 7,
  kAUGroupParameterID_Sustain = 64,
  kAUGroupParameterID_Sostenuto = 66,
  kAUGroupParameterID_AllNotesOff = 123,
  kAUGroupParameterID_ModWheel = 1,
  kAUGroupParameterID_PitchBend = 224,
  kAUGroupParameterID_AllSoundOff = 120,
  kAUGroupParameterID_ResetAllControllers = 121,
  kAUGroupParameterID_Pan = 10,
  kAUGroupParameterID_Foot = 4,
  kAUGroupParameterID_ChannelPressure = 208,
  kAUGroupParameterID_KeyPressure = 160,
  kAUGroupParameterID_Expression = 11,
  kAUGroupParameterID_DataEntry = 6,
  kAUGroupParameterID_Volume_LSB = 39,
  kAUGroupParameterID_ModWheel_LSB = 33,
  kAUGroupParameterID_Pan_LSB = 42,
  kAUGroupParameterID_Foot_LSB = 36,
  kAUGroupParameterID_Expression_LSB = 43,
  kAUGroupParameterID_DataEntry_LSB = 38,
  kAUGroupParameterID_KeyPressure_FirstKey = 256,
  kAUGroupParameterID_KeyPressure_LastKey = 383,
};

#endif
