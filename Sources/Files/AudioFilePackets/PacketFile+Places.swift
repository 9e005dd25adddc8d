// Packets, frames and bytes in terms of each other.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
package import CAudioToolbox

extension PacketFile {
  /// The first frame of a packet, dropped ones counted.
  package func frame(ofPacket packet: Int64) throws(AudioFileFailure) -> Int64 {
    guard packet >= 0, packet <= (try packetCount()) else { throw .packet }
    if let table, !table.frames.isEmpty {
      return table.frames[..<Int(packet)].reduce(0) { $0 + Int64($1) }
    }
    return packet * Int64(format.mFramesPerPacket)
  }

  /// The packet of a frame, and the frame's place in it.
  package func packet(
    ofFrame frame: Int64
  ) throws(AudioFileFailure) -> (packet: Int64, offset: UInt32) {
    guard frame >= 0 else { throw .parameter }
    if let table = try completeTable(), !table.frames.isEmpty {
      var left = frame
      for (index, count) in table.frames.enumerated() {
        if left < Int64(count) { return (Int64(index), UInt32(left)) }
        left -= Int64(count)
      }
      throw .packet
    }
    let frames = Int64(max(1, format.mFramesPerPacket))
    return (frame / frames, UInt32(frame % frames))
  }

  /// The first byte of a packet, from the start of the sound.
  package func byte(ofPacket packet: Int64) throws(AudioFileFailure) -> Int64 {
    guard packet >= 0 else { throw .packet }
    guard table != nil else { return packet * Int64(format.mBytesPerPacket) }
    try scan(to: packet)
    guard let table, packet < table.count else { throw .packet }
    return table.starts[Int(packet)] - soundOffset
  }

  /// The packet of a byte of the sound, and the byte's place in it.
  package func packet(
    ofByte byte: Int64
  ) throws(AudioFileFailure) -> (packet: Int64, offset: UInt32) {
    guard byte >= 0 else { throw .parameter }
    guard let table = try completeTable() else {
      let size = Int64(max(1, format.mBytesPerPacket))
      return (byte / size, UInt32(byte % size))
    }
    guard let packet = table.packet(atByte: soundOffset + byte) else { throw .packet }
    return (Int64(packet), UInt32(max(0, soundOffset + byte - table.starts[packet])))
  }

  /// The most bytes of a range of packets.
  package func byteCount(
    ofPackets packet: Int64, count: Int64
  ) throws(AudioFileFailure) -> Int64 {
    guard packet >= 0, count >= 0 else { throw .parameter }
    guard let table = try completeTable() else {
      return min(count, max(0, try packetCount() - packet)) * Int64(format.mBytesPerPacket)
    }
    let start = min(packet, Int64(table.count))
    let end = min(start + min(count, Int64(table.count)), Int64(table.count))
    return table.sizes[Int(start)..<Int(end)].reduce(0) { $0 + Int64($1) }
  }

  /// Packets to decode before one, so that it sounds right.
  package var rollDistance: Int64 {
    switch format.mFormatID {
    case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2,
      kAudioFormatMPEG4AAC_LD, kAudioFormatMPEG4AAC_ELD, kAudioFormatMPEGLayer2,
      kAudioFormatMPEGLayer1, kAudioFormatAC3, kAudioFormatEnhancedAC3:
      1
    // The window of a packet ends in the next one.
    case kAuricleAudioFormatVorbis: 1
    // Decoders of speech depend on the packets before, less and less.
    case kAudioFormatMicrosoftGSM, kAudioFormatAMR, kAudioFormatAMR_WB, kAudioFormatQUALCOMM: 50
    // A packet borrows bits from those before: at the lowest rates from as many as ten.
    case kAudioFormatMPEGLayer3: 10
    // 80 ms, as its description demands.
    case kAudioFormatOpus:
      format.mFramesPerPacket > 0
        ? Int64((3840 + format.mFramesPerPacket - 1) / format.mFramesPerPacket) : 4
    default: 0
    }
  }

  /// Stores a cookie.
  ///
  /// - Throws: `.chunk` where the container keeps none.
  package func setCookie(_ cookie: [UInt8]) throws(AudioFileFailure) {
    guard isWritable else { throw .permission }
    guard container.stores(kAudioFilePropertyMagicCookieData, self) else { throw .chunk }
    let old = self.cookie
    self.cookie = cookie
    do throws(AudioFileFailure) {
      try container.storeCookie(self)
    } catch {
      self.cookie = old
      throw error
    }
  }

  /// Stores a layout: the bytes of an AudioChannelLayout.
  package func setLayout(_ layout: [UInt8]) throws(AudioFileFailure) {
    guard isWritable else { throw .permission }
    guard container.stores(kAudioFilePropertyChannelLayout, self) else { throw .property }
    guard ChannelLayoutBytes.isValid(layout) else { throw .size }
    let old = self.layout
    self.layout = ChannelLayoutBytes.trimmed(layout)
    do throws(AudioFileFailure) {
      try container.storeLayout(self)
    } catch {
      self.layout = old
      throw error
    }
  }

  /// Sets the frames dropped at both ends.
  ///
  /// - Throws: `.parameter` when the sum is not that of all packets.
  package func setTrim(_ trim: AudioFilePacketTableInfo) throws(AudioFileFailure) {
    guard isWritable else { throw .permission }
    guard container.stores(kAudioFilePropertyPacketTableInfo, self) else { throw .property }
    let sum =
      trim.mNumberValidFrames.addingReportingOverflow(
        Int64(trim.mPrimingFrames) + Int64(trim.mRemainderFrames))
    guard trim.mPrimingFrames >= 0, trim.mRemainderFrames >= 0, trim.mNumberValidFrames >= 0,
      !sum.overflow, sum.partialValue == (try totalFrameCount())
    else { throw .parameter }
    self.trim = trim
    movie?.hasNewPackets = true
    isDirty = true
    if writesSizesAtOnce { try flush() }
  }

  /// Changes the format of a file that has no sound yet.
  package func setFormat(_ wanted: AudioStreamBasicDescription) throws(AudioFileFailure) {
    guard isWritable else { throw .permission }
    guard soundByteCount == 0, chunks?.soundIsLast ?? true else { throw .unsupported }
    let completed = try FormatTables.completed(wanted, for: type)
    format = completed
    table = completed.mBytesPerPacket == 0 ? PacketTable() : nil
    if chunks == nil { return try container.begin(self) }
    guard let chunked = container as? any ChunkedContainer.Type else { throw .unsupported }
    for (code, body) in try chunked.firstChunks(self) { try setChunk(code, 0, body) }
  }

  /// Keeps room for a packet table of a sound of some seconds in front of it.
  package func reserve(seconds: Double) throws(AudioFileFailure) {
    guard isWritable else { throw .permission }
    guard container.stores(kAudioFilePropertyReserveDuration, self), soundByteCount == 0 else {
      throw .property
    }
    guard seconds.isFinite, seconds >= 0, format.mFramesPerPacket > 0, table != nil else { return }
    let packets = min(seconds * format.mSampleRate / Double(format.mFramesPerPacket), 1e8)
    if let tree = movie?.tree {
      // Four bytes a packet, and a few for each half of a second.
      reservedByteCount = 4096 + 5 * Int64(packets)
      try container.begin(self)
      movie?.tree = tree
      return
    }
    // Three bytes say any size below two million.
    reservedByteCount = 24 + 3 * Int64(packets)
    // The header is written anew.
    if let format = try chunk("desc") { try setChunk(UInt32(code: "desc"), 0, format) }
  }

  /// The markers and regions.
  package func marks() throws(AudioFileFailure) -> SoundMarks { try container.marks(self) }

  /// Stores the markers, or the regions.
  package func setMarks(_ marks: SoundMarks, regions: Bool) throws(AudioFileFailure) {
    guard isWritable else { throw .permission }
    try container.setMarks(self, marks, regions: regions)
  }

  /// Reads the texts about the sound: from the container, and else from the tags around it.
  package func storedInfo() throws(AudioFileFailure) -> SoundInfo {
    var info = try container.info(self)
    guard decoded == nil else { return info }
    // Beside texts of FLAC's own, tags of another kind are left over.
    guard info.entries.isEmpty || type != kAudioFileFLACType else { return info }
    for (key, text) in try tagTexts() where info[key] == nil { info[key] = text }
    return info
  }

  /// Reads the texts of a film whose keys are in a table, as QuickTime writes them.
  ///
  /// Context: control.
  package static func tableTexts(
    of store: any ByteStore
  ) throws(AudioFileFailure) -> [(key: String, text: String)] {
    try MP4Texts.tableTexts(MP4Boxes(bytes: BufferedStore(store)))
  }

  /// Stores the file's metadata; names without a place in the container are left out.
  package func setInfo(_ info: SoundInfo) throws(AudioFileFailure) {
    guard isWritable else { throw .permission }
    try rehearse { (file) throws(AudioFileFailure) in try file.container.setInfo(file, info) }
    try container.setInfo(self, info)
  }

  /// Whether a property has a place in the container.
  package func stores(_ property: AudioFilePropertyID) -> Bool {
    container.stores(property, self)
  }

  /// Puts an ID3 tag in front of the sound of a new file.
  package func setTag(_ tag: [UInt8]) throws(AudioFileFailure) {
    guard isWritable else { throw .permission }
    guard stores(kAudioFilePropertyID3Tag) else { throw .property }
    try bytes.resize(to: 0)
    try bytes.write(tag, at: 0)
    tagOffset = 0
    tagSize = Int64(tag.count)
    soundOffset = tagSize
  }

  /// The ID3 tags in front of the sound; nil without one.
  package func tag() throws(AudioFileFailure) -> [UInt8]? {
    guard tagOffset != nil, tagSize > 0 else { return nil }
    return try bytes.bytes(at: 0, count: Int(min(tagSize, 1 << 28)))
  }
}
