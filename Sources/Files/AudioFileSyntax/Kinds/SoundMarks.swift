// Markers and regions of a file, as all containers share them.
// SPDX-License-Identifier: Apache-2.0

/// A named place in a sound.
package struct SoundMark: Equatable, Sendable {
  /// Its number, which regions and other chunks refer to.
  package var identifier: Int32
  /// Frames from the start of the sound.
  package var frame: Double
  /// Its name.
  package var name: String
  /// The meaning of the mark: a number of `CAFFile.h`.
  package var type: UInt32 = 0
  /// The time of a film; all bytes 0xFF where none is set.
  package var time = SMPTEBytes.unset
  /// The channel, from 1; 0 for all.
  package var channel: UInt16 = 0

  /// Makes a mark.
  package init(identifier: Int32, frame: Double, name: String) {
    self.identifier = identifier
    self.frame = frame
    self.name = name
  }
}

/// Hours, minutes, seconds, frames, and samples behind the frame, as they are in records.
package struct SMPTEBytes: Equatable, Sendable {
  /// Hours, minutes, seconds, frames.
  package var parts: [UInt8]
  /// Samples behind the frame.
  package var offset: UInt32

  /// Makes a time.
  package init(parts: [UInt8], offset: UInt32) {
    self.parts = parts
    self.offset = offset
  }

  /// None.
  package static let unset = SMPTEBytes(parts: [255, 255, 255, 255], offset: 0xFFFF_FFFF)
}

/// A stretch of a sound between marks.
package struct SoundRegion: Equatable, Sendable {
  /// Its number.
  package var identifier: UInt32
  /// Its name.
  package var name: String
  /// The direction of the loop.
  package var flags: UInt32
  /// Its beginning, its end, and the marks between.
  package var marks: [SoundMark]

  /// Makes a region.
  package init(identifier: UInt32, name: String, flags: UInt32, marks: [SoundMark]) {
    self.identifier = identifier
    self.name = name
    self.flags = flags
    self.marks = marks
  }
}

/// All markers or regions of a file, with the kind of film time they use.
package struct SoundMarks: Equatable, Sendable {
  /// The kind of film time; 0 for none.
  package var timeType: UInt32 = 0
  /// The markers.
  package var marks: [SoundMark] = []
  /// The regions.
  package var regions: [SoundRegion] = []

  /// None.
  package init() {}
}

/// The texts of a file, in its order: names of `kAFInfoDictionary_…` and texts.
package struct SoundInfo: Equatable, Sendable {
  /// Names and texts.
  package var entries: [(key: String, text: String)] = []

  /// None.
  package init() {}

  package subscript(key: String) -> String? {
    get { entries.first { $0.key == key }?.text }
    set {
      entries.removeAll { $0.key == key }
      if let newValue { entries.append((key, newValue)) }
    }
  }

  package static func == (one: SoundInfo, other: SoundInfo) -> Bool {
    one.entries.elementsEqual(other.entries, by: ==)
  }
}
