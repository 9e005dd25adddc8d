// Packets from one file into another, with all their metadata.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import CAudioToolbox

/// Copies the packets of a file without decoding them.
///
/// Context: control.
@safe final class PacketCopy {
  private let source: PacketFile
  private let target: PacketFile
  private var packet: Int64 = 0
  private let memory: UnsafeMutableRawBufferPointer
  private let descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
  /// The metadata that the result cannot hold.
  private(set) var notes: [String] = []

  /// Opens both files, whose descriptors stay their owner's; the target is emptied.
  ///
  /// - Throws: The containers' errors: `.fileType`, `.dataFormat` where they cannot be read or written so.
  init(
    from input: Int32, to output: Int32, type: AudioFileTypeID
  ) throws(AudioFileFailure) {
    source = try PacketFile.open(try FileStore(sharing: input))
    let format = source.format
    let made = try FormatTables.completed(format, for: type)
    // Samples in another order of bytes are other packets.
    guard made.mFormatFlags == format.mFormatFlags || made.mFormatID != kAudioFormatLinearPCM,
      made.mBytesPerPacket == format.mBytesPerPacket
    else { throw .dataFormat }
    target = try PacketFile.create(try FileStore(sharing: output), type: type, format: format)
    let largest = try Int(source.largestPacket())
    unsafe memory = .allocate(byteCount: max(largest, 1 << 18), alignment: 64)
    unsafe descriptions = .allocate(capacity: 1024)
    unsafe descriptions.initialize(repeating: AudioStreamPacketDescription())
  }

  deinit {
    unsafe memory.deallocate()
    unsafe descriptions.deallocate()
  }

  /// Copies the data before the sound: cookie, layout and, where wanted, texts.
  func begin(keepsInfo: Bool) throws(AudioFileFailure) {
    if !source.cookie.isEmpty, target.stores(kAudioFilePropertyMagicCookieData) {
      try target.setCookie(source.cookie)
    }
    if let layout = source.layout, target.stores(kAudioFilePropertyChannelLayout) {
      try? target.setLayout(layout)
    }
    guard keepsInfo, target.type == kAudioFileCAFType else { return }
    let info = try source.storedInfo()
    if !info.entries.isEmpty { try target.setInfo(info) }
  }

  /// Copies some packets; false when there are no more.
  func step() throws(AudioFileFailure) -> Bool {
    let isFixed = source.format.mBytesPerPacket > 0
    let descriptions = unsafe descriptions
    let room = unsafe memory.count
    let most = isFixed ? room / Int(source.format.mBytesPerPacket) : descriptions.count
    let delivery = try unsafe source.readPackets(
      from: packet, count: UInt32(clamping: most), into: memory
    ) { index, description in
      if index < descriptions.count { unsafe descriptions[index] = description }
    }
    guard delivery.packetCount > 0, let start = unsafe memory.baseAddress else { return false }
    if isFixed {
      try unsafe target.writePackets(delivery.packetCount, from: packet, start)
    } else {
      _ = try unsafe target.appendPackets(
        from: packet, UnsafeRawBufferPointer(start: start, count: Int(delivery.byteCount)),
        UnsafeBufferPointer(
          rebasing: UnsafeBufferPointer(descriptions)[..<Int(delivery.packetCount)])
      )
    }
    packet += Int64(delivery.packetCount)
    return !delivery.isAtEnd
  }

  /// Writes the trimmed frames of both ends, and completes the file.
  func finish() throws(AudioFileFailure) {
    if let trim = try source.packetTrim() {
      if target.stores(kAudioFilePropertyPacketTableInfo) {
        try target.setTrim(trim)
      } else if trim.mPrimingFrames > 0 || trim.mRemainderFrames > 0 {
        notes.append(
          "the encoder added \(trim.mPrimingFrames) frames before and \(trim.mRemainderFrames) after the "
            + "sound; this kind of file cannot mark them, so they remain")
      }
    }
    try target.flush()
  }
}
