// The numbers of meta events, and the text and keys in them.
// SPDX-License-Identifier: Apache-2.0

/// The type of a meta event; any number may be in a file.
package struct MIDIMetaType: RawRepresentable, Sendable, Equatable {
  /// The number in the file.
  package let rawValue: UInt8

  /// A type of a number.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Any text.
  package static let text = MIDIMetaType(rawValue: 0x01)
  /// The copyright.
  package static let copyright = MIDIMetaType(rawValue: 0x02)
  /// The name of a track, of the piece in the first.
  package static let trackName = MIDIMetaType(rawValue: 0x03)
  /// The instrument of a track.
  package static let instrument = MIDIMetaType(rawValue: 0x04)
  /// A syllable.
  package static let lyric = MIDIMetaType(rawValue: 0x05)
  /// A place in the piece.
  package static let marker = MIDIMetaType(rawValue: 0x06)
  /// Something to happen at a place.
  package static let cue = MIDIMetaType(rawValue: 0x07)
  /// The channel of the meta events and SysEx that follow.
  package static let channelPrefix = MIDIMetaType(rawValue: 0x20)
  /// The end of a track, which `MIDIFileTrack.length` holds.
  package static let endOfTrack = MIDIMetaType(rawValue: 0x2F)
  /// Microseconds a beat, three bytes.
  package static let tempo = MIDIMetaType(rawValue: 0x51)
  /// The start of a track in time code, five bytes.
  package static let timeCodeOffset = MIDIMetaType(rawValue: 0x54)
  /// Beats a bar, the power of two of the beat's note, clocks a click, 32nds a quarter.
  package static let meter = MIDIMetaType(rawValue: 0x58)
  /// Sharps (negative: flats), and 1 for minor.
  package static let key = MIDIMetaType(rawValue: 0x59)
}

/// Text in meta events, which have no encoding of their own.
package enum MIDIText {
  /// Decodes bytes as text: UTF-8 where they are that, else Latin-1; without blanks at both ends.
  ///
  /// Control characters become blanks.
  package static func decoded(_ bytes: [UInt8]) -> String {
    let text =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    let plain = text.unicodeScalars.map { isControl($0) ? " " : $0 }
    let inner = plain.drop { $0 == " " }
    let end = inner.lastIndex { $0 != " " }.map { $0 + 1 } ?? inner.startIndex
    return String(String.UnicodeScalarView(inner[inner.startIndex..<end]))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }
}

/// Keys in meta events.
package enum MIDIKey {
  /// The name of a key of sharps or flats; nil for none.
  package static func name(_ bytes: [UInt8]) -> String? {
    guard bytes.count >= 2, bytes[1] < 2 else { return nil }
    let sharps = Int(Int8(bitPattern: bytes[0]))
    guard (-7...7).contains(sharps) else { return nil }
    let names = [
      "F flat", "C flat", "G flat", "D flat", "A flat", "E flat", "B flat", "F", "C", "G", "D", "A",
      "E", "B", "F sharp", "C sharp", "G sharp", "D sharp", "A sharp",
    ]
    return names[sharps + (bytes[1] == 1 ? 11 : 8)] + (bytes[1] == 1 ? " minor" : " major")
  }
}
