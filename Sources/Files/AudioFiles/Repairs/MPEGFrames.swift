// The frames of an MPEG audio file as its decoder is to find them, and their damage.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileParsing
import AudioFileSyntax
import CAudioToolbox

/// The frames of an MPEG audio file.
///
/// The decoder guesses the number of frames where no first frame has it. It skips broken frames without a report,
/// and decodes bytes in front as sound. So it gets the frames that were found, behind a correct first frame.
struct MPEGFrames {
  /// The frames with sound.
  let count: Int
  /// Their bytes.
  let byteCount: Int
  /// Samples a channel in each.
  let samplesPerFrame: Int
  /// Samples a channel of the sound.
  let sampleCount: Int
  /// From the first frame with sound to the end of the last one.
  let sound: Range<Int>
  /// The damage, as the end of a sentence; nil when the frames are whole.
  private(set) var problem: String?
  /// A remark about the frames, which is no damage; nil without one.
  private(set) var note: String?
  /// The bytes for the decoder in place of the file; nil where the file is right as it is.
  private(set) var view: [FileStream.Part]?
  /// Changes of a WAVE file around its frames.
  private(set) var patches: [FileStream.Patch] = []

  /// Reads the frames of a file, or of the sound of a WAVE file; nil for other files.
  init?(_ stream: FileStream, _ file: PacketFile) {
    let isInWave =
      file.type == kAudioFileWAVEType && file.format.mFormatID == kAudioFormatMPEGLayer3
    guard
      isInWave || [kAudioFileMP3Type, kAudioFileMP2Type, kAudioFileMP1Type].contains(file.type)
    else { return nil }
    do throws(AudioFileFailure) {
      count = Int(try file.packetCount())
      // Tags in front of WAVE are none of its decoder's business.
      let front = isInWave ? file.origin : 0
      let stretches = try file.packetStretches().map { Int($0.start - front)..<Int($0.end - front) }
      let start = Int(file.origin - front + file.soundOffset)
      sound = (stretches.first?.lowerBound ?? start)..<(stretches.last?.upperBound ?? start)
      byteCount = stretches.reduce(0) { $0 + $1.count }
      samplesPerFrame = Int(file.format.mFramesPerPacket)
      sampleCount = Int(try file.soundFrameCount())
      guard count > 0 || file.informationSize > 0 else { return nil }
      problem = try isInWave ? Self.gap(stretches) : Self.problem(stream, file, stretches)
      let promised = file.promisedPacketCount.map { Int($0) }
      if problem == nil, let promised { comparePromise(promised, stream, file) }
      if isInWave {
        try makePatches(stream, file, stretches)
      } else {
        try makeView(stream, file, stretches)
      }
    } catch { return nil }
  }

  /// Bits a second of the frames with sound, at a sample rate in Hz; nil without such frames.
  func bitRate(sampleRate: Double) -> Int? {
    guard count > 0, samplesPerFrame > 0 else { return nil }
    return Int((Double(byteCount) * 8 * sampleRate / Double(count * samplesPerFrame)).rounded())
  }

  /// Describes foreign bytes between the frames; nil without any.
  private static func gap(_ stretches: [Range<Int>]) -> String? {
    guard stretches.count > 1, let place = stretches.first?.upperBound else { return nil }
    return missing(place)
  }

  private static func missing(_ place: Int) -> String {
    "there is no frame at byte \(place), where one should begin"
  }

  /// Describes foreign bytes between the frames and behind them; nil without any.
  private static func problem(
    _ stream: FileStream, _ file: PacketFile, _ stretches: [Range<Int>]
  ) throws(AudioFileFailure) -> String? {
    var places = stretches.dropLast().map(\.upperBound)
    places.append(stretches.last?.upperBound ?? Int(file.origin + file.soundOffset))
    let trailer = FrameTrailer(stream)
    for (index, place) in places.enumerated() {
      let next = index + 1 < stretches.count ? stretches[index + 1].lowerBound : stream.length
      let (end, hasZeros) = trailer.end(at: place)
      if index + 1 < stretches.count {
        // Files that were joined have their tags in the middle, and no zeros.
        guard end == next, !hasZeros else {
          return missing(place)
        }
      } else if end < next, end > place,
        MPEGAudioHeader(stream.bytes(at: end, count: 4)) != nil
      {
        return
          "frames of another kind follow at byte \(end): make one sound of both by "
          + "'ffmpeg -i FILE OUT.flac', or read the first with --tolerant"
      } else if end < next, hasZeros || !trailer.begins(at: place) {
        let head = MPEGAudioHeader(stream.bytes(at: place, count: 4))
        return head == nil ? missing(place) : "it is cut short within its last frame"
      }
    }
    return nil
  }

  /// Compares the frames with the number that the first frame has.
  private mutating func comparePromise(_ promised: Int, _ stream: FileStream, _ file: PacketFile) {
    let size = Int(file.informationSize)
    if count < promised - 1 {
      problem = "it holds \(count) frames, but its header promises \(promised)"
    } else if count > promised + 1 {
      note = "its first frame promises \(promised) frames, and \(count) are there: all were read"
    } else if let checksum = MP3Checksum(stream, frameAt: sound.lowerBound - size, size: size) {
      problem = checksum.problem(stream, soundEnd: sound.upperBound)
    }
  }

  /// Assembles the decoder's view.
  private mutating func makeView(
    _ stream: FileStream, _ file: PacketFile, _ stretches: [Range<Int>]
  ) throws(AudioFileFailure) {
    guard count > 0,
      let header = MPEGAudioHeader(stream.bytes(at: sound.lowerBound, count: 4))
    else { return }
    // A first frame that is right, with nothing but frames behind it, stays as it is.
    let front = sound.lowerBound - Int(file.informationSize)
    // The decoder passes over ID3 alone, and finds no first frame behind other tags.
    if try isRight(file, stretches), try Self.id3End(stream) == Int64(front) { return }
    guard let beginning = try beginning(before: header, file) else {
      // For layers I and II the decoder leaves nothing out.
      view = stretches.map { .stored($0) }
      return
    }
    view = [.made(beginning)] + stretches.map { .stored($0) }
  }

  /// The end of the ID3 tags that a file begins with; 0 without any.
  private static func id3End(_ stream: FileStream) throws(AudioFileFailure) -> Int64 {
    let bytes = BufferedStore(StoredBytes(stream))
    var place: Int64 = 0
    while stream.bytes(at: Int(place), count: 3).elementsEqual("ID3".utf8),
      let end = try TagPlaces.end(bytes, at: place)
    {
      place = end
    }
    return place
  }

  /// Whether the first frame has the number of those that follow it without a gap, and the delays.
  private func isRight(
    _ file: PacketFile, _ stretches: [Range<Int>]
  ) throws(AudioFileFailure) -> Bool {
    try file.packetTrim() != nil && file.promisedPacketCount == Int64(count) && stretches.count == 1
  }

  /// The frames that are to precede those with sound; nil for layers without such a frame.
  private func beginning(
    before header: MPEGAudioHeader, _ file: PacketFile
  ) throws(AudioFileFailure) -> [UInt8]? {
    let trim = try file.packetTrim()
    // Without delays nothing is left out in front: the decoder leaves out a frame of silence instead.
    let isPlain = trim == nil
    let first = MPEGInfoFrame.bytes(
      before: header, frameCount: count + (isPlain ? 1 : 0), byteCount: byteCount,
      priming: isPlain ? Int32(header.frameCount) : trim?.mPrimingFrames ?? 0,
      remainder: trim?.mRemainderFrames ?? 0)
    return first.map { $0 + (isPlain ? MPEGInfoFrame.silence(before: header) : []) }
  }

  /// Assembles the changes of a WAVE file that show its decoder a right first frame, and nothing between the frames.
  private mutating func makePatches(
    _ stream: FileStream, _ file: PacketFile, _ stretches: [Range<Int>]
  ) throws(AudioFileFailure) {
    let body = Int(file.extent.body)
    guard count > 0, let header = MPEGAudioHeader(stream.bytes(at: sound.lowerBound, count: 4)),
      let beginning = try beginning(before: header, file)
    else { return }
    // The decoder knows layer 3 by this tag alone.
    let tag: [UInt8] = [0x55, 0]
    if let format = WaveHeader.format(stream), stream.bytes(at: format.start, count: 2) != tag {
      patches.append(FileStream.Patch(offset: format.start, removed: 2, bytes: tag))
    }
    let isFirst = sound.lowerBound == body + Int(file.informationSize)
    if try isRight(file, stretches), isFirst, file.extent.length == .stored { return }
    let size = beginning.count + byteCount
    patches.append(
      FileStream.Patch(
        offset: body - 4, removed: sound.lowerBound - body + 4,
        bytes: WaveHeader.number(size) + beginning))
    for (one, next) in zip(stretches, stretches.dropFirst()) {
      patches.append(
        FileStream.Patch(
          offset: one.upperBound, removed: next.lowerBound - one.upperBound, bytes: []))
    }
    // Chunks behind an odd size follow a byte that counts to neither.
    let (end, chunkEnd) = (sound.upperBound, Int(file.extent.start + file.extent.byteCount))
    let next = min(chunkEnd + (chunkEnd - body) & 1, stream.length)
    guard next < stream.length, next > end || size & 1 == 1 else { return }
    patches.append(
      FileStream.Patch(
        offset: end, removed: next - end, bytes: [UInt8](repeating: 0, count: size & 1)))
  }
}
