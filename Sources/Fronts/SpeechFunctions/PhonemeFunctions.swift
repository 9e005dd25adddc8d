// Phonemes of texts, and words with known phonemes.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox
import Synchronization

extension Channel {
  /// The phonemes of a text in this channel's voice, in Apple's symbols.
  ///
  /// - Throws: -240 where nothing that speaks is installed.
  func phonemes(_ text: ClientText) throws(SpeechFailure) -> String {
    // A separate unit, since this one may speak.
    let other = try SpeechUnit.open()
    defer { other.dispose() }
    _ = other.write(kAudioUnitProperty_Voice, voice)
    let reader = CommandReader(text, state.withLock { $0.settings })
    try other.say(reader.passages)
    return other.text(kAuricleProperty_SpeechPhonemes)
  }
}

/// The phonemes of a text, which the caller releases.
///
/// Context: control.
@c @implementation
public func CopyPhonemesFromText(
  _ chan: SpeechChannel?, _ text: CFStringRef?, _ phonemes: UnsafeMutablePointer<CFStringRef?>?
) -> OSErr {
  withResult { () throws(SpeechFailure) in
    let channel = try unsafe Channels.find(chan)
    guard let text = unsafe String(cfString: text), let phonemes = unsafe phonemes else {
      throw .parameter
    }
    let found = try channel.phonemes(ClientText(text, countsBytes: false))
    unsafe phonemes.pointee = unsafe makeCFString(found)
  }
}

/// The phonemes of bytes, into a handle that is made as long as they are.
///
/// Context: control.
@c @implementation
public func TextToPhonemes(
  _ chan: SpeechChannel?, _ textBuf: UnsafeRawPointer?, _ textBytes: UInt,
  _ phonemeBuf: MemoryHandle?, _ phonemeBytes: UnsafeMutablePointer<Int>?
) -> OSErr {
  withResult { () throws(SpeechFailure) in
    let channel = try unsafe Channels.find(chan)
    guard let textBuf = unsafe textBuf, let phonemeBuf = unsafe phonemeBuf, textBytes <= 1 << 28
    else { throw .parameter }
    let text = unsafe ClientText(
      bytes: UnsafeRawBufferPointer(start: textBuf, count: Int(textBytes)))
    let found = Array(try channel.phonemes(text).utf8)
    unsafe SetHandleSize(phonemeBuf, found.count)
    guard MemError() == 0, let memory = unsafe phonemeBuf.pointee else {
      throw SpeechFailure(memFullErr)
    }
    unsafe UnsafeMutableRawPointer(memory).copyMemory(from: found, byteCount: found.count)
    try unsafe store(found.count, phonemeBytes)
  }
}

/// Refuses dictionaries of the form of older systems: `UseSpeechDictionary` reads them as property
/// lists.
///
/// - Returns: -246.
///
/// Context: control.
@c @implementation
public func UseDictionary(_ chan: SpeechChannel?, _ dictionary: MemoryHandle?) -> OSErr {
  withResult { () throws(SpeechFailure) in
    _ = try unsafe Channels.find(chan)
    throw SpeechFailure(badDictFormat)
  }
}

/// Speaks words by the phonemes of a dictionary, whose entries add to earlier ones.
///
/// - Returns: -246 for a dictionary without entries of spelling and phonemes.
///
/// Context: control.
@c @implementation
public func UseSpeechDictionary(
  _ chan: SpeechChannel?, _ speechDictionary: CFDictionaryRef?
) -> OSErr {
  withResult { () throws(SpeechFailure) in
    let channel = try unsafe Channels.find(chan)
    guard let speechDictionary = unsafe speechDictionary else { throw .parameter }
    var words: [String: String] = [:]
    for key in ["DictionaryPronunciations", "DictionaryAbbreviations"] {
      let entries = unsafe SpeechValue.tables(key, of: speechDictionary)
      for place in unsafe entries.indices {
        let entry = unsafe entries[place]
        guard
          let spelling = unsafe SpeechValue(entry: "DictionaryEntrySpelling", of: entry)?.text,
          let phonemes = unsafe SpeechValue(entry: "DictionaryEntryPhonemes", of: entry)?.text,
          !spelling.isEmpty
        else { throw SpeechFailure(badDictFormat) }
        words[spelling.lowercased()] = phonemes
      }
    }
    guard !words.isEmpty else { throw SpeechFailure(badDictFormat) }
    channel.state.withLock { $0.settings.pronunciations.merge(words) { $1 } }
  }
}

/// Refuses modules: a synthesizer is a component.
///
/// - Returns: -4, not implemented.
///
/// Context: any.
@c @implementation
public func SpeechSynthesisRegisterModuleURL(_ url: CFURLRef?) -> OSErr { OSErr(unimpErr) }

/// Refuses modules.
///
/// - Returns: -4, not implemented.
///
/// Context: any.
@c @implementation
public func SpeechSynthesisUnregisterModuleURL(_ url: CFURLRef?) -> OSErr { OSErr(unimpErr) }
