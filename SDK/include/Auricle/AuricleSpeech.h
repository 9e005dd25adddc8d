// The control of a speech unit: texts for it, and its progress.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AURICLESPEECH_H
#define AURICLE_AURICLESPEECH_H

#include "../MacTypes.h"

// A passage that is said in one manner; byteCount bytes of UTF-8 follow it.
typedef struct AuricleSpeechPassage {
  Float32 rate;      // words a minute; 0: the unit's parameter
  Float32 pitch;     // semitones above the unit's parameter
  Float32 range;     // how far the pitch moves; 1: as the voice has it
  Float32 gain;      // linear
  Float32 silence;   // seconds before it
  UInt32 flags;      // kAuricleSpeechPassage_
  UInt32 byteCount;
} AuricleSpeechPassage;

AURICLE_ENUM(UInt32) {
  kAuricleSpeechPassage_IsPhonemes = 1,    // the text is phonemes, as of kAuricleProperty_SpeechPhonemes
  kAuricleSpeechPassage_HasNoEnding = 2,   // no pause behind it
};

// The passage that sounds at a time.
typedef struct AuricleSpeechMark {
  Float64 seconds;    // from the start of the first passage
  UInt32 kind;        // kAuricleSpeechMark_
  UInt32 passage;     // its number, from 0
  UInt32 position;    // characters (Unicode scalars) from the start of the passage
  UInt32 length;      // characters; 0 where it is not known
  SInt32 opcode;      // of a phoneme
  UInt32 reserved;
} AuricleSpeechMark;

AURICLE_ENUM(UInt32) {
  kAuricleSpeechMark_Passage = 0,
  kAuricleSpeechMark_Word = 1,
  kAuricleSpeechMark_Sentence = 2,
  kAuricleSpeechMark_Phoneme = 3,
};

// The progress of a unit in its speech.
typedef struct AuricleSpeechProgress {
  Float64 seconds;   // that were rendered
  Float64 duration;  // seconds as a whole
  UInt32 isOver;     // 1: all was rendered, or it stopped
  UInt32 isPaused;
  UInt32 isGone;     // 1: the unit was uninitialised, or says something else
  UInt32 reserved;
} AuricleSpeechProgress;

// Reports the progress of one speech, also when the unit is closed. Any thread may read.
typedef struct AuricleSpeechClock {
  UInt64 unit;   // a number of the unit's own, which no other unit of the process ever has
  void *object;  // a reference, which the reader of the property passes to `release`
  void (*read)(void *object, AuricleSpeechProgress *progress);
  void (*release)(void *object);
} AuricleSpeechClock;

// The times at which a unit falls silent, in seconds of its speech; infinite: never. The past is now.
typedef struct AuricleSpeechLimits {
  Float64 pause;  // it resumes there when this is removed
  Float64 stop;
} AuricleSpeechLimits;

#endif
