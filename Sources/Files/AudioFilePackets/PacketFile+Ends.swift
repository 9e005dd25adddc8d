// The encoder's padding at both ends of the sound, where that is known before all packets are.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
package import CAudioToolbox

/// Frames at both ends that are no sound.
struct StreamEnds {
  var priming: Int32
  var remainder: Int32 = 0
  /// The number of packets that the remainder was counted for; nil where any number has it.
  var promised: Int64?
}

extension PacketFile {
  /// Returns the frames to drop at both ends; nil where the file does not say. May read the file to its end.
  ///
  /// A stream longer or shorter than its first frame promises has no remainder.
  package func packetTrim() throws(AudioFileFailure) -> AudioFilePacketTableInfo? {
    if let trim { return trim }
    guard let ends else { return nil }
    let promised = ends.promised.map { $0 * Int64(format.mFramesPerPacket) }
    guard !bytes.isArriving || promised != nil else { return nil }
    let total = bytes.isArriving ? promised ?? 0 : try totalFrameCount()
    var remainder = ends.remainder
    if let promised, abs(total - promised) > Int64(format.mFramesPerPacket) { remainder = 0 }
    let priming = Int32(min(Int64(ends.priming), total))
    remainder = Int32(min(Int64(remainder), total - Int64(priming)))
    let made = AudioFilePacketTableInfo(
      mNumberValidFrames: total - Int64(priming) - Int64(remainder), mPrimingFrames: priming,
      mRemainderFrames: remainder)
    if !bytes.isArriving { trim = made }
    return made
  }

  /// The frames to be played. May read the file to its end.
  package func soundFrameCount() throws(AudioFileFailure) -> Int64 {
    if let trim = try packetTrim() { return trim.mNumberValidFrames }
    return try totalFrameCount()
  }

  /// Describes packets that end elsewhere than the file declares, as the end of a sentence; nil where they do not.
  /// May read the file to its end.
  package func endProblem() throws(AudioFileFailure) -> String? {
    if type == kAudioFileFLACType { return try FLACLength.problem(self) }
    if isMovie { return try MP4Container.endProblem(bytes) }
    // Frames of MPEG audio are examined with what follows them.
    guard let frames = container as? any FrameContainer.Type,
      container != MPEGAudioContainer.self, let last = try packetStretches().last
    else { return nil }
    let (place, end) = (last.end - origin, soundOffset + soundByteCount)
    let rest = try bytes.bytes(at: place, count: Int(min(Int64(frames.headerSize), end - place)))
    guard rest.first == frames.firstByte else { return nil }
    let isCut =
      rest.count < frames.headerSize
      || frames.frameLength(rest).map { place + Int64($0) > end } ?? false
    return isCut ? "it is cut short within its last frame" : nil
  }

  /// The stretches of contiguous packets: from and to, in bytes of the file. Reads it to its end.
  package func packetStretches() throws(AudioFileFailure) -> [(start: Int64, end: Int64)] {
    guard let table = try completeTable() else {
      return [(origin + soundOffset, origin + soundOffset + soundByteCount)]
    }
    var found: [(start: Int64, end: Int64)] = []
    for index in 0..<table.count {
      let (start, end) = (origin + table.starts[index], origin + table.end(of: index))
      if let last = found.last, last.end == start {
        found[found.count - 1].end = end
      } else {
        found.append((start, end))
      }
    }
    return found
  }
}
