// Values of properties: converters, reverbs, mixers in two and three dimensions.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNITMIXERPROPERTIES_H
#define AURICLE_AUDIOUNITMIXERPROPERTIES_H

#include "AUComponent.h"

typedef UInt32 AUSpatializationAlgorithm;
typedef UInt32 AUReverbRoomType;

// Values of SampleRateConverterComplexity.
AURICLE_ENUM(UInt32) {
  kAudioUnitSampleRateConverterComplexity_Linear = 0x6c696e65,     // 'line'
  kAudioUnitSampleRateConverterComplexity_Normal = 0x6e6f726d,     // 'norm'
  kAudioUnitSampleRateConverterComplexity_Mastering = 0x62617473,  // 'bats'
};

// Values of ReverbRoomType.
AURICLE_ENUM(UInt32) {
  kReverbRoomType_SmallRoom = 0,
  kReverbRoomType_MediumRoom = 1,
  kReverbRoomType_LargeRoom = 2,
  kReverbRoomType_MediumHall = 3,
  kReverbRoomType_LargeHall = 4,
  kReverbRoomType_Plate = 5,
  kReverbRoomType_MediumChamber = 6,
  kReverbRoomType_LargeChamber = 7,
  kReverbRoomType_Cathedral = 8,
  kReverbRoomType_LargeRoom2 = 9,
  kReverbRoomType_MediumHall2 = 10,
  kReverbRoomType_MediumHall3 = 11,
  kReverbRoomType_LargeHall2 = 12,
};

// Values of SpatializationAlgorithm.
AURICLE_ENUM(UInt32) {
  kSpatializationAlgorithm_EqualPowerPanning = 0,
  kSpatializationAlgorithm_SphericalHead = 1,
  kSpatializationAlgorithm_HRTF = 2,
  kSpatializationAlgorithm_SoundField = 3,
  kSpatializationAlgorithm_VectorBasedPanning = 4,
  kSpatializationAlgorithm_StereoPassThrough = 5,
  kSpatializationAlgorithm_HRTFHQ = 6,
  kSpatializationAlgorithm_UseOutputType = 7,
};

// Values of SpatialMixerSourceMode.
AURICLE_ENUM(UInt32) {
  kSpatialMixerSourceMode_SpatializeIfMono = 0,
  kSpatialMixerSourceMode_Bypass = 1,
  kSpatialMixerSourceMode_PointSource = 2,
  kSpatialMixerSourceMode_AmbienceBed = 3,
};

// Values of SpatialMixerAttenuationCurve.
AURICLE_ENUM(UInt32) {
  kSpatialMixerAttenuationCurve_Power = 0,
  kSpatialMixerAttenuationCurve_Exponential = 1,
  kSpatialMixerAttenuationCurve_Inverse = 2,
  kSpatialMixerAttenuationCurve_Linear = 3,
};

// Bits of SpatialMixerRenderingFlags.
AURICLE_ENUM(UInt32) {
  kSpatialMixerRenderingFlags_InterAuralDelay = 1,
  kSpatialMixerRenderingFlags_DistanceAttenuation = 4,
};

// Values of SpatialMixerOutputType.
AURICLE_ENUM(UInt32) {
  kSpatialMixerOutputType_Headphones = 1,
  kSpatialMixerOutputType_BuiltInSpeakers = 2,
  kSpatialMixerOutputType_ExternalSpeakers = 3,
};

// Values of SpatialMixerPointSourceInHeadMode.
AURICLE_ENUM(UInt32) {
  kSpatialMixerPointSourceInHeadMode_Mono = 0,
  kSpatialMixerPointSourceInHeadMode_Bypass = 1,
};

// Values of SpatialMixerPersonalizedHRTFMode.
AURICLE_ENUM(UInt32) {
  kSpatialMixerPersonalizedHRTFMode_Off = 0,
  kSpatialMixerPersonalizedHRTFMode_On = 1,
  kSpatialMixerPersonalizedHRTFMode_Auto = 2,
};

// Bits of 3DMixerRenderingFlags.
AURICLE_ENUM(UInt32) {
  k3DMixerRenderingFlags_InterAuralDelay = 1,
  k3DMixerRenderingFlags_DopplerShift = 2,
  k3DMixerRenderingFlags_DistanceAttenuation = 4,
  k3DMixerRenderingFlags_DistanceFilter = 8,
  k3DMixerRenderingFlags_DistanceDiffusion = 16,
  k3DMixerRenderingFlags_LinearDistanceAttenuation = 32,
  k3DMixerRenderingFlags_ConstantReverbBlend = 64,
};

// Values of 3DMixerAttenuationCurve.
AURICLE_ENUM(UInt32) {
  k3DMixerAttenuationCurve_Power = 0,
  k3DMixerAttenuationCurve_Exponential = 1,
  k3DMixerAttenuationCurve_Inverse = 2,
  k3DMixerAttenuationCurve_Linear = 3,
};

// MeterClipping.
typedef struct AudioUnitMeterClipping {
  Float32 peakValueSinceLastCall;
  Boolean sawInfinity;
  Boolean sawNotANumber;
} AudioUnitMeterClipping;

// SpatialMixerDistanceParams.
typedef struct MixerDistanceParams {
  Float32 mReferenceDistance;
  Float32 mMaxDistance;
  Float32 mMaxAttenuation;
} MixerDistanceParams;

// DistanceAttenuationData: a curve by points.
typedef struct AUDistanceAttenuationData {
  UInt32 inNumberOfPairs;
  struct AUDistanceAttenuationPair {
    Float32 inDistance;
    Float32 outGain;
  } pairs[1];
} AUDistanceAttenuationData;

#endif
