// Values of properties, good and bad: which are kept, which refused, and which may change while initialised.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

/// A value to try: how it is written in the table, and its bytes.
struct TriedValue: Sendable {
  var name: String
  var bytes: [UInt8]

  static func number(_ values: UInt32...) -> [TriedValue] {
    values.map { value in
      TriedValue(name: String(value), bytes: unsafe withUnsafeBytes(of: value) { unsafe Array($0) })
    }
  }

  static func real(_ values: Double...) -> [TriedValue] {
    values.map { value in
      TriedValue(name: "\(value)", bytes: unsafe withUnsafeBytes(of: value) { unsafe Array($0) })
    }
  }

  static func zeros(_ counts: Int...) -> [TriedValue] {
    counts.map { TriedValue(name: "\($0) zeros", bytes: [UInt8](repeating: 0, count: $0)) }
  }

  static func words(_ name: String, _ values: [UInt32]) -> TriedValue {
    TriedValue(name: name, bytes: unsafe values.withUnsafeBytes { unsafe Array($0) })
  }

  /// Strings live as long as the process.
  static func texts(_ values: String...) -> [TriedValue] {
    values.map { value in
      let address = unsafe UInt(bitPattern: makeCFString(value).map { unsafe UnsafeRawPointer($0) })
      return TriedValue(
        name: "'\(value)'", bytes: unsafe withUnsafeBytes(of: address) { unsafe Array($0) })
    }
  }

  static func preset(_ number: Int32, _ name: String?) -> TriedValue {
    let address = unsafe UInt(
      bitPattern: name.flatMap { unsafe makeCFString($0) }.map { unsafe UnsafeRawPointer($0) })
    let words = [UInt(UInt32(bitPattern: number)), address]
    return TriedValue(
      name: "preset \(number)\(name.map { " '\($0)'" } ?? "")",
      bytes: unsafe words.withUnsafeBytes { unsafe Array($0) })
  }

  static func format(
    _ name: String, _ change: (inout AudioStreamBasicDescription) -> Void
  ) -> TriedValue {
    var format = AudioStreamFormat(sampleRate: 48_000, channelCount: 2).asbd
    change(&format)
    return TriedValue(name: name, bytes: unsafe withUnsafeBytes(of: format) { unsafe Array($0) })
  }
}

extension Question {
  private static let formats: [TriedValue] = [
    .format("planar float") { _ in },
    .format("interleaved int16") {
      $0.mFormatFlags = 0xC
      ($0.mBytesPerFrame, $0.mBytesPerPacket, $0.mBitsPerChannel) = (4, 4, 16)
    },
    .format("1 channel") { $0.mChannelsPerFrame = 1 },
    .format("0 channels") { $0.mChannelsPerFrame = 0 },
    .format("rate 0") { $0.mSampleRate = 0 }, .format("rate inf") { $0.mSampleRate = .infinity },
    .format("aac") { $0.mFormatID = kAudioFormatMPEG4AAC },
    .format("bytes that do not fit") { $0.mBytesPerFrame = 3 },
    .format("2 frames a packet") { $0.mFramesPerPacket = 2 },
  ]

  private static let mapping: [TriedValue] = [
    .words("controller 7", [0, 0, 0, 0, 0, 0, 0x07B0, 0]),
    .words("no parameter", [0, 0, 4_000_000, 0, 0, 0, 0x07B0, 0]),
    .words("no status", [0, 0, 0, 0, 0, 0, 0, 0]),
  ]

  private static func layouts() -> [TriedValue] {
    [
      .words("stereo", [kAudioChannelLayoutTag_Stereo, 0, 0]),
      .words("mono", [kAudioChannelLayoutTag_Mono, 0, 0]),
      .words("binaural", [kAudioChannelLayoutTag_Binaural, 0, 0]),
      .words("left and right bits", [kAudioChannelLayoutTag_UseChannelBitmap, 3, 0]),
      .words("two descriptions cut off", [0, 0, 2]),
      .words("no tag", [0x7FFF_0002, 0, 0]),
    ]
  }

  /// The values tried for each property that some unit lets a host set.
  private static let tried: [UInt32: [TriedValue]] = [
    1: TriedValue.zeros(16), 2: TriedValue.real(8000, 48_000, 384_000, 0, -1, .nan, .infinity),
    8: formats, 11: TriedValue.number(1, 2, 8, 0, 4_000_000),
    14: TriedValue.number(1, 64, 4096, 0, .max), 15: TriedValue.zeros(16), 19: layouts(),
    21: TriedValue.number(0, 1, 2), 23: TriedValue.zeros(16),
    25: TriedValue.texts("Track 1", "", "ピアノ"), 26: TriedValue.number(0, 64, 127, 128),
    27: TriedValue.zeros(40, 32, 8), 28: [.preset(0, nil), .preset(999, nil)],
    29: TriedValue.number(0, 1), 30: TriedValue.texts("Bus", ""),
    36: [.preset(0, nil), .preset(999, nil), .preset(-1, "Mine"), .preset(-1, nil)],
    37: TriedValue.number(0, 1), 40: TriedValue.real(0.01, 0, -1, .nan), 41: mapping, 42: mapping,
    43: mapping, 44: mapping, 46: TriedValue.zeros(16), 48: TriedValue.zeros(16),
    49: TriedValue.zeros(16), 51: TriedValue.number(0, 1), 54: TriedValue.texts("Nick", ""),
    63: TriedValue.zeros(8), 65: TriedValue.number(1, 2, 0, 3), 66: TriedValue.number(0, 1024),
    100: TriedValue.zeros(8), 1010: TriedValue.number(0, 1, 99), 1013: TriedValue.number(0, 1),
    2002: [.words("swapped", [1, 0]), .words("none", [.max, .max]), .words("beyond", [7, 0])],
    2010: TriedValue.zeros(24), 2012: TriedValue.number(1, 2, 3, 99),
    3007: TriedValue.number(0, 1),
    3014: TriedValue.number(0x6C69_6E65, 0x6E6F_726D, 0x6261_7473, 0),
    64007: TriedValue.number(0, 1), 64040: TriedValue.zeros(8),
  ]

  /// A row for every property of which something is tried.
  static let values: [Question] = propertyNames.compactMap { id, names in
    tried[id].map { values in
      Question("values of property \(id)", names) { test in answer(id, values, test) }
    }
  }

  private static func answer(_ id: UInt32, _ values: [TriedValue], _ test: UnitUnderTest) -> String
  {
    var scopes: [String] = []
    for scope: UInt32 in 0...5 where test.info(id, scope).isWritable {
      let kept = values.map { "\($0.name): \(notify(id, $0, scope, test))" }
      scopes.append("\(letter(scope)) " + kept.joined(separator: ", "))
    }
    guard !scopes.isEmpty else { return "cannot be set" }
    return scopes.joined(separator: "; ") + "; " + whileInitialised(id, values, test.subject)
  }

  /// Sets one value, and reports whether it is there then.
  private static func notify(
    _ id: UInt32, _ value: TriedValue, _ scope: UInt32, _ test: UnitUnderTest
  ) -> String {
    let value = meant(value, id, test)
    let status = test.setBytes(id, value.bytes, scope)
    guard status == 0 else { return String(status) }
    let read = test.read(id, scope, 0, room: value.bytes.count)
    if read.status == kAudioUnitErr_InvalidProperty { return "taken" }
    if read.status != 0 { return "taken, reads \(read.status)" }
    if read.bytes == value.bytes { return "kept" }
    let isText = [25, 30, 54].contains(id)
    guard isText || [28, 36].contains(id) else { return "changed" }
    return sameText(read.bytes, value.bytes, isText ? 0 : 8) ? "kept" : "changed"
  }

  /// A mapping is of the first parameter that a host may set, where there is one.
  private static func meant(_ value: TriedValue, _ id: UInt32, _ test: UnitUnderTest) -> TriedValue
  {
    guard (41...44).contains(id), value.name != "no parameter",
      let first = try? test.firstParameter()
    else { return value }
    let place = [first.scope, first.element, first.id]
    return TriedValue(
      name: value.name,
      bytes: unsafe place.withUnsafeBytes { unsafe Array($0) } + value.bytes.dropFirst(12))
  }

  /// Whether two values hold equal strings at a place, and the same number before it.
  private static func sameText(_ one: [UInt8], _ other: [UInt8], _ place: Int) -> Bool {
    func text(_ bytes: [UInt8]) -> String? {
      let address = unsafe bytes.withUnsafeBytes {
        unsafe $0.loadUnaligned(fromByteOffset: place, as: UInt.self)
      }
      guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
      return unsafe String(cfString: CFStringRef(pointer))
    }
    // A factory preset is chosen by its number; the four bytes between it and its name hold anything.
    let count = min(place, 4)
    return one.prefix(count) == other.prefix(count)
      && (text(other) == nil || text(one) == text(other))
  }

  /// Reports whether a value that was accepted before is refused once a unit is initialised.
  private static func whileInitialised(
    _ id: UInt32, _ values: [TriedValue], _ subject: Subject
  ) -> String {
    guard let test = try? UnitUnderTest(subject), (try? test.start()) != nil else { return "?" }
    let statuses = (0...5 as ClosedRange<UInt32>).compactMap { scope -> String? in
      guard test.info(id, scope).isWritable else { return nil }
      let codes = values.map { test.setBytes(id, meant($0, id, test).bytes, scope) }
      return "\(letter(scope)) " + codes.map(String.init).joined(separator: " ")
    }
    return "initialised: " + statuses.joined(separator: ", ")
  }
}
