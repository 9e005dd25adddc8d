// Speech: channels that speak texts, voices, settings, and callbacks while a text is spoken.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_SPEECHSYNTHESIS_H
#define AURICLE_SPEECHSYNTHESIS_H

#include "../CarbonCore/MacErrors.h"
#include "../CarbonCore/MacMemory.h"
#include "../CoreFoundation/CoreFoundation.h"
#include "SpeechConstants.h"

// A voice: its maker, and its number there.
typedef struct VoiceSpec {
  OSType creator;
  OSType id;
} VoiceSpec;

#pragma pack(push, 2)

// The description of a voice. Strings begin with their length.
typedef struct VoiceDescription {
  SInt32 length;
  VoiceSpec voice;
  SInt32 version;
  Str63 name;
  Str255 comment;
  SInt16 gender;  // kNeuter, kMale, kFemale
  SInt16 age;     // years
  SInt16 script;
  SInt16 language;
  SInt16 region;
  SInt32 reserved[4];
} VoiceDescription;

// The file of a voice (soVoiceFile).
typedef struct VoiceFileInfo {
  UInt8 fileSpec[70];
  SInt16 resID;
} VoiceFileInfo;

// soStatus; longs are as wide as a pointer.
#pragma pack(pop)
typedef struct SpeechStatusInfo {
  Boolean outputBusy;
  Boolean outputPaused;
  long inputBytesLeft;
  SInt16 phonemeCode;
} SpeechStatusInfo;

// soErrors
typedef struct SpeechErrorInfo {
  SInt16 count;
  OSErr oldest;
  long oldPos;
  OSErr newest;
  long newPos;
} SpeechErrorInfo;

// soSynthType
typedef struct SpeechVersionInfo {
  OSType synthType;
  OSType synthSubType;
  OSType synthManufacturer;
  SInt32 synthFlags;
  NumVersion synthVersion;
} SpeechVersionInfo;

// soPhonemeSymbols: one, and the list of them.
typedef struct PhonemeInfo {
  SInt16 opcode;
  Str15 phStr;
  Str31 exampleStr;
  SInt16 hiliteStart;
  SInt16 hiliteEnd;
} PhonemeInfo;

typedef struct PhonemeDescriptor {
  SInt16 phonemeCount;
  PhonemeInfo thePhonemes[1];
} PhonemeDescriptor;

// soCommandDelimiter; one byte or two each, 0 for none.
typedef struct DelimiterInfo {
  UInt8 startDelimiter[2];
  UInt8 endDelimiter[2];
} DelimiterInfo;

typedef struct SpeechChannelRecord {
  long data[1];
} SpeechChannelRecord;

// A speaker of texts: made here, or by a speech unit (kAudioUnitProperty_SpeechChannel).
typedef SpeechChannelRecord *SpeechChannel;

// Callbacks come on a thread of the channel, never on one that renders.
typedef void (*SpeechTextDoneProcPtr)(
    SpeechChannel channel, SRefCon refCon, const void **nextBuffer, unsigned long *byteCount,
    SInt32 *controlFlags);
typedef void (*SpeechDoneProcPtr)(SpeechChannel channel, SRefCon refCon);
typedef void (*SpeechSyncProcPtr)(SpeechChannel channel, SRefCon refCon, OSType message);
typedef void (*SpeechErrorProcPtr)(
    SpeechChannel channel, SRefCon refCon, OSErr error, long bytePosition);
typedef void (*SpeechPhonemeProcPtr)(SpeechChannel channel, SRefCon refCon, SInt16 opcode);
typedef void (*SpeechWordProcPtr)(
    SpeechChannel channel, SRefCon refCon, unsigned long position, UInt16 length);
typedef void (*SpeechErrorCFProcPtr)(SpeechChannel channel, SRefCon refCon, CFErrorRef error);
typedef void (*SpeechWordCFProcPtr)(
    SpeechChannel channel, SRefCon refCon, CFStringRef text, CFRange range);
typedef SpeechTextDoneProcPtr SpeechTextDoneUPP;
typedef SpeechDoneProcPtr SpeechDoneUPP;
typedef SpeechSyncProcPtr SpeechSyncUPP;
typedef SpeechErrorProcPtr SpeechErrorUPP;
typedef SpeechPhonemeProcPtr SpeechPhonemeUPP;
typedef SpeechWordProcPtr SpeechWordUPP;
#define NewSpeechTextDoneUPP(procedure) (procedure)
#define NewSpeechDoneUPP(procedure) (procedure)
#define NewSpeechSyncUPP(procedure) (procedure)
#define NewSpeechErrorUPP(procedure) (procedure)
#define NewSpeechPhonemeUPP(procedure) (procedure)
#define NewSpeechWordUPP(procedure) (procedure)
#define DisposeSpeechTextDoneUPP(procedure) ((void)(procedure))
#define DisposeSpeechDoneUPP(procedure) ((void)(procedure))
#define DisposeSpeechSyncUPP(procedure) ((void)(procedure))
#define DisposeSpeechErrorUPP(procedure) ((void)(procedure))
#define DisposeSpeechPhonemeUPP(procedure) ((void)(procedure))
#define DisposeSpeechWordUPP(procedure) ((void)(procedure))

AURICLE_BEGIN_DECLS

extern NumVersion SpeechManagerVersion(void);
extern OSErr MakeVoiceSpec(OSType creator, OSType id, VoiceSpec *voice);
extern OSErr CountVoices(SInt16 *numVoices);
extern OSErr GetIndVoice(SInt16 index, VoiceSpec *voice);
extern OSErr GetVoiceDescription(
    const VoiceSpec *voice, VoiceDescription *info, long infoLength);
extern OSErr GetVoiceInfo(const VoiceSpec *voice, OSType selector, void *voiceInfo);

extern OSErr NewSpeechChannel(VoiceSpec *voice, SpeechChannel *chan);
extern OSErr DisposeSpeechChannel(SpeechChannel chan);
extern OSErr SpeakString(ConstStr255Param textToBeSpoken);
extern OSErr SpeakText(SpeechChannel chan, const void *textBuf, unsigned long textBytes);
extern OSErr SpeakBuffer(
    SpeechChannel chan, const void *textBuf, unsigned long textBytes, SInt32 controlFlags);
extern OSErr SpeakCFString(SpeechChannel chan, CFStringRef aString, CFDictionaryRef options);
extern OSErr StopSpeech(SpeechChannel chan);
extern OSErr StopSpeechAt(SpeechChannel chan, SInt32 whereToStop);
extern OSErr PauseSpeechAt(SpeechChannel chan, SInt32 whereToPause);
extern OSErr ContinueSpeech(SpeechChannel chan);
extern SInt16 SpeechBusy(void);
extern SInt16 SpeechBusySystemWide(void);

extern OSErr SetSpeechRate(SpeechChannel chan, Fixed rate);
extern OSErr GetSpeechRate(SpeechChannel chan, Fixed *rate);
extern OSErr SetSpeechPitch(SpeechChannel chan, Fixed pitch);
extern OSErr GetSpeechPitch(SpeechChannel chan, Fixed *pitch);
extern OSErr SetSpeechInfo(SpeechChannel chan, OSType selector, const void *speechInfo);
extern OSErr GetSpeechInfo(SpeechChannel chan, OSType selector, void *speechInfo);
extern OSErr SetSpeechProperty(SpeechChannel chan, CFStringRef property, CFTypeRef object);
extern OSErr CopySpeechProperty(SpeechChannel chan, CFStringRef property, CFTypeRef *object);

extern OSErr TextToPhonemes(
    SpeechChannel chan, const void *textBuf, unsigned long textBytes, Handle phonemeBuf,
    long *phonemeBytes);
extern OSErr CopyPhonemesFromText(SpeechChannel chan, CFStringRef text, CFStringRef *phonemes);
extern OSErr UseDictionary(SpeechChannel chan, Handle dictionary);
extern OSErr UseSpeechDictionary(SpeechChannel chan, CFDictionaryRef speechDictionary);
extern OSErr SpeechSynthesisRegisterModuleURL(CFURLRef url);
extern OSErr SpeechSynthesisUnregisterModuleURL(CFURLRef url);

AURICLE_END_DECLS

#endif
