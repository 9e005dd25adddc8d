// The passages of a text: each is spoken in one manner, and its characters have their places in the text.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

/// A passage, as a speech unit says it.
struct Passage: Sendable {
  var text = ""
  var record = AuricleSpeechPassage(
    rate: 0, pitch: 0, range: 1, gain: 1, silence: 0, flags: 0, byteCount: 0)
  /// The place of each character (Unicode scalar) of the text in the caller's, and its length
  /// there.
  var origins: [Range<Int>] = []
  /// A message that is reported where the passage begins.
  var sync: OSType?

  /// The place in the caller's text of characters of the text; nil for one without a place.
  func origin(of position: Int, length: Int) -> Range<Int>? {
    guard origins.indices.contains(position) else { return nil }
    let last = min(max(position + length - 1, position), origins.count - 1)
    return origins[position]
      .lowerBound..<max(
        origins[position].upperBound, origins[last].upperBound)
  }
}

/// The caller's text.
///
/// @unchecked Sendable because the string does not change.
@safe final class ClientText: @unchecked Sendable {
  let text: String
  /// Whether places are counted in bytes; else in UTF-16.
  let countsBytes: Bool
  /// The same, for callbacks.
  let string: CFStringRef?
  /// Where each scalar begins in bytes and in UTF-16, and the end.
  private let places: [(bytes: Int, units: Int)]

  init(_ text: String, countsBytes: Bool) {
    self.text = text
    self.countsBytes = countsBytes
    unsafe string = makeCFString(text)
    var places = [(bytes: 0, units: 0)]
    places.reserveCapacity(text.utf8.count + 1)
    for scalar in text.unicodeScalars {
      let last = places[places.count - 1]
      places.append((last.bytes + UTF8.width(scalar), last.units + UTF16.width(scalar)))
    }
    self.places = places
  }

  /// Decodes bytes of a program: UTF-8, or else the encoding of older systems.
  convenience init(bytes: UnsafeRawBufferPointer) {
    let text =
      unsafe String(validating: bytes, as: UTF8.self)
      ?? String(
        consumingCFString: CFStringCreateWithBytes(
          nil, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count,
          CFStringEncoding(kCFStringEncodingMacRoman), false)) ?? ""
    self.init(text, countsBytes: true)
  }

  deinit { if let string = unsafe string { unsafe CFRelease(UnsafeRawPointer(string)) } }

  /// The place and length of a range of scalars, in bytes or in UTF-16.
  func counted(_ range: Range<Int>, inBytes: Bool) -> (place: Int, length: Int) {
    let start = places[min(range.lowerBound, places.count - 1)]
    let end = places[min(range.upperBound, places.count - 1)]
    return inBytes
      ? (start.bytes, end.bytes - start.bytes) : (start.units, end.units - start.units)
  }

  /// The same as its functions count.
  func counted(_ range: Range<Int>) -> (place: Int, length: Int) {
    counted(range, inBytes: countsBytes)
  }

  /// The length, as its functions count.
  var count: Int { places.last.map { countsBytes ? $0.bytes : $0.units } ?? 0 }
}
