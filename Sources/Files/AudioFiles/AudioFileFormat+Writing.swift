// The container that a file is written as: one that stores its metadata and has room for its length.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import AudioTypes
import HostSystem

extension AudioFileFormat {
  /// WAV whose channels have places becomes extensible WAV, which can contain them.
  func storingChannels(of metadata: AudioFileMetadata) -> AudioFileFormat {
    let hasPlaces =
      metadata.isAmbisonic
      || channelCount > 2 && metadata.channelMap.count == channelCount
    guard container == .wav, hasPlaces else { return self }
    var extensible = self
    extensible.container = .wavex
    return extensible.writingProblem == nil ? extensible : self
  }

  /// WAV that may come to 4 GiB becomes RF64; the library makes it WAV again if it stays below.
  func enlarged(toHold frameCount: Int?) -> AudioFileFormat {
    guard container == .wav || container == .wavex, byteOrder != .big,
      let frameCount, let bytesPerFrame,
      frameCount.multipliedReportingOverflow(by: bytesPerFrame).overflow
        || frameCount * bytesPerFrame > 0xF000_0000
    else { return self }
    var larger = self
    larger.container = .rf64
    return larger.writingProblem == nil ? larger : self
  }

  /// Fails with a sentence when so many frames of this format make no file.
  func checkWritable(frameCount: Int?, _ path: String) throws(AuricleError) {
    try checkWritable()
    if let limit = container.frameLimit, frameCount ?? 0 > limit { throw tooLong(path) }
    guard let frameCount, let bytesPerFrame,
      let limit = enlarged(toHold: frameCount).container.byteLimit
    else { return }
    let size = frameCount.multipliedReportingOverflow(by: bytesPerFrame)
    if size.overflow || size.partialValue > limit { throw tooLarge(path) }
  }

  /// The failure of a file that would be larger than the size fields of the container.
  func tooLarge(_ path: String) -> AuricleError {
    AuricleError(
      .inputOutput, status: FileStatus.diskFull,
      "cannot write \(path): files of the kind \(container.name) end at "
        + "\(((container.byteLimit ?? 0) + (1 << 29)) >> 30) GiB; use rf64, w64 or caf")
  }

  /// The failure of sound that is too long for the container.
  func tooLong(_ path: String) -> AuricleError {
    AuricleError(
      .inputOutput, status: FileStatus.diskFull,
      "cannot write \(path): files of the kind \(container.name) end at "
        + "\(container.frameLimit ?? 0) frames; choose another container")
  }

  /// Frames that are stored together, where a file has only whole blocks and its length beside.
  var framesPerBlock: Int? {
    // From one block the library reads nothing back.
    if container == .paf, encoding == .pcm24 { return 10 }
    guard container == .sds, let bits = encoding.linearBits else { return nil }
    return SampleDump.samplesPerBlock(bits: bits)
  }
}
