// What a file holds beside its sound: texts, marks, broadcast data, instrument, channel places.
// SPDX-License-Identifier: Apache-2.0

import CSndFile

/// Texts and other data of an audio file, to be carried over to another one.
public struct AudioFileMetadata: Sendable, Equatable {
  /// A kind of text.
  public enum TextKey: String, CaseIterable, Sendable {
    /// The title.
    case title
    /// Who may copy it.
    case copyright
    /// The program that made it.
    case software
    /// Who made it.
    case artist
    /// Anything.
    case comment
    /// When it was made.
    case date
    /// The album it belongs to.
    case album
    /// Under which licence it may be used.
    case license
    /// The number on the album.
    case trackNumber = "track number"
    /// The kind of music.
    case genre

    var soundFileKind: Int {
      switch self {
      case .title: SF_STR_TITLE
      case .copyright: SF_STR_COPYRIGHT
      case .software: SF_STR_SOFTWARE
      case .artist: SF_STR_ARTIST
      case .comment: SF_STR_COMMENT
      case .date: SF_STR_DATE
      case .album: SF_STR_ALBUM
      case .license: SF_STR_LICENSE
      case .trackNumber: SF_STR_TRACKNUMBER
      case .genre: SF_STR_GENRE
      }
    }
  }

  /// The texts.
  public var texts: [TextKey: String] = [:]
  /// Marks within the sound.
  public var cuePoints: [AudioCuePoint] = []
  /// Which loudspeaker each channel is for, in the file library's numbers; empty when not told.
  public var channelMap: [Int32] = []
  /// The broadcast extension (`bext`), as the file library lays it out; empty when there is none.
  public var broadcastExtension: [UInt8] = []
  /// The radio traffic data (`cart`), as the file library lays it out; empty when there is none.
  public var cart: [UInt8] = []
  /// Key, velocity and loops of a sampled instrument, as the file library lays them out.
  public var instrument: [UInt8] = []
  /// Whether the channels are an ambisonic B-format.
  public var isAmbisonic = false

  /// Nothing at all.
  public init() {}

  /// The text of a kind; setting nil removes it.
  public subscript(key: TextKey) -> String? {
    get { texts[key] }
    set { texts[key] = newValue }
  }

  /// Whether there is nothing.
  public var isEmpty: Bool { self == AudioFileMetadata() }
}

/// A mark within a file.
public struct AudioCuePoint: Sendable, Equatable {
  /// The mark's number within its file.
  public var identifier: Int32
  /// The frame in the order of playing.
  public var position: UInt32
  /// The frame in the file's sound.
  public var frame: UInt32
  /// The name; may be empty.
  public var name: String

  /// Makes a mark at a frame.
  public init(identifier: Int32, frame: UInt32, name: String = "") {
    self.identifier = identifier
    position = frame
    self.frame = frame
    self.name = name
  }
}

extension AudioFileMetadata {
  /// The same for a file of another sample rate: positions counted in frames are multiplied.
  public func scalingPositions(by factor: Double) -> AudioFileMetadata {
    guard factor != 1, factor > 0 else { return self }
    var scaled = self
    for index in scaled.cuePoints.indices {
      scaled.cuePoints[index].position = Self.scale(cuePoints[index].position, factor)
      scaled.cuePoints[index].frame = Self.scale(cuePoints[index].frame, factor)
    }
    if broadcastExtension.count >= MemoryLayout<SF_BROADCAST_INFO>.size {
      unsafe scaled.broadcastExtension.withUnsafeMutableBytes { bytes in
        guard let low = MemoryLayout<SF_BROADCAST_INFO>.offset(of: \.time_reference_low),
          let high = MemoryLayout<SF_BROADCAST_INFO>.offset(of: \.time_reference_high)
        else { return }
        let reference =
          UInt64(unsafe bytes.loadUnaligned(fromByteOffset: low, as: UInt32.self))
          | UInt64(unsafe bytes.loadUnaligned(fromByteOffset: high, as: UInt32.self)) << 32
        let moved = UInt64((Double(reference) * factor).rounded())
        unsafe bytes.storeBytes(
          of: UInt32(truncatingIfNeeded: moved), toByteOffset: low, as: UInt32.self)
        unsafe bytes.storeBytes(
          of: UInt32(truncatingIfNeeded: moved >> 32), toByteOffset: high, as: UInt32.self)
      }
    }
    if instrument.count == MemoryLayout<SF_INSTRUMENT>.size {
      unsafe scaled.instrument.withUnsafeMutableBytes { bytes in
        let loops = AuricleInstrumentLoopsOffset
        // Sixteen loops of mode, start, end, count: the second and the third are frames.
        for field in 0..<16 {
          for offset in [loops + field * 16 + 4, loops + field * 16 + 8] {
            let frame = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            unsafe bytes.storeBytes(
              of: Self.scale(frame, factor), toByteOffset: offset, as: UInt32.self)
          }
        }
      }
    }
    return scaled
  }

  private static func scale(_ frame: UInt32, _ factor: Double) -> UInt32 {
    UInt32(min((Double(frame) * factor).rounded(), Double(UInt32.max)))
  }
}
