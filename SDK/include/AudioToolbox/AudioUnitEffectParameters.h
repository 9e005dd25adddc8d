// Parameters of effects: ids, units, ranges, defaults.
// SPDX-License-Identifier: Apache-2.0
//
// Scope, unit, range and default follow each id. SR is the sample rate. A meter's id is that of its
// first channel; the next channels follow. A band's id in the N-band equalizer is the id plus the
// band.
#ifndef AURICLE_AUDIOUNITEFFECTPARAMETERS_H
#define AURICLE_AUDIOUNITEFFECTPARAMETERS_H

#include "AUComponent.h"

// AUBandpass unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kBandpassParam_CenterFrequency = 0,  // global, Hz, 20 to SR/2, default 5000
  kBandpassParam_Bandwidth = 1,        // global, Cents, 100 to 12000, default 600
};

// AUHipass unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kHipassParam_CutoffFrequency = 0,  // global, Hz, 10 to SR/2, default 6900
  kHipassParam_Resonance = 1,        // global, dB, -20 to 40, default 0
};

// AULowpass unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kLowPassParam_CutoffFrequency = 0,  // global, Hz, 10 to SR/2, default 6900
  kLowPassParam_Resonance = 1,        // global, dB, -20 to 40, default 0
};

// AUHighShelfFilter unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kHighShelfParam_CutOffFrequency = 0,  // global, Hz, 10000 to SR/2, default 10000
  kHighShelfParam_Gain = 1,             // global, dB, -40 to 40, default 0
};

// AULowShelfFilter unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kAULowShelfParam_CutoffFrequency = 0,  // global, Hz, 10 to 200, default 80
  kAULowShelfParam_Gain = 1,             // global, dB, -40 to 40, default 0
};

// AUParametricEQ unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kParametricEQParam_CenterFreq = 0,  // global, Hz, 20 to SR/2, default 2000
  kParametricEQParam_Q = 1,           // global, Hz, 0.1 to 20, default 1.0
  kParametricEQParam_Gain = 2,        // global, dB, -20 to 20, default 0
};

// AUPeakLimiter unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kLimiterParam_AttackTime = 0,  // global, s, 0.001 to 0.03, default 0.012
  kLimiterParam_DecayTime = 1,   // global, s, 0.001 to 0.06, default 0.024
  kLimiterParam_PreGain = 2,     // global, dB, -40 to 40, default 0
};

// AUDynamicsProcessor unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kDynamicsProcessorParam_Threshold = 0,             // global, dB, -40 to 20, default -20
  kDynamicsProcessorParam_HeadRoom = 1,              // global, dB, 0.1 to 40.0, default 5
  kDynamicsProcessorParam_ExpansionRatio = 2,        // global, rate, 1 to 50.0, default 2
  kDynamicsProcessorParam_ExpansionThreshold = 3,    // global, dB
  kDynamicsProcessorParam_AttackTime = 4,            // global, s, 0.0001 to 0.2, default 0.001
  kDynamicsProcessorParam_ReleaseTime = 5,           // global, s, 0.01 to 3, default 0.05
  kDynamicsProcessorParam_OverallGain = 6,           // global, dB, -40 to 40, default 0
  kDynamicsProcessorParam_MasterGain = 6,
  kDynamicsProcessorParam_CompressionAmount = 1000,  // global, dB, read only
  kDynamicsProcessorParam_InputAmplitude = 2000,     // global, dB, read only
  kDynamicsProcessorParam_OutputAmplitude = 3000,    // global, dB, read only
};

// Distortion unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kDistortionParam_Delay = 0,            // global, Milliseconds, 0.1 to 500, default 0.1
  kDistortionParam_Decay = 1,            // global, Rate, 0.1 to 50, default 1.0
  kDistortionParam_DelayMix = 2,         // global, Percent, 0 to 100, default 50
  kDistortionParam_Decimation = 3,       // global, Percent, 0 to 100
  kDistortionParam_Rounding = 4,         // global, Percent, 0 to 100, default 0
  kDistortionParam_DecimationMix = 5,    // global, Percent, 0 to 100, default 50
  kDistortionParam_LinearTerm = 6,       // global, Linear Gain, 0 to 1, default 1
  kDistortionParam_SquaredTerm = 7,      // global, Linear Gain, 0 to 20, default 0
  kDistortionParam_CubicTerm = 8,        // global, Linear Gain, 0 to 20, default 0
  kDistortionParam_PolynomialMix = 9,    // global, Percent, 0 to 100, default 50
  kDistortionParam_RingModFreq1 = 10,    // global, Hz, 0.5 to 8000, default 100
  kDistortionParam_RingModFreq2 = 11,    // global, Hz, 0.5 to 8000, default 100
  kDistortionParam_RingModBalance = 12,  // global, Percent, 0 to 100, default 50
  kDistortionParam_RingModMix = 13,      // global, Percent, 0 to 100, default 0
  kDistortionParam_SoftClipGain = 14,    // global, dB, -80 to 20, default -6
  kDistortionParam_FinalMix = 15,        // global, Percent, 0 to 100, default 50
};

// AUDelay unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kDelayParam_WetDryMix = 0,     // global, EqPow Crossfade, 0 to 100, default 50
  kDelayParam_DelayTime = 1,     // global, s, 0 to 2, default 1
  kDelayParam_Feedback = 2,      // global, Percent, -100 to 100, default 50
  kDelayParam_LopassCutoff = 3,  // global, Hz, 10 to SR/2, default 15000
};

// AUSampleDelay unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kSampleDelayParam_DelayFrames = 0,  // global, Samples, 0 to SR, default 0
};

// AUNBandEQ unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kAUNBandEQParam_GlobalGain = 0,     // global, dB, -96 to 24, default 0
  kAUNBandEQParam_BypassBand = 1000,  // global, Boolean, 0 to 1, default 1
  kAUNBandEQParam_FilterType = 2000,  // global, Indexed, 0 to 10, default 0
  kAUNBandEQParam_Frequency = 3000,   // global, Hz, 20 to SR/2, default 1000
  kAUNBandEQParam_Gain = 4000,        // global, dB, -96 to 24, default 0
  kAUNBandEQParam_Bandwidth = 5000,   // global, octaves, 0.05 to 5.0, default 0.5
};

AURICLE_ENUM(UInt32) {
  kAUNBandEQFilterType_Parametric = 0,
  kAUNBandEQFilterType_2ndOrderButterworthLowPass = 1,
  kAUNBandEQFilterType_2ndOrderButterworthHighPass = 2,
  kAUNBandEQFilterType_ResonantLowPass = 3,
  kAUNBandEQFilterType_ResonantHighPass = 4,
  kAUNBandEQFilterType_BandPass = 5,
  kAUNBandEQFilterType_BandStop = 6,
  kAUNBandEQFilterType_LowShelf = 7,
  kAUNBandEQFilterType_HighShelf = 8,
  kAUNBandEQFilterType_ResonantLowShelf = 9,
  kAUNBandEQFilterType_ResonantHighShelf = 10,
  kNumAUNBandEQFilterTypes = 11,
};

// AURoundTripAACParam unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kRoundTripAACParam_Format = 0,            // global, indexed
  kRoundTripAACParam_EncodingStrategy = 1,  // global, indexed
  kRoundTripAACParam_RateOrQuality = 2,     // global, indexed
  kRoundTripAACParam_BitRate = 1,
  kRoundTripAACParam_Quality = 2,
  kRoundTripAACParam_CompressedFormatSampleRate = 3,
};

// AUSoundIsolation unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kAUSoundIsolationParam_WetDryMixPercent = 0,  // global, Percent, 0 to 100, default 100
  kAUSoundIsolationParam_SoundToIsolate = 1,    // global, Indexed, 1 to 1, default 1
};

AURICLE_ENUM(UInt32) {
  kAUSoundIsolationSoundType_Voice = 1,
};

// AUGraphicEQ unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kGraphicEQParam_NumberOfBands = 10000,  // global, Indexed (10 or 31 bands), 10 to 31
};

// AUMatrixReverb unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kReverbParam_DryWetMix = 0,         // global, EqPow CrossFade, 0 to 100, default 100
  kReverbParam_SmallLargeMix = 1,     // global, EqPow CrossFade, 0 to 100, default 50
  kReverbParam_SmallSize = 2,         // global, s, 0.005 to 0.020, default 0.06
  kReverbParam_LargeSize = 3,         // global, s, 0.4 to 10.0, default 3.07
  kReverbParam_PreDelay = 4,          // global, s, 0.001 to 0.03, default 0.025
  kReverbParam_LargeDelay = 5,        // global, s, 0.001 to 0.1, default 0.035
  kReverbParam_SmallDensity = 6,      // global, Genr, 0 to 1, default 0.28
  kReverbParam_LargeDensity = 7,      // global, Genr, 0 to 1, default 0.82
  kReverbParam_LargeDelayRange = 8,   // global, Genr, 0 to 1, default 0.3
  kReverbParam_SmallBrightness = 9,   // global, Genr, 0.1 to 1, default 0.96
  kReverbParam_LargeBrightness = 10,  // global, Genr, 0.1 to 1, default 0.49
  kReverbParam_SmallDelayRange = 11,  // global, Genr, 0 to 1, default 0.5
  kReverbParam_ModulationRate = 12,   // global, Hz, 0.001 to 2.0, default 1.0
  kReverbParam_ModulationDepth = 13,  // global, Genr, 0.0 to 1.0, default 0.2
};

// AUMultibandCompressor unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kMultibandCompressorParam_Pregain = 0,                // global, dB, -40 to 40, default 0
  kMultibandCompressorParam_Postgain = 1,               // global, dB, -40 to 40, default 0
  kMultibandCompressorParam_Crossover1 = 2,             // global, Hz, 20 to SR/2, default 120.0
  kMultibandCompressorParam_Crossover2 = 3,             // global, Hz, 20 to SR/2, default 700.0
  kMultibandCompressorParam_Crossover3 = 4,             // global, Hz, 20 to SR/2, default 3000.0
  kMultibandCompressorParam_Threshold1 = 5,             // global, dB, -100.0 to 0.0, default -22.0
  kMultibandCompressorParam_Threshold2 = 6,             // global, dB, -100.0 to 0.0, default -32.0
  kMultibandCompressorParam_Threshold3 = 7,             // global, dB, -100.0 to 0.0, default -33.0
  kMultibandCompressorParam_Threshold4 = 8,             // global, dB, -100.0 to 0.0, default -36.0
  kMultibandCompressorParam_Headroom1 = 9,              // global, dB, 0.1 to 40.0, default 5.0
  kMultibandCompressorParam_Headroom2 = 10,             // global, dB, 0.1 to 40.0, default 12.0
  kMultibandCompressorParam_Headroom3 = 11,             // global, dB, 0.1 to 40.0, default 5.0
  kMultibandCompressorParam_Headroom4 = 12,             // global, dB, 0.1 to 40.0, default 7.5
  kMultibandCompressorParam_AttackTime = 13,            // global, s, 0.001 to 0.200, default 0.080
  kMultibandCompressorParam_ReleaseTime = 14,           // global, s, 0.010 to 3.0, default 0.120
  kMultibandCompressorParam_EQ1 = 15,                   // global, dB, -20 to 20, default 0
  kMultibandCompressorParam_EQ2 = 16,                   // global, dB, -20 to 20, default 0
  kMultibandCompressorParam_EQ3 = 17,                   // global, dB, -20 to 20, default 0
  kMultibandCompressorParam_EQ4 = 18,                   // global, dB, -20 to 20, default 0
  kMultibandCompressorParam_CompressionAmount1 = 1000,  // global, dB, 0 to 20, read only
  kMultibandCompressorParam_CompressionAmount2 = 2000,  // global, dB, 0 to 20, read only
  kMultibandCompressorParam_CompressionAmount3 = 3000,  // global, dB, 0 to 20, read only
  kMultibandCompressorParam_CompressionAmount4 = 4000,  // global, dB, 0 to 20, read only
  kMultibandCompressorParam_InputAmplitude1 = 5000,     // global, dB, -120 to 20, read only
  kMultibandCompressorParam_InputAmplitude2 = 6000,     // global, dB, -120 to 20, read only
  kMultibandCompressorParam_InputAmplitude3 = 7000,     // global, dB, -120 to 20, read only
  kMultibandCompressorParam_InputAmplitude4 = 8000,     // global, dB, -120 to 20, read only
  kMultibandCompressorParam_OutputAmplitude1 = 9000,    // global, dB, -120 to 20, read only
  kMultibandCompressorParam_OutputAmplitude2 = 10000,   // global, dB, -120 to 20, read only
  kMultibandCompressorParam_OutputAmplitude3 = 11000,   // global, dB, -120 to 20, read only
  kMultibandCompressorParam_OutputAmplitude4 = 12000,   // global, dB, -120 to 20, read only
};

// AUFilter unit.
AURICLE_ENUM(AudioUnitParameterID) {
  kMultibandFilter_LowFilterType = 0,    // global, indexed, 0 to 1, default 0
  kMultibandFilter_LowFrequency = 1,     // global, Hz, 10 to SR/2, default 100
  kMultibandFilter_LowGain = 2,          // global, dB, -18 to +18, default 0
  kMultibandFilter_CenterFreq1 = 3,      // global, Hz, 10 to SR/2, default 100
  kMultibandFilter_CenterGain1 = 4,      // global, dB, -18 to +18, default 0
  kMultibandFilter_Bandwidth1 = 5,       // global, Octaves, 0.05 to 3.0, default 2.0
  kMultibandFilter_CenterFreq2 = 6,      // global, Hz, 10 to SR/2, default 100
  kMultibandFilter_CenterGain2 = 7,      // global, dB, -18 to +18, default 0
  kMultibandFilter_Bandwidth2 = 8,       // global, Octaves, 0.05 to 3.0, default 2.0
  kMultibandFilter_CenterFreq3 = 9,      // global, Hz, 10 to SR/2, default 100
  kMultibandFilter_CenterGain3 = 10,     // global, dB, -18 to +18, default 0
  kMultibandFilter_Bandwidth3 = 11,      // global, Octaves, 0.05 to 3.0, default 2.0
  kMultibandFilter_HighFilterType = 12,  // global, indexed, 0 to 1, default 0
  kMultibandFilter_HighFrequency = 13,   // global, Hz, 10 to SR/2, default 100
  kMultibandFilter_HighGain = 14,        // global, dB, -18 to +18, default 0
};

// AUReverb2 unit (rvb2).
AURICLE_ENUM(AudioUnitParameterID) {
  kReverb2Param_DryWetMix = 0,             // global, CrossFade, 0 to 100, default 100
  kReverb2Param_Gain = 1,                  // global, Decibels, -20 to 20, default 0
  kReverb2Param_MinDelayTime = 2,          // global, s, 0.0001 to 1.0, default 0.008
  kReverb2Param_MaxDelayTime = 3,          // global, s, 0.0001 to 1.0, default 0.050
  kReverb2Param_DecayTimeAt0Hz = 4,        // global, s, 0.001 to 20.0, default 1.0
  kReverb2Param_DecayTimeAtNyquist = 5,    // global, s, 0.001 to 20.0, default 0.5
  kReverb2Param_RandomizeReflections = 6,  // global, Integer, 1 to 1000
};

#endif
