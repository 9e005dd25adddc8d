// Moments, by several clocks.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOTIME_H
#define AURICLE_AUDIOTIME_H

#include "../MacTypes.h"

typedef UInt32 SMPTETimeType;
typedef UInt32 SMPTETimeFlags;
typedef UInt32 AudioTimeStampFlags;

// Frames a second of a film or video clock; "Drop" skips frame numbers to stay on time.
AURICLE_ENUM(SMPTETimeType) {
  kSMPTETimeType24 = 0,
  kSMPTETimeType25 = 1,
  kSMPTETimeType30Drop = 2,
  kSMPTETimeType30 = 3,
  kSMPTETimeType2997 = 4,
  kSMPTETimeType2997Drop = 5,
  kSMPTETimeType60 = 6,
  kSMPTETimeType5994 = 7,
  kSMPTETimeType60Drop = 8,
  kSMPTETimeType5994Drop = 9,
  kSMPTETimeType50 = 10,
  kSMPTETimeType2398 = 11,
};

AURICLE_ENUM(SMPTETimeFlags) {
  kSMPTETimeUnknown = 0,
  kSMPTETimeValid = 1,
  kSMPTETimeRunning = 2,
};

// A film or video clock's time.
typedef struct SMPTETime {
  SInt16 mSubframes;
  SInt16 mSubframeDivisor;  // subframes in a frame
  UInt32 mCounter;          // frames since midnight
  SMPTETimeType mType;
  SMPTETimeFlags mFlags;
  SInt16 mHours;
  SInt16 mMinutes;
  SInt16 mSeconds;
  SInt16 mFrames;
} SMPTETime;

// The valid fields of a time stamp.
AURICLE_ENUM(AudioTimeStampFlags) {
  kAudioTimeStampNothingValid = 0,
  kAudioTimeStampSampleTimeValid = 1,
  kAudioTimeStampHostTimeValid = 2,
  kAudioTimeStampRateScalarValid = 4,
  kAudioTimeStampWordClockTimeValid = 8,
  kAudioTimeStampSMPTETimeValid = 16,
  kAudioTimeStampSampleHostTimeValid = 3,
};

// A moment, by up to five clocks.
typedef struct AudioTimeStamp {
  Float64 mSampleTime;     // frames
  UInt64 mHostTime;        // mach_absolute_time()
  Float64 mRateScalar;     // measured over nominal rate
  UInt64 mWordClockTime;
  SMPTETime mSMPTETime;
  AudioTimeStampFlags mFlags;
  UInt32 mReserved;        // 0
} AudioTimeStamp;

#endif
