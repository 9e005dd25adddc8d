// A sound file as its container holds it: format, packets, cookie, chunks.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// An open sound file: what `AudioFileID` stands for. One caller at a time.
package final class PacketFile {
  /// The container.
  package let type: AudioFileTypeID
  /// The format of the packets.
  package internal(set) var format: AudioStreamBasicDescription
  /// The format with all layers, where a decoder may leave out some; nil where there is one.
  package internal(set) var fullFormat: AudioStreamBasicDescription?
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
  /// Where the sound is when it does not stand together; nil when it does.
  var runs: SoundRuns?
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
  /// Whether the file was there before it was opened.
  var existed = false
  /// Packets that were there when the file was opened: no table takes their room.
  var keptCount = 0
  /// Whether bytes of packets that the table has may not be in the file.
  var isTorn = false
  /// Whether something of the header is not yet as it should be.
  var isDirty = false
  /// Where an ID3 tag is; nil without one.
  package internal(set) var tagOffset: Int64?
  /// Bytes of the tags in front of the sound.
  package internal(set) var tagSize: Int64 = 0
  /// Bits a sample before encoding; 0 where the file does not say.
  package internal(set) var sourceBitDepth: Int32 = 0
  /// The header of an MP4 file that may be changed.
  var movie: MP4Movie?
  /// What is known of an Ogg file.
  var ogg = OggState()
  /// The comments of FLAC and Ogg as they are stored.
  var comments: [UInt8] = []
  /// What stands behind the sizes in the header of a long WAVE file.
  var masterTail: [UInt8] = []
  /// Where the packet behind the last known one is looked for.
  var scannedEnd: Int64 = 0
  /// Bytes that are kept free for a packet table.
  var reservedByteCount: Int64 = 0
  /// The tracks of sound that there are.
  package internal(set) var trackCount = 1
  /// The one that this is of, from 0.
  package private(set) var track = 0

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
    try open(
      BufferedStore(store), hint: hint, fileExtension: fileExtension, isWritable: isWritable)
  }

  static func open(
    _ bytes: BufferedStore, hint: AudioFileTypeID, fileExtension: String = "",
    isWritable: Bool = false
  ) throws(AudioFileFailure) -> PacketFile {
    let head = try bytes.bytes(at: 0, count: 64)
    guard
      let (type, container) = try Containers.recognize(
        head, bytes, hint: hint, fileExtension: fileExtension)
    else { throw .fileType }
    return try PacketFile(
      type, container, bytes, format: AudioStreamBasicDescription(), isWritable: isWritable
    ).loaded()
  }

  /// The same file with another of its tracks; itself with its own.
  ///
  /// - Parameter track: From 0; only MP4 files have more than one.
  /// - Throws: `.parameter` for one that is not there; otherwise as `open`.
  ///
  /// Context: control; this one is not used after another.
  package func choosing(track: Int) throws(AudioFileFailure) -> PacketFile {
    guard (0..<trackCount).contains(track) else { throw .parameter }
    guard track != self.track else { return self }
    try flush()
    let file = PacketFile(
      type, container, bytes, format: AudioStreamBasicDescription(), isWritable: isWritable,
      alignsSound: alignsSound)
    file.track = track
    file.writesSizesAtOnce = writesSizesAtOnce
    return try file.loaded()
  }

  /// Reads what is there.
  private func loaded() throws(AudioFileFailure) -> PacketFile {
    try container.read(self)
    existed = true
    keptCount = table?.count ?? 0
    return self
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

  /// Why what a container must tell is not found: in a stream it may stand behind the sound.
  var missing: AudioFileFailure { bytes.isArriving ? .notOptimized : .broken }

  /// Whether the sound can grow.
  package var isOptimized: Bool { movie.map { !$0.isBehind } ?? chunks?.soundIsLast ?? true }

  /// Whether the container is made of chunks.
  package var hasChunks: Bool { chunks != nil }

  /// Frames that the packets hold, with those that are dropped.
  package func totalFrameCount() throws(AudioFileFailure) -> Int64 {
    if let table = try completeTable(), !table.frames.isEmpty {
      return table.frames.reduce(0) { $0 + Int64($1) }
    }
    return try packetCount() * Int64(format.mFramesPerPacket)
  }

  /// What is dropped at both ends; sound that was added after it was set counts as valid.
  func presentTrim() throws(AudioFileFailure) -> AudioFilePacketTableInfo {
    let (total, old) = (try totalFrameCount(), trim ?? AudioFilePacketTableInfo())
    let valid = total - Int64(old.mPrimingFrames) - Int64(old.mRemainderFrames)
    return AudioFilePacketTableInfo(
      mNumberValidFrames: max(0, valid), mPrimingFrames: old.mPrimingFrames,
      mRemainderFrames: old.mRemainderFrames)
  }

  /// Seconds of sound.
  package func duration() throws(AudioFileFailure) -> Double {
    guard format.mSampleRate > 0 else { return 0 }
    if let trim, trim.mNumberValidFrames > 0 {
      return Double(trim.mNumberValidFrames) / format.mSampleRate
    }
    return Double(try totalFrameCount()) / format.mSampleRate
  }

  /// Bits a second: the bytes of all packets by their duration.
  package func bitRate() throws(AudioFileFailure) -> UInt32 {
    guard format.mBytesPerPacket == 0 || format.mFramesPerPacket == 0 else {
      return try meanBitRate()
    }
    let seconds = Double(try totalFrameCount()) / max(1, format.mSampleRate)
    return seconds > 0 ? UInt32(min(Double(soundByteCount) * 8 / seconds, 4_294_967_295)) : 0
  }

  /// Bits a second of the packets that are known.
  ///
  /// - Throws: `.unknown` where nothing tells how long a packet is.
  package func meanBitRate() throws(AudioFileFailure) -> UInt32 {
    var frames = Double(format.mFramesPerPacket)
    if frames == 0, let table, !table.frames.isEmpty {
      frames = Double(table.frames.reduce(0) { $0 + Int64($1) }) / Double(table.frames.count)
    }
    guard frames > 0 else { throw .unknown }
    return UInt32(min(meanPacketSize * 8 * max(0, format.mSampleRate) / frames, 4_294_967_295))
  }
}
