// The operations of a kind of container.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// A kind of container: how it is recognized, read, begun and finished.
protocol Container: SendableMetatype {
  /// The types of file that it reads.
  static var types: [AudioFileTypeID] { get }

  /// The type of a file that begins with these bytes; nil when it is none of this kind.
  static func type(of head: [UInt8]) -> AudioFileTypeID?

  /// Reads the bytes around the sound.
  static func read(_ file: PacketFile) throws(AudioFileFailure)

  /// Finds the sound alone, of any format, from the headers of chunks.
  static func locate(_ file: PacketFile) throws(AudioFileFailure)

  /// The end of the sound of a file without another source of its length.
  static func soundEnd(_ bytes: BufferedStore) throws(AudioFileFailure) -> Int64

  /// Whether a packet can be found anywhere in the sound.
  static var canSync: Bool { get }

  /// The first place from which packets can be found again; nil where none is near.
  static func sync(_ bytes: BufferedStore, from place: Int64) throws(AudioFileFailure) -> Int64?

  /// Writes the bytes in front of the sound of a new file.
  static func begin(_ file: PacketFile) throws(AudioFileFailure)

  /// Puts sizes and tables right.
  static func finish(_ file: PacketFile) throws(AudioFileFailure)

  /// Bytes of the table of the packets behind the sound; 0 for none.
  static func tableSize(_ file: PacketFile) throws(AudioFileFailure) -> Int

  /// Bytes to write for a packet, where the container frames it: a header in front of it.
  static func frameHeader(_ file: PacketFile, packetSize: Int) throws(AudioFileFailure) -> [UInt8]

  /// The markers and regions.
  static func marks(_ file: PacketFile) throws(AudioFileFailure) -> SoundMarks
  /// Stores markers; nil where the container cannot.
  static func setMarks(
    _ file: PacketFile, _ marks: SoundMarks, regions: Bool
  ) throws(AudioFileFailure)
  /// The texts of the file.
  static func info(_ file: PacketFile) throws(AudioFileFailure) -> SoundInfo
  /// Stores the file's metadata.
  static func setInfo(_ file: PacketFile, _ info: SoundInfo) throws(AudioFileFailure)

  /// Whether the container has a place for a property.
  static func stores(_ property: AudioFilePropertyID, _ file: PacketFile) -> Bool
  /// Stores the cookie that the file has now.
  static func storeCookie(_ file: PacketFile) throws(AudioFileFailure)
  /// Stores the layout that the file has now.
  static func storeLayout(_ file: PacketFile) throws(AudioFileFailure)
}

extension Container {
  static func locate(_ file: PacketFile) throws(AudioFileFailure) { try read(file) }
  static func soundEnd(_ bytes: BufferedStore) throws(AudioFileFailure) -> Int64 {
    try bytes.byteCount
  }
  static var canSync: Bool { false }
  static func sync(_ bytes: BufferedStore, from place: Int64) throws(AudioFileFailure) -> Int64? {
    nil
  }
  static func begin(_ file: PacketFile) throws(AudioFileFailure) { throw .fileType }
  static func finish(_ file: PacketFile) throws(AudioFileFailure) {}
  static func tableSize(_ file: PacketFile) throws(AudioFileFailure) -> Int { 0 }
  static func frameHeader(
    _ file: PacketFile, packetSize: Int
  ) throws(AudioFileFailure) -> [UInt8] { [] }
  static func marks(_ file: PacketFile) throws(AudioFileFailure) -> SoundMarks {
    throw .property
  }
  static func setMarks(
    _ file: PacketFile, _ marks: SoundMarks, regions: Bool
  ) throws(AudioFileFailure) { throw .property }
  static func info(_ file: PacketFile) throws(AudioFileFailure) -> SoundInfo { SoundInfo() }
  static func setInfo(_ file: PacketFile, _ info: SoundInfo) throws(AudioFileFailure) {
    throw .property
  }
  static func stores(_ property: AudioFilePropertyID, _ file: PacketFile) -> Bool { false }
  static func storeCookie(_ file: PacketFile) throws(AudioFileFailure) { throw .chunk }
  static func storeLayout(_ file: PacketFile) throws(AudioFileFailure) { throw .property }
}
