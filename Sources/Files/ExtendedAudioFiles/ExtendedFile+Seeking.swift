// Places in a file: to the frame, also within packets, as if all before had been read.
// SPDX-License-Identifier: Apache-2.0

package import AudioFilePackets
package import CAudioToolbox

extension ExtendedFile {
  /// Frames that a filter of the rate receives before the first one that is wanted, at least.
  private static let filterRun = 4096.0
  /// Packets that decoders with a long memory receive before the first one that is wanted.
  private static let longRun: Int64 = 50

  /// Goes to a frame of the file; at the same frame, the converter keeps its state.
  ///
  /// - Throws: -66568 for a place before the sound, while writing, and before the client has a format of linear PCM.
  package func seek(to frame: Int64) throws(AudioFileFailure) {
    guard !isWriting, frame >= 0, clientSamples != nil else { throw .seek }
    guard frame != position else { return }
    try go(to: frame)
  }

  /// Begins to read at a frame.
  func go(to frame: Int64) throws(AudioFileFailure) {
    (base, clientFrames, droppedFrames) = (frame, 0, 0)
    pendingFailure = nil
    frameLimit = nil
    guard let converter else {
      nextPacket = frame
      return
    }
    let ahead = framesAhead(of: frame)
    droppedFrames = Int64((Double(ahead) * ratio).rounded())
    if fileFormat.mFormatID == kAudioFormatLinearPCM || fileFormat.mFramesPerPacket == 1 {
      nextPacket = frame - ahead
    } else {
      let table = try packetTable()
      if let table {
        let valid = max(0, table.mNumberValidFrames - frame)
        frameLimit = Int64((Double(valid) * ratio).rounded())
      }
      let wanted = Int64(table?.mPrimingFrames ?? 0) + frame - ahead
      let first = try startPacket(for: wanted)
      nextPacket = first.packet
      let prime = AudioConverterPrimeInfo(
        leadingFrames: UInt32(clamping: wanted - first.frame),
        trailingFrames: UInt32(clamping: remainder(table)))
      let bytes = unsafe withUnsafeBytes(of: prime) { unsafe Array($0) }
      if converter.set(kAudioConverterPrimeInfo, to: bytes) != noErr {
        // A converter that cannot leave frames out itself.
        droppedFrames += Int64((Double(wanted - first.frame) * ratio).rounded())
      }
    }
    try AudioFileFailure.check(converter.reset())
  }

  /// The frames of a decoder's end that the converter leaves out.
  ///
  /// A decoder fills the last block of FLAC with silence, which the limit of frames leaves out. A file that is cut
  /// short does not have that block.
  private func remainder(_ table: AudioFilePacketTableInfo?) -> Int32 {
    fileFormat.mFormatID == kAudioFormatFLAC ? 0 : table?.mRemainderFrames ?? 0
  }

  /// Frames to read before one for the filter of the rate: so many that frames of both rates fall together there.
  private func framesAhead(of frame: Int64) -> Int64 {
    let (from, to) = (fileFormat.mSampleRate, clientFormat.mSampleRate)
    guard frame > 0, from != to, from >= 1, to >= 1, from == from.rounded(), to == to.rounded(),
      max(from, to) < 1e9
    else { return 0 }
    var (larger, smaller) = (Int64(from), Int64(to))
    while smaller > 0 { (larger, smaller) = (smaller, larger % smaller) }
    let step = Int64(from) / larger
    let run = Int64((Self.filterRun * max(1, from / to)).rounded())
    return min(frame / step, (run + step - 1) / step) * step
  }

  /// The packet from which a decoder delivers a frame as if it had begun at the first packet. Also
  /// the first frame that it delivers then.
  private func startPacket(for frame: Int64) throws(AudioFileFailure) -> (
    packet: Int64, frame: Int64
  ) {
    let id = fileFormat.mFormatID
    let fixed = Int64(fileFormat.mFramesPerPacket)
    return try file.value { (file) throws(AudioFileFailure) in
      let holder = fixed > 0 ? frame / fixed : try Self.packet(of: frame, in: file)
      if id == kAuricleAudioFormatVorbis {
        // The first packet that a decoder receives only begins the frames that the next one ends.
        let first = max(0, holder - max(1, file.rollDistance))
        return (first, try file.frame(ofPacket: min(first + 1, try file.packetCount())))
      }
      let run = id == kAudioFormatOpus ? Self.longRun : file.rollDistance
      let first = max(0, holder - run)
      return (first, fixed > 0 ? first * fixed : try file.frame(ofPacket: first))
    }
  }

  private static func packet(
    of frame: Int64, in file: PacketFile
  ) throws(AudioFileFailure) -> Int64 {
    guard frame < (try file.totalFrameCount()) else { return try file.packetCount() }
    return try file.packet(ofFrame: frame).packet
  }

  /// The frames dropped at both ends: by the client, or by the file.
  package func packetTable() throws(AudioFileFailure) -> AudioFilePacketTableInfo? {
    let stored = try file.value { (file) throws(AudioFileFailure) in try file.packetTrim() }
    guard let override = tableOverride else { return stored }
    let total = try file.value { (file) throws(AudioFileFailure) in try file.totalFrameCount() }
    return Self.resolved(override, stored, total: total)
  }

  /// The numbers of a client, with those of the file where it asks for them.
  static func resolved(
    _ wanted: AudioFilePacketTableInfo, _ stored: AudioFilePacketTableInfo?, total: Int64
  ) -> AudioFilePacketTableInfo {
    let isValid =
      stored.map {
        $0.mPrimingFrames >= 0 && $0.mRemainderFrames >= 0 && $0.mNumberValidFrames >= 0
          && $0.mNumberValidFrames + Int64($0.mPrimingFrames) + Int64($0.mRemainderFrames) <= total
      } ?? false
    func choose<Number: SignedInteger>(_ wanted: Number, _ stored: Number?) -> Number? {
      switch wanted {
      case -1: stored
      case -2: isValid ? stored : nil
      default: max(0, wanted)
      }
    }
    let priming = choose(wanted.mPrimingFrames, stored?.mPrimingFrames) ?? 0
    let remainder = choose(wanted.mRemainderFrames, stored?.mRemainderFrames) ?? 0
    let most = max(0, total - Int64(priming))
    let valid =
      choose(wanted.mNumberValidFrames, stored?.mNumberValidFrames) ?? (most - Int64(remainder))
    return AudioFilePacketTableInfo(
      mNumberValidFrames: min(max(0, valid), most), mPrimingFrames: priming,
      mRemainderFrames: remainder)
  }

  /// Puts numbers in place of the file's packet table.
  package func setPacketTable(_ table: AudioFilePacketTableInfo) throws(AudioFileFailure) {
    let place = position
    tableOverride = table
    if !isWriting, clientSamples != nil { try go(to: place) }
  }
}
