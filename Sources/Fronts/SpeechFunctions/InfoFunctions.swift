// The properties of channels by selectors, as plain memory.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import Synchronization

/// The symbols of phonemes, with a word that has each.
enum PhonemeTable {
  struct Entry {
    var opcode: Int
    var symbol: String
    var example: String
    /// The letters of the example that are it.
    var letters: Range<Int>

    /// As an object.
    var value: SpeechValue {
      .table([
        "Opcode": .number(Double(opcode)), "Symbol": .text(symbol), "Example": .text(example),
        "HiliteStart": .number(Double(letters.lowerBound)),
        "HiliteEnd": .number(Double(letters.upperBound)),
      ])
    }
  }

  /// Symbols and examples, whose letters are between bars.
  private static let words = [
    "% silence", "@ breath", "AE b|a|t", "EY b|ai|t", "AO c|augh|t", "AX |a|bout", "IY b|ee|t",
    "EH b|e|t", "IH b|i|t", "AY b|i|te", "IX ros|e|s", "AA c|o|t", "UW b|oo|t", "UH b|oo|k",
    "UX b|u|d", "OW b|oa|t", "AW b|ou|t", "OY b|oy|", "b |b|in", "C |ch|in", "d |d|in", "D |th|em",
    "f |f|in", "g |g|ain", "h |h|at", "J |j|ump", "k |k|in", "l |l|imb", "m |m|at", "n |n|ap",
    "N ta|ng|", "p |p|in", "r |r|an", "s |s|in", "S |sh|in", "t |t|in", "T |th|in", "v |v|an",
    "w |w|et", "y |y|et", "z |z|oo", "Z mea|s|ure",
  ]

  static let entries: [Entry] = words.enumerated().map { opcode, line in
    let parts = line.split(separator: " ")
    let pieces = parts[1].split(separator: "|", omittingEmptySubsequences: false)
    let start = pieces.count == 3 ? pieces[0].count : 0
    let length = pieces.count == 3 ? pieces[1].count : parts[1].count
    return Entry(
      opcode: opcode, symbol: String(parts[0]), example: pieces.joined(),
      letters: start..<start + length)
  }

  /// Records of the interface behind their number, without gaps.
  static var bytes: [UInt8] {
    func short(_ number: Int) -> [UInt8] {
      let bits = UInt16(truncatingIfNeeded: number)
      return [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
    }
    func text(_ text: String, _ count: Int) -> [UInt8] {
      [UInt8(text.utf8.count)] + text.utf8
        + [UInt8](repeating: 0, count: count - 1 - text.utf8.count)
    }
    return entries.reduce(into: short(entries.count)) { bytes, entry in
      bytes += short(entry.opcode) + text(entry.symbol, 16) + text(entry.example, 32)
      bytes += short(entry.letters.lowerBound) + short(entry.letters.upperBound)
    }
  }
}

/// Sets a property by its selector: the form of the value is beside each in the header.
///
/// - Returns: As `SetSpeechProperty`.
///
/// Context: control.
@c @implementation
public func SetSpeechInfo(
  _ chan: SpeechChannel?, _ selector: OSType, _ speechInfo: UnsafeRawPointer?
) -> OSErr {
  withResult { () throws(SpeechFailure) in
    let channel = try unsafe Channels.find(chan)
    func load<Value>(_ type: Value.Type) throws(SpeechFailure) -> Value {
      guard let speechInfo = unsafe speechInfo else { throw .parameter }
      return unsafe speechInfo.loadUnaligned(as: Value.self)
    }
    switch selector {
    case soRate, soPitchBase, soPitchMod, soVolume:
      try channel.set(selector, .number(load(Fixed.self).number))
    case soInputMode, soCharacterMode, soNumberMode:
      try channel.set(selector, .text(load(OSType.self).code))
    case soCurrentVoice: try channel.set(load(VoiceSpec.self))
    case soCommandDelimiter:
      let bytes = try load((UInt8, UInt8, UInt8, UInt8).self)
      func text(_ first: UInt8, _ second: UInt8) -> String {
        String(decoding: [first, second].filter { $0 != 0 }, as: UTF8.self)
      }
      channel.setDelimiters(text(bytes.0, bytes.1), text(bytes.2, bytes.3))
    case soOutputToFileWithCFURL where unsafe speechInfo != nil:
      unsafe try channel.setFile(speechInfo.map { CFURLRef($0) })
    case soOutputToAudioDevice where unsafe speechInfo != nil:
      try channel.set(selector, .address(UInt(load(AudioDeviceID.self))))
    case soPhonemeOptions: try channel.set(selector, .address(UInt(load(UInt32.self))))
    default:
      // The pointer itself is the value.
      let address = UInt(bitPattern: speechInfo)
      try channel.set(selector, address == 0 ? nil : .address(address))
    }
  }
}

/// The value of a property by its selector.
///
/// - Returns: As `CopySpeechProperty`.
///
/// Context: control.
@c @implementation
public func GetSpeechInfo(
  _ chan: SpeechChannel?, _ selector: OSType, _ speechInfo: UnsafeMutableRawPointer?
) -> OSErr {
  withResult { () throws(SpeechFailure) in
    let channel = try unsafe Channels.find(chan)
    guard let result = unsafe speechInfo else { throw .parameter }
    func put<Value>(_ value: Value) { unsafe result.storeBytes(of: value, as: Value.self) }
    let value = try channel.value(selector)
    func entry(_ key: String) -> Int {
      guard case .table(let entries) = value else { return 0 }
      return Int(entries[key]?.number ?? 0)
    }
    switch selector {
    case soRate, soPitchBase, soPitchMod, soVolume: put(Fixed(rounding: value.number ?? 0))
    case soInputMode, soCharacterMode, soNumberMode:
      put(value.text.flatMap(OSType.init(code:)) ?? 0)
    case soCurrentVoice: put(channel.voice)
    case soRecentSync, soPhonemeOptions, soOutputToAudioDevice:
      put(UInt32(clamping: value.address ?? 0))
    case soStatus:
      put(
        SpeechStatusInfo(
          outputBusy: entry("OutputBusy") != 0, outputPaused: entry("OutputPaused") != 0,
          inputBytesLeft: entry("NumberOfCharactersLeft"),
          phonemeCode: Int16(entry("PhonemeCode"))))
    case soErrors:
      put(
        SpeechErrorInfo(
          count: Int16(clamping: entry("Count")), oldest: OSErr(entry("OldestCode")),
          oldPos: entry("OldestCharacterOffset"), newest: OSErr(entry("NewestCode")),
          newPos: entry("NewestCharacterOffset")))
      channel.state.withLock { $0.errors = SpeechErrors() }
    case soSynthType:
      put(
        SpeechVersionInfo(
          synthType: kTextToSpeechSynthType, synthSubType: channel.voice.creator,
          synthManufacturer: kAudioUnitManufacturer_Apple, synthFlags: 0,
          synthVersion: SpeechManagerVersion()))
    case soPhonemeSymbols:
      let bytes = PhonemeTable.bytes
      guard let handle = unsafe NewHandle(bytes.count), let memory = unsafe handle.pointee else {
        throw SpeechFailure(memFullErr)
      }
      unsafe UnsafeMutableRawPointer(memory).copyMemory(from: bytes, byteCount: bytes.count)
      unsafe put(handle)
    case soCommandDelimiter:
      let (prefix, suffix) = channel.state.withLock { ($0.settings.prefix, $0.settings.suffix) }
      let bytes = [prefix, suffix].flatMap { Array(($0.utf8 + [0, 0]).prefix(2)) }
      unsafe result.copyMemory(from: bytes, byteCount: 4)
    default: put(value.address ?? 0)
    }
  }
}
