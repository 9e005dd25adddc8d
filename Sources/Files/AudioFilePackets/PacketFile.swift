// A sound file as its container holds it: format, packets, cookie, chunks.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
package import CAudioToolbox

/// An open sound file behind an `AudioFileID`. One caller at a time.
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
  /// The bytes with those in front of the container.
  private let whole: BufferedStore
  let container: any Container.Type

  /// The chunks; nil for containers without any.
  var chunks: ChunkMap?
  /// Bytes in front of the container: tags that belong to another kind of file.
  package let origin: Int64
  /// Place of the first byte of sound, from the first byte of the container on.
  package internal(set) var soundOffset: Int64 = 0
  /// Bytes of sound.
  var soundByteCount: Int64 = 0
  /// The stretches of the sound when it is not contiguous; nil when it is.
  var runs: SoundRuns?
  /// Packets that differ in size; nil where all are as the format says.
  var table: PacketTable?
  /// Finds packets that are not in the table yet.
  var scanner: (any FrameScanner)?

  /// The configuration of a decoder; empty for none.
  package internal(set) var cookie: [UInt8] = []
  /// The layout of the channels, as an AudioChannelLayout; nil where the file stores none.
  package internal(set) var layout: [UInt8]?
  /// The source of the sound's length, where no chunk has it.
  var storedLength = SoundExtent.Length.stored
  /// The frames to drop by the first frame or the kind of the stream; nil where `trim` has them, or nothing does.
  var ends: StreamEnds?
  /// The packets that a first frame promises; nil without one.
  package internal(set) var promisedPacketCount: Int64?
  /// Bytes of that first frame, which lies in front of the sound; 0 without one.
  package internal(set) var informationSize: Int64 = 0
  /// Frames to drop at both ends, as stored; `packetTrim` has them for every kind of file.
  var trim: AudioFilePacketTableInfo?
  /// Whether the sizes in the header are written with each change, not at the end alone.
  package var writesSizesAtOnce = false
  /// Whether the file was there before it was opened.
  var existed = false
  /// Packets that were there when the file was opened: no table may use their room.
  var keptCount = 0
  /// Whether bytes of packets that the table has may not be in the file.
  var isTorn = false
  /// Whether something of the header is not yet as it should be.
  var isDirty = false
  /// Place of an ID3 tag; nil without one.
  package internal(set) var tagOffset: Int64?
  /// Bytes of the tags in front of the sound.
  package internal(set) var tagSize: Int64 = 0
  /// Packets that the table of the file counts, and that are not in it.
  package internal(set) var lostPacketCount: Int64 = 0
  /// Bits a sample before encoding; 0 where the file does not say.
  package internal(set) var sourceBitDepth: Int32 = 0
  /// The header of an MP4 file that may be changed.
  var movie: MP4Movie?
  /// The state of an Ogg file.
  var ogg = OggState()
  /// The comments of FLAC and Ogg as they are stored.
  var comments: [UInt8] = []
  /// The bytes behind the sizes in the header of a long WAVE file.
  var masterTail: [UInt8] = []
  /// The place where the packet behind the last known one is searched.
  var scannedEnd: Int64 = 0
  /// Bytes that are kept free for a packet table.
  var reservedByteCount: Int64 = 0
  /// The sound of a file that is decoded; nil for files of packets.
  var decoded: DecodedSound?
  /// The tracks of sound that there are.
  package internal(set) var trackCount = 1
  /// The one that this is of, from 0.
  package private(set) var track = 0

  init(
    _ type: AudioFileTypeID, _ container: any Container.Type, _ bytes: BufferedStore,
    format: AudioStreamBasicDescription, isWritable: Bool, alignsSound: Bool = true,
    origin: Int64 = 0, whole: BufferedStore? = nil
  ) {
    self.origin = origin
    self.whole = whole ?? bytes
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
  ///   - fileExtension: The end of its name, without the dot; empty for none.
  ///   - isWritable: Whether it may be changed.
  /// - Throws: `.fileType` when no container knows it, or the container's error.
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
    _ store: BufferedStore, hint: AudioFileTypeID, fileExtension: String = "",
    isWritable: Bool = false
  ) throws(AudioFileFailure) -> PacketFile {
    try recognized(
      store, hint: hint, fileExtension: fileExtension, isWritable: isWritable
    ).loaded()
  }

  /// Returns the place of the sound in a file of chunks, of any format; nil for another file, and for one without
  /// sound.
  ///
  /// Context: control.
  package static func extent(of store: any ByteStore) -> SoundExtent? {
    do throws(AudioFileFailure) {
      let file = try recognized(BufferedStore(store), hint: 0, fileExtension: "", isWritable: false)
      guard file.container is any ChunkedContainer.Type || file.container == NextContainer.self
      else { return nil }
      try file.container.locate(file)
      return file.extent
    } catch { return nil }
  }

  /// The place of the sound, and the method of finding its length.
  package var extent: SoundExtent {
    let entry = chunks.flatMap { chunks in chunks.soundIndex.map { chunks.entries[$0] } }
    return SoundExtent(
      origin: origin, start: soundOffset, body: entry?.body ?? soundOffset,
      byteCount: soundByteCount, length: chunks?.length ?? storedLength)
  }

  /// A file of a kind that is known, of which nothing is read yet.
  private static func recognized(
    _ store: BufferedStore, hint: AudioFileTypeID, fileExtension: String, isWritable: Bool
  ) throws(AudioFileFailure) -> PacketFile {
    let (origin, bytes) = try container(in: store)
    let head = try bytes.bytes(at: 0, count: 64)
    guard
      let (type, container) = try Containers.recognize(
        head, bytes, hint: hint, fileExtension: fileExtension)
    else { throw .fileType }
    return PacketFile(
      type, container, bytes, format: AudioStreamBasicDescription(), isWritable: isWritable,
      origin: origin, whole: store)
  }

  /// First bytes of all kinds with a magic number, but for MP4.
  private static let magicBytes = Set("RFBcr.dOf#".utf8).union(OtherKinds.firstBytes)

  /// Returns the start of a file's content behind the tags in front, of any kind.
  ///
  /// Context: control.
  package static func origin(of store: any ByteStore) -> Int64 {
    let bytes = BufferedStore(store)
    let tags = (try? TagPlaces.leadingEnd(bytes)) ?? 0
    return ((try? contentStart(in: bytes, behind: tags)) ?? nil) ?? tags
  }

  /// Returns the end of the first streams of an Ogg file when others follow, in bytes behind its start; nil for other
  /// files.
  ///
  /// Context: control.
  package static func chainEnd(of store: any ByteStore, from start: Int64) -> Int64? {
    let end = try? OggContainer.chainEnd(BufferedStore(store), from: start)
    return (end ?? nil).map { $0 - start }
  }

  /// The start of a container behind leading tags or other bytes, and the bytes from there on.
  ///
  /// Tags in front of frames are part of their file.
  private static func container(
    in store: BufferedStore
  ) throws(AudioFileFailure) -> (origin: Int64, bytes: BufferedStore) {
    let end = try TagPlaces.leadingEnd(store)
    guard end > 0 || !store.isArriving, let place = try contentStart(in: store, behind: end),
      place > 0
    else { return (0, store) }
    // Frames within other kinds are no bare stream.
    guard try begins(store, at: place) else { throw .fileType }
    return (place, store.from(place))
  }

  private static func begins(
    _ store: BufferedStore, at place: Int64
  ) throws(AudioFileFailure) -> Bool {
    let head = try store.bytes(at: place, count: 64)
    return Containers.all.contains { $0.type(of: head) != nil }
  }

  /// The place near the end of tags where a file with a mark begins, as the size of a tag may be a little wrong; nil for
  /// frames, which have none.
  private static func contentStart(
    in store: BufferedStore, behind end: Int64
  ) throws(AudioFileFailure) -> Int64? {
    func isStart(_ place: Int64) throws(AudioFileFailure) -> Bool {
      if try begins(store, at: place) { return true }
      return try OtherKinds.begins(store, at: place)
    }
    if try isStart(end) { return end }
    guard try !FrameStreams.begins(store, at: end) else { return nil }
    let reach: Int64 = 4096
    let first = max(1, min(try TagPlaces.contentEnd(store), end), end - reach)
    let block = try store.bytes(at: first, count: Int(end + reach - first))
    for offset in block.indices.dropLast(8)
    where magicBytes.contains(block[offset]) || block.code(at: offset + 4) == UInt32(code: "ftyp") {
      let place = first + Int64(offset)
      if try isStart(place) { return place }
    }
    return nil
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
      alignsSound: alignsSound, origin: origin, whole: whole)
    file.track = track
    file.writesSizesAtOnce = writesSizesAtOnce
    return try file.loaded()
  }

  /// Reads the content.
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

  /// The failure where necessary data is not found: in a stream it may be behind the sound.
  var missing: AudioFileFailure { bytes.isArriving ? .notOptimized : .broken }

  /// Whether the sound can grow.
  package var isOptimized: Bool { movie.map { !$0.isBehind } ?? chunks?.soundIsLast ?? true }

  /// The texts of the tags around the container.
  func tagTexts() throws(AudioFileFailure) -> [(key: String, text: String)] {
    try TagPlaces.texts(whole).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Whether the container is that of MP4 and QuickTime.
  package var isMovie: Bool { container == MP4Container.self }

  /// Whether the container is Ogg.
  package var isOgg: Bool { type == kAuricleAudioFileOggType }

  /// Whether the container is made of chunks.
  package var hasChunks: Bool { chunks != nil }

  /// Returns the frames of the packets, dropped ones included.
  package func totalFrameCount() throws(AudioFileFailure) -> Int64 {
    if let table = try completeTable(), !table.frames.isEmpty {
      return table.frames.reduce(0) { $0 + Int64($1) }
    }
    return try packetCount() * Int64(format.mFramesPerPacket)
  }

  /// The frames dropped at both ends; sound that was added after it was set counts as valid.
  func presentTrim() throws(AudioFileFailure) -> AudioFilePacketTableInfo {
    let total = try totalFrameCount()
    let old = try packetTrim() ?? AudioFilePacketTableInfo()
    let valid = total - Int64(old.mPrimingFrames) - Int64(old.mRemainderFrames)
    return AudioFilePacketTableInfo(
      mNumberValidFrames: max(0, valid), mPrimingFrames: old.mPrimingFrames,
      mRemainderFrames: old.mRemainderFrames)
  }

  /// Seconds of sound.
  package func duration() throws(AudioFileFailure) -> Double {
    guard format.mSampleRate > 0 else { return 0 }
    if let trim = try packetTrim(), trim.mNumberValidFrames > 0 {
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
  /// - Throws: `.unknown` where the length of a packet is unknown.
  package func meanBitRate() throws(AudioFileFailure) -> UInt32 {
    var frames = Double(format.mFramesPerPacket)
    if frames == 0, let table, !table.frames.isEmpty {
      frames = Double(table.frames.reduce(0) { $0 + Int64($1) }) / Double(table.frames.count)
    }
    guard frames > 0 else { throw .unknown }
    return UInt32(min(meanPacketSize * 8 * max(0, format.mSampleRate) / frames, 4_294_967_295))
  }
}
