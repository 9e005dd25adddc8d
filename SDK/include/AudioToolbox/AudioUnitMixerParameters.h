// Parameters of mixers and panners: ids, units, ranges, defaults.
// SPDX-License-Identifier: Apache-2.0
//
// Scope, unit, range and default follow each id. SR is the sample rate. A meter's id is that of its
// first channel; the next channels follow. A band's id in the N-band equalizer is the id plus the
// band.
#ifndef AURICLE_AUDIOUNITMIXERPARAMETERS_H
#define AURICLE_AUDIOUNITMIXERPARAMETERS_H

#include "AUComponent.h"

// Panner AudioUnits.
AURICLE_ENUM(AudioUnitParameterID) {
  kPannerParam_Gain = 0,         // global, Linear, 0 to 1, default 1
  kPannerParam_Azimuth = 1,      // global, Degrees, -180 to 180, default 0
  kPannerParam_Elevation = 2,    // global, Degrees, -90 to 90, default 0
  kPannerParam_Distance = 3,     // global, Linear, 0 to 1, default 1
  kPannerParam_CoordScale = 4,   // global, m, 0.01 to 1000, default 1
  kPannerParam_RefDistance = 5,  // global, m, 0.01 to 1000, default 1
};

// AUSpatialMixer unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kSpatialMixerParam_Azimuth = 0,                  // input, Degrees, -180 to 180, default 0
  kSpatialMixerParam_Elevation = 1,                // input, Degrees, -90 to 90, default 0
  kSpatialMixerParam_Distance = 2,                 // input, m, 0 to 10000, default 0
  kSpatialMixerParam_Gain = 3,                     // input/output, dB, -120 to 20, default 0
  kSpatialMixerParam_PlaybackRate = 4,             // input, rate, 0.5 to 2.0, default 1.0
  kSpatialMixerParam_Enable = 5,                   // Boolean, 0 to 1, default 1
  kSpatialMixerParam_MinGain = 6,                  // input, linear gain, 0.0 to 10.0, default 0.0
  kSpatialMixerParam_MaxGain = 7,                  // input, linear gain, 0.0 to 10.0, default 10.0
  kSpatialMixerParam_ReverbBlend = 8,              // input, % dry/wet, 0.0 to 100.0, default 30.0
  kSpatialMixerParam_GlobalReverbGain = 9,         // global, dB, -40.0 to +40.0, default 0.0
  kSpatialMixerParam_OcclusionAttenuation = 10,    // input, dB at 5 kHz, -100.0 to 0.0, default 0.0
  kSpatialMixerParam_ObstructionAttenuation = 11,  // input, dB at 5 kHz, -100.0 to 0.0, default 0.0
  kSpatialMixerParam_HeadYaw = 19,                 // global, Degrees, -180 to 180, default 0
  kSpatialMixerParam_HeadPitch = 20,               // global, Degrees, -90 to 90, default 0
  kSpatialMixerParam_HeadRoll = 21,                // global, Degrees, -180 to 180, default 0
};

// AUSpatialMixer: the filter behind its reverb, by ids of AUMatrixReverb.
AURICLE_ENUM(AudioUnitParameterID) {
  kReverbParam_FilterFrequency = 14,  // global, Hz, 10.0 to 20000.0, default 800.0
  kReverbParam_FilterBandwidth = 15,  // global, Octaves, 0.05 to 4.0, default 3.0
  kReverbParam_FilterGain = 16,       // global, Decibels, -18.0 to +18.0, default 0.0
  kReverbParam_FilterType = 17,       // global, Indexed, 0 to 10, default 0
  kReverbParam_FilterEnable = 18,     // global, Boolean, 0 to 1, default 1
};

// AUMixer3D unit.
AURICLE_ENUM(AudioUnitParameterID) {
  k3DMixerParam_Azimuth = 0,                            // input, Degrees, -180 to 180, default 0
  k3DMixerParam_Elevation = 1,                          // input, Degrees, -90 to 90, default 0
  k3DMixerParam_Distance = 2,                           // input, m, 0 to 10000, default 0
  k3DMixerParam_Gain = 3,                               // input/output, dB, -120 to 20, default 0
  k3DMixerParam_PlaybackRate = 4,                       // input, rate, 0.5 to 2.0
  k3DMixerParam_BusEnable = 20,                         // Boolean, 0 to 1
  k3DMixerParam_MinGainInDecibels = 21,                 // input/output, dB, -120 to 20, default 0
  k3DMixerParam_MaxGainInDecibels = 22,                 // input/output, dB, -120 to 20, default 0
  k3DMixerParam_DryWetReverbBlend = 23,                 // input, % dry/wet, 0.0 to 100.0
  k3DMixerParam_GlobalReverbGainInDecibels = 24,        // global, dB, -40.0 to +40.0
  k3DMixerParam_OcclusionAttenuationInDecibels = 25,    // input, dB at 5 kHz, -100.0 to 0.0
  k3DMixerParam_ObstructionAttenuationInDecibels = 26,  // input, dB at 5 kHz, -100.0 to 0.0
  k3DMixerParam_ReverbBlend = 5,                        // input, % dry/wet, 0.0 to 100.0
  k3DMixerParam_GlobalReverbGain = 6,                   // global, dB, -40.0 to +40.0
  k3DMixerParam_OcclusionAttenuation = 7,               // input, dB at 5 kHz, -100.0 to 0.0
  k3DMixerParam_ObstructionAttenuation = 8,             // input, dB at 5 kHz, -100.0 to 0.0
  k3DMixerParam_MinGain = 9,                            // input/output, dB, -120 to 20, default 0
  k3DMixerParam_MaxGain = 10,                           // input/output, dB, -120 to 20, default 0
  k3DMixerParam_PreAveragePower = 1000,                 // dB, read only
  k3DMixerParam_PrePeakHoldLevel = 2000,                // dB, read only
  k3DMixerParam_PostAveragePower = 3000,                // dB, read only
  k3DMixerParam_PostPeakHoldLevel = 4000,               // dB, read only
};

// AUMultiChannelMixer unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kMultiChannelMixerParam_Volume = 0,                // global, Linear Gain, 0 to 1, default 1
  kMultiChannelMixerParam_Enable = 1,                // global, Boolean, 0 to 1, default 1
  kMultiChannelMixerParam_Pan = 2,                   // global, Pan, -1 to 1, default 0
  kMultiChannelMixerParam_PreAveragePower = 1000,    // dB, read only
  kMultiChannelMixerParam_PrePeakHoldLevel = 2000,   // dB, read only
  kMultiChannelMixerParam_PostAveragePower = 3000,   // dB, read only
  kMultiChannelMixerParam_PostPeakHoldLevel = 4000,  // dB, read only
};

// AUMatrixMixer unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kMatrixMixerParam_Volume = 0,
  kMatrixMixerParam_Enable = 1,
  kMatrixMixerParam_PreAveragePower = 1000,          // dB, read only
  kMatrixMixerParam_PrePeakHoldLevel = 2000,         // dB, read only
  kMatrixMixerParam_PostAveragePower = 3000,         // dB, read only
  kMatrixMixerParam_PostPeakHoldLevel = 4000,        // dB, read only
  kMatrixMixerParam_PreAveragePowerLinear = 5000,    // linear, read only
  kMatrixMixerParam_PrePeakHoldLevelLinear = 6000,   // linear, read only
  kMatrixMixerParam_PostAveragePowerLinear = 7000,   // linear, read only
  kMatrixMixerParam_PostPeakHoldLevelLinear = 8000,  // linear, read only
};

// Stereo Mixer unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kStereoMixerParam_Volume = 0,                // input/output, Mixer Fader Curve, 0 to 1, default 1
  kStereoMixerParam_Pan = 1,                   // input, Pan, 0 to 1, default 0.5
  kStereoMixerParam_PreAveragePower = 1000,    // dB, read only
  kStereoMixerParam_PrePeakHoldLevel = 2000,   // dB, read only
  kStereoMixerParam_PostAveragePower = 3000,   // dB, read only
  kStereoMixerParam_PostPeakHoldLevel = 4000,  // dB, read only
};

#endif
