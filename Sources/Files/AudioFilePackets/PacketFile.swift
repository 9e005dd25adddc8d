// A sound file as its container holds it: format, packets, cookie, chunks.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// An open sound file: what `AudioFileID` stands for. One caller at a time.
package final class PacketFile {
  /// The container.
  package let type: AudioFileTypeID
  /// The format of the packets.
  package internal(set) var format: AudioStreamBasicDescription
  /// Whether the file may be changed.
  package let isWritable: Bool
  /// Whether the sound shall begin at a page of memory.
  let alignsSound: Bool

  let bytes: BufferedStore
  let container: any Container.Type

  /// The chunks; nil for containers without any.
  var chunks: ChunkMap?
  /// Where the first byte of sound is.
  package internal(set) var soundOffset: Int64 = 0
  /// Bytes of sound.
  var soundByteCount: Int64 = 0
  /// Packets that differ in size; nil where all are as the format says.
  var table: PacketTable?
  /// Finds packets that are not in the table yet.
  var scanner: (any FrameScanner)?

  /// What a decoder needs; empty for none.
  package internal(set) var cookie: [UInt8] = []
  /// The layout of the channels, as an AudioChannelLayout; nil where the file stores none.
  package internal(set) var layout: [UInt8]?
  /// Frames to drop at both ends; nil where the file does not say.
  package internal(set) var trim: AudioFilePacketTableInfo?
  /// Whether the sizes in the header are written with each change, not at the end alone.
  package var writesSizesAtOnce = false
  /// Whether something of the header is not yet as it should be.
  var isDirty = false
  /// Where an ID3 tag is; nil without one.
  package internal(set) var tagOffset: Int64?
  /// Bytes of the tags in front of the sound.
  package internal(set) var tagSize: Int64 = 0
  /// Bits a sample before encoding; 0 where the file does not say.
  package internal(set) var sourceBitDepth: Int32 = 0
  /// FLAC's comments as they are stored.
  var comments: [UInt8] = []
  /// What stands behind the sizes in the header of a long WAVE file.
  var masterTail: [UInt8] = []
  /// Where the packet behind the last known one is looked for.
  var scannedEnd: Int64 = 0
  /// Bytes that are kept free for a packet table.
  var reservedByteCount: Int64 = 0

  init(
    _ type: AudioFileTypeID, _ container: any Container.Type, _ bytes: BufferedStore,
    format: AudioStreamBasicDescription, isWritable: Bool, alignsSound: Bool = true
  ) {
    self.type = type
    self.container = container
    self.bytes = bytes
    self.format = format
    self.isWritable = isWritable
    self.alignsSound = alignsSound
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - store: Its bytes.
  ///   - hint: The container to try first; 0 for none.
  ///   - fileExtension: What its name ends with, without the dot; empty for none.
  ///   - isWritable: Whether it may be changed.
  /// - Throws: `.fileType` when no container knows it, or what the container finds wrong.
  ///
  /// Context: control.
  package static func open(
    _ store: any ByteStore, hint: AudioFileTypeID = 0, fileExtension: String = "",
    isWritable: Bool = false
  ) throws(AudioFileFailure) -> PacketFile {
    let bytes = BufferedStore(store)
    let head = try bytes.bytes(at: 0, count: 64)
    guard
      let (type, container) = try Containers.recognize(
        head, bytes, hint: hint, fileExtension: fileExtension)
    else { throw .fileType }
    let file = PacketFile(
      type, container, bytes, format: AudioStreamBasicDescription(), isWritable: isWritable)
    try container.read(file)
    return file
  }

  /// Makes a file, and empties its store.
  ///
  /// - Throws: `.fileType` for a container that cannot be written, `.dataFormat` for a format that it cannot hold.
  ///
  /// Context: control.
  package static func create(
    _ store: any ByteStore, type: AudioFileTypeID, format: AudioStreamBasicDescription,
    alignsSound: Bool = true
  ) throws(AudioFileFailure) -> PacketFile {
    guard let container = Containers.writable[type] else { throw .fileType }
    let format = try FormatTables.completed(format, for: type)
    try store.resize(to: 0)
    let file = PacketFile(
      type, container, BufferedStore(store), format: format, isWritable: true,
      alignsSound: alignsSound)
    if format.mBytesPerPacket == 0 { file.table = PacketTable() }
    try container.begin(file)
    file.isDirty = true
    return file
  }

  /// Writes what is still open: sizes, the packet table, bytes in memory.
  package func flush() throws(AudioFileFailure) {
    guard isWritable else { return }
    if isDirty {
      try container.finish(self)
      isDirty = false
    }
    try bytes.flush()
  }

  /// Whether the sound can grow.
  package var isOptimized: Bool { chunks?.soundIsLast ?? true }

  /// Whether the container is made of chunks.
  package var hasChunks: Bool { chunks != nil }

  /// Frames that the packets hold, with those that are dropped.
  package func totalFrameCount() throws(AudioFileFailure) -> Int64 {
    if let table = try completeTable(), !table.frames.isEmpty {
      return table.frames.reduce(0) { $0 + Int64($1) }
    }
    return try packetCount() * Int64(format.mFramesPerPacket)
  }

  /// Seconds of sound.
  package func duration() throws(AudioFileFailure) -> Double {
    guard format.mSampleRate > 0 else { return 0 }
    if let trim, trim.mNumberValidFrames > 0 {
      return Double(trim.mNumberValidFrames) / format.mSampleRate
    }
    return Double(try totalFrameCount()) / format.mSampleRate
  }
}
