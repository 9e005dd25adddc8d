// Speech: selectors, the keys of properties, and the meaning of flags.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_SPEECHCONSTANTS_H
#define AURICLE_SPEECHCONSTANTS_H

#include "../CoreFoundation/CFString.h"
#include "../MacTypes.h"

AURICLE_ENUM(OSType) {
  kTextToSpeechSynthType = 0x74747363,     // 'ttsc'
  kTextToSpeechVoiceType = 0x74747664,     // 'ttvd'
  kTextToSpeechVoiceFileType = 0x74747666, // 'ttvf'
  kTextToSpeechVoiceBundleType = 0x74747662, // 'ttvb'
};

// Flags of SpeakBuffer.
AURICLE_ENUM(SInt32) {
  kNoEndingProsody = 1,    // the following text continues the sentence
  kNoSpeechInterrupt = 2,  // a channel that speaks refuses with synthNotReady
  kPreflightThenPause = 4, // made ready; ContinueSpeech begins
};

// The point at which speech stops or pauses.
AURICLE_ENUM(SInt32) { kImmediate = 0, kEndOfWord = 1, kEndOfSentence = 2 };

// Genders.
AURICLE_ENUM(SInt16) { kNeuter = 0, kMale = 1, kFemale = 2 };

// Selectors of GetSpeechInfo and SetSpeechInfo: value; access.
AURICLE_ENUM(OSType) {
  soStatus = 0x73746174,              // 'stat'; SpeechStatusInfo; read
  soErrors = 0x6572726f,              // 'erro'; SpeechErrorInfo; read, and counts anew
  soInputMode = 0x696e7074,           // 'inpt'; OSType modeText, modePhonemes; read/write
  soCharacterMode = 0x63686172,       // 'char'; OSType modeNormal, modeLiteral; read/write
  soNumberMode = 0x6e6d6272,          // 'nmbr'; OSType modeNormal, modeLiteral; read/write
  soRate = 0x72617465,                // 'rate'; Fixed, words a minute; read/write
  soPitchBase = 0x70626173,           // 'pbas'; Fixed, MIDI notes; read/write
  soPitchMod = 0x706d6f64,            // 'pmod'; Fixed, MIDI notes; read/write
  soVolume = 0x766f6c6d,              // 'volm'; Fixed, 0 to 1; read/write
  soSynthType = 0x76657273,           // 'vers'; SpeechVersionInfo; read
  soRecentSync = 0x73796e63,          // 'sync'; OSType; read
  soPhonemeSymbols = 0x70687379,      // 'phsy'; Handle of a PhonemeDescriptor, yours; read
  soCurrentVoice = 0x63766f78,        // 'cvox'; VoiceSpec; read/write
  soCommandDelimiter = 0x646c696d,    // 'dlim'; DelimiterInfo; read/write
  soReset = 0x72736574,               // 'rset'; NULL; write
  soCurrentA5 = 0x6d794135,           // 'myA5'; accepted, and nothing else; write
  soRefCon = 0x72656663,              // 'refc'; the pointer itself; write
  soTextDoneCallBack = 0x74646362,    // 'tdcb'; the function itself; write
  soSpeechDoneCallBack = 0x73646362,  // 'sdcb'; the function itself; write
  soSyncCallBack = 0x73796362,        // 'sycb'; the function itself; write
  soErrorCallBack = 0x65726362,       // 'ercb'; the function itself; write
  soPhonemeCallBack = 0x70686362,     // 'phcb'; the function itself; write
  soWordCallBack = 0x77646362,        // 'wdcb'; the function itself; write
  soSynthExtension = 0x78746e64,      // 'xtnd'
  soSoundOutput = 0x736e646f,         // 'sndo'
  soOutputToFileWithCFURL = 0x6f706166, // 'opaf'; CFURLRef, NULL for the device; write
  soOutputToExtAudioFile = 0x6f706178, // 'opax'; ExtAudioFileRef, NULL for the device; write
  soOutputToAudioDevice = 0x6f706164, // 'opad'; AudioDeviceID, 0 for the default; read/write
  soPhonemeOptions = 0x706f7074,      // 'popt'; UInt32, none is known; read/write
  soVoiceDescription = 0x696e666f,    // 'info'; VoiceDescription, of GetVoiceInfo; read
  soVoiceFile = 0x66726566,           // 'fref'; VoiceFileInfo, of GetVoiceInfo: there is none
};

// Modes of input, characters and numbers.
AURICLE_ENUM(OSType) {
  modeText = 0x54455854,     // 'TEXT'
  modePhonemes = 0x50484f4e, // 'PHON'
  modeTune = 0x54554e45,     // 'TUNE'
  modeNormal = 0x4e4f524d,   // 'NORM'
  modeLiteral = 0x4c54524c,  // 'LTRL'
};

#define kSpeechModeText CFSTR("TEXT")
#define kSpeechModePhoneme CFSTR("PHON")
#define kSpeechModeTune CFSTR("TUNE")
#define kSpeechModeNormal CFSTR("NORM")
#define kSpeechModeLiteral CFSTR("LTRL")

// Options of SpeakCFString, numbers or booleans.
#define kSpeechNoEndingProsody CFSTR("NoEndingProsody")
#define kSpeechNoSpeechInterrupt CFSTR("NoSpeechInterrupt")
#define kSpeechPreflightThenPause CFSTR("PreflightThenPause")

// Properties of SetSpeechProperty and CopySpeechProperty: value; access.
#define kSpeechStatusProperty CFSTR("stat")          // CFDictionary; read
#define kSpeechErrorsProperty CFSTR("erro")          // CFDictionary; read
#define kSpeechInputModeProperty CFSTR("inpt")       // CFString; read/write
#define kSpeechCharacterModeProperty CFSTR("char")   // CFString; read/write
#define kSpeechNumberModeProperty CFSTR("nmbr")      // CFString; read/write
#define kSpeechRateProperty CFSTR("rate")            // CFNumber; read/write
#define kSpeechPitchBaseProperty CFSTR("pbas")       // CFNumber; read/write
#define kSpeechPitchModProperty CFSTR("pmod")        // CFNumber; read/write
#define kSpeechVolumeProperty CFSTR("volm")          // CFNumber; read/write
#define kSpeechSynthesizerInfoProperty CFSTR("vers") // CFDictionary; read
#define kSpeechRecentSyncProperty CFSTR("sync")      // CFNumber; read
#define kSpeechPhonemeSymbolsProperty CFSTR("phsy")  // CFArray of CFDictionary; read
#define kSpeechCurrentVoiceProperty CFSTR("cvox")    // CFDictionary; read/write
#define kSpeechCommandDelimiterProperty CFSTR("dlim") // CFDictionary; read/write
#define kSpeechResetProperty CFSTR("rset")           // NULL; write
#define kSpeechOutputToFileURLProperty CFSTR("opaf") // CFURL, NULL for the device; read/write
#define kSpeechOutputToExtAudioFileProperty CFSTR("opax") // CFNumber: the file; read/write
#define kSpeechOutputToAudioDeviceProperty CFSTR("opad")  // CFNumber, 0: the default; read/write
#define kSpeechPhonemeOptionsProperty CFSTR("popt")  // CFNumber; read/write
#define kSpeechAudioUnitProperty CFSTR("auni")       // CFNumber: the unit; read
#define kSpeechAudioGraphProperty CFSTR("augr")      // CFNumber: the graph, 0 for none; read
#define kSpeechRefConProperty CFSTR("refc")          // CFNumber: a pointer; read/write
// CFNumber: a function; read/write
#define kSpeechTextDoneCallBack CFSTR("tdcb")
#define kSpeechSpeechDoneCallBack CFSTR("sdcb")
#define kSpeechSyncCallBack CFSTR("sycb")
#define kSpeechPhonemeCallBack CFSTR("phcb")
#define kSpeechErrorCFCallBack CFSTR("eccb")
#define kSpeechWordCFCallBack CFSTR("wccb")

// Keys of those dictionaries; numbers where not said otherwise.
#define kSpeechStatusOutputBusy CFSTR("OutputBusy")
#define kSpeechStatusOutputPaused CFSTR("OutputPaused")
#define kSpeechStatusNumberOfCharactersLeft CFSTR("NumberOfCharactersLeft")
#define kSpeechStatusPhonemeCode CFSTR("PhonemeCode")
#define kSpeechErrorCount CFSTR("Count")
#define kSpeechErrorOldest CFSTR("OldestCode")
#define kSpeechErrorOldestCharacterOffset CFSTR("OldestCharacterOffset")
#define kSpeechErrorNewest CFSTR("NewestCode")
#define kSpeechErrorNewestCharacterOffset CFSTR("NewestCharacterOffset")
#define kSpeechSynthesizerInfoIdentifier CFSTR("SynthesizerIdentifier") // CFString
#define kSpeechSynthesizerInfoManufacturer CFSTR("SynthesizerManufacturer") // CFString
#define kSpeechSynthesizerInfoVersion CFSTR("SynthesizerVersion") // CFString
#define kSpeechPhonemeInfoOpcode CFSTR("Opcode")
#define kSpeechPhonemeInfoSymbol CFSTR("Symbol") // CFString
#define kSpeechPhonemeInfoExample CFSTR("Example") // CFString
#define kSpeechPhonemeInfoHiliteStart CFSTR("HiliteStart")
#define kSpeechPhonemeInfoHiliteEnd CFSTR("HiliteEnd")
#define kSpeechVoiceCreator CFSTR("VoiceSynthesizerNumericID")
#define kSpeechVoiceID CFSTR("VoiceNumericID")
#define kSpeechCommandPrefix CFSTR("Prefix") // CFString
#define kSpeechCommandSuffix CFSTR("Suffix") // CFString

// The domain of errors, and the keys of their details: CFString, and CFNumber of characters.
#define kSpeechErrorCallbackSpokenString CFSTR("SpokenString")
#define kSpeechErrorCallbackCharacterOffset CFSTR("CharacterOffset")

// A dictionary of UseSpeechDictionary: arrays of dictionaries with spelling and phonemes.
#define kSpeechDictionaryLocaleIdentifier CFSTR("DictionaryLocaleIdentifier")
#define kSpeechDictionaryModificationDate CFSTR("DictionaryModificationDate")
#define kSpeechDictionaryPronunciations CFSTR("DictionaryPronunciations")
#define kSpeechDictionaryAbbreviations CFSTR("DictionaryAbbreviations")
#define kSpeechDictionaryEntrySpelling CFSTR("DictionaryEntrySpelling")
#define kSpeechDictionaryEntryPhonemes CFSTR("DictionaryEntryPhonemes")

#endif
