// A file open in a codec that was found at run time, for reading or for writing.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioConversion
import AudioFilePackets
import AudioFileParsing
import CAuricleCodec
import Glibc

/// The host's functions for a codec; their context is an unretained `FileStream`.
private func makeBytes(_ stream: FileStream) -> AuricleCodecBytes {
  var bytes = unsafe AuricleCodecBytes()
  unsafe bytes.context = Unmanaged.passUnretained(stream).toOpaque()
  unsafe bytes.read = { context, pointer, count in
    guard let stream = unsafe FileStream.from(context), let pointer = unsafe pointer else {
      return -1
    }
    let got = unsafe stream.read(into: pointer, Int(count))
    return stream.failure == 0 ? Int64(got) : -1
  }
  unsafe bytes.write = { context, pointer, count in
    guard let stream = unsafe FileStream.from(context), let pointer = unsafe pointer else {
      return -1
    }
    let put = unsafe stream.write(from: pointer, Int(count))
    return put == Int(count) ? count : -1
  }
  unsafe bytes.seek = { context, offset in
    unsafe Int64(FileStream.from(context)?.seek(Int(offset), SEEK_SET) ?? -1)
  }
  unsafe bytes.length = { context in
    unsafe Int64(FileStream.from(context)?.length ?? -1)
  }
  return unsafe bytes
}

/// A file that a codec reads.
@safe final class CodecReader: SoundSource {
  let stream: FileStream
  let format: AudioFileFormat
  /// The number of frames where the file contains it.
  let frameCount: Int?
  /// The loudspeakers as in extensible WAV; 0 when they are unknown.
  let channelMask: UInt64
  /// The number of the sound track that is read, from 1, and the count of all.
  let track: (number: Int, count: Int)
  /// The picture tracks beside the sound; nil for none.
  let video: VideoTracks?
  /// Bits a second of the track; nil where they are unknown.
  let bitRate: Int?
  let goesOnBehindDamage = true
  private(set) var complaint: String?

  private let codec: UnsafePointer<AuricleCodec>
  private let reader: OpaquePointer

  /// Opens a sound track: the one of a number from 1, or the one that the file means.
  ///
  /// - Parameter packets: The file as its container holds it, whose tables know its length best; nil for other kinds.
  init(
    _ stream: FileStream, passesDamage: Bool, track wanted: Int? = nil, packets: PacketFile? = nil
  ) throws(CodecFailure) {
    let codec = try unsafe CodecLibrary.loadForFiles()
    var bytes = unsafe makeBytes(stream)
    var found = AuricleCodecFormat()
    found.track = UInt32(clamping: wanted ?? 0)
    if let packets, packets.isMovie, packets.trackCount == 1,
      let count = try? packets.soundFrameCount()
    {
      found.frameCount = count
    }
    var failure = AuricleCodecFailure()
    _ = stream.seek(0, SEEK_SET)
    guard let reader = unsafe codec.pointee.openReader?(&bytes, passesDamage, &found, &failure)
    else { throw CodecFailure(failure, of: stream) }
    unsafe self.codec = codec
    unsafe self.reader = reader
    self.stream = stream
    format = AudioFileFormat(codec: found)
    frameCount = found.frameCount >= 0 ? Int(found.frameCount) : nil
    channelMask = found.channelMask
    track = (Int(found.track), Int(found.trackCount))
    video =
      found.videoTrackCount > 0
      ? VideoTracks(
        stream, soundTime: found.soundTime, videoTime: found.videoTime,
        otherTrackCount: Int(found.otherTrackCount)) : nil
    bitRate = found.bitRate > 0 ? Int(found.bitRate) : nil
    if let wanted, track.number != wanted {
      throw CodecFailure(
        kind: .noSuchTrack, reason: "it holds no sound track \(wanted) that can be read")
    }
  }

  deinit {
    unsafe codec.pointee.closeReader?(reader)
  }

  func read(_ samples: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    complaint = nil
    var done = 0
    while done < frameCount {
      var failure = AuricleCodecFailure()
      let got = unsafe codec.pointee.read?(
        reader, samples + done * format.channelCount, Int64(frameCount - done), &failure)
      guard let got, got > 0 else {
        if let got, got < 0 { complaint = CodecFailure(failure, of: stream).reason }
        break
      }
      done += Int(got)
    }
    return done
  }

  /// The texts of the file, with the keys that the codec has for them.
  var texts: [(key: String, value: String)] {
    final class Box { var texts: [(key: String, value: String)] = [] }
    let box = Box()
    unsafe codec.pointee.texts?(
      reader,
      { context, key, value in
        guard let context = unsafe context, let key = unsafe key, let value = unsafe value else {
          return
        }
        let box = unsafe Unmanaged<Box>.fromOpaque(context).takeUnretainedValue()
        unsafe box.texts.append((String(cString: key), String(cString: value)))
      }, Unmanaged.passUnretained(box).toOpaque())
    return box.texts
  }

  /// The marks of the file (chapters).
  var marks: [AudioCuePoint] {
    final class Box { var marks: [AudioCuePoint] = [] }
    let box = Box()
    unsafe codec.pointee.marks?(
      reader,
      { context, mark in
        guard let context = unsafe context, let mark = unsafe mark else { return }
        let box = unsafe Unmanaged<Box>.fromOpaque(context).takeUnretainedValue()
        guard box.marks.count < 10_000, let frame = unsafe UInt32(exactly: mark.pointee.frame)
        else { return }
        let name = unsafe mark.pointee.name.map { unsafe String(cString: $0) } ?? ""
        box.marks.append(
          AudioCuePoint(identifier: Int32(box.marks.count + 1), frame: frame, name: name))
      }, Unmanaged.passUnretained(box).toOpaque())
    return box.marks
  }
}

/// A file that a codec writes.
@safe final class CodecWriter: EncodingSink {
  let stream: FileStream
  private(set) var reason: String?

  private let codec: UnsafePointer<AuricleCodec>
  private var writer: OpaquePointer?
  let channelCount: Int
  private let video: VideoTracks?
  private let videoStream: FileStream?

  init(
    _ stream: FileStream, _ format: AudioFileFormat, metadata: AudioFileMetadata,
    video: VideoTracks? = nil
  ) throws(CodecFailure) {
    let codec = try unsafe CodecLibrary.loadForFiles()
    var bytes = unsafe makeBytes(stream)
    var wanted = format.codecFormat(
      channelMask: ChannelOrder.mask(of: metadata.channelMap))
    var failure = AuricleCodecFailure()
    let marks = metadata.cuePoints.sorted { $0.frame < $1.frame }
    let words = Self.texts(of: metadata, format.container)
    var strings = unsafe (marks.map(\.name) + words).map { unsafe strdup($0) }
    defer {
      unsafe strings.forEach { unsafe free($0) }
      unsafe strings.removeAll()
    }
    let list = unsafe zip(marks, strings).map {
      unsafe AuricleCodecMark(frame: Int64($0.frame), name: UnsafePointer($1))
    }
    let pairs = unsafe strings.dropFirst(marks.count).map { unsafe UnsafePointer($0) } + [nil]
    let videoStream = video?.stream
    var pictures = unsafe videoStream.map {
      unsafe AuricleCodecVideo(bytes: makeBytes($0), start: video?.start ?? 0)
    }
    let opened = unsafe pictures.withPointer { pictures in
      unsafe codec.pointee.openWriter?(
        &bytes, &wanted, pairs, list, list.count, pictures, &failure)
    }
    guard let writer = unsafe opened else { throw CodecFailure(failure, of: stream) }
    self.video = video
    self.videoStream = videoStream
    unsafe self.writer = writer
    unsafe self.codec = codec
    self.stream = stream
    channelCount = format.channelCount
  }

  deinit {
    close()
  }

  /// Keys and values, one after the other: of the file where nobody else writes them, and of its sound track.
  private static func texts(
    of metadata: AudioFileMetadata, _ container: AudioContainer
  ) -> [String] {
    guard [.mka, .m4a].contains(container) else { return [] }
    let language = metadata.trackLanguage
    let track = [("language", language), ("title", metadata.trackTitle)].flatMap { key, value in
      value.map { [kAuricleCodecOfTrack + key, $0] } ?? []
    }
    guard container == .mka else { return track }
    let own = metadata.allTags.filter {
      language == nil || $0.key != AudioFileMetadata.languageKey
    }
    return own.flatMap { key, values in
      [metadata.codecKey(key), AudioFileMetadata.joined(values)]
    } + track
  }

  /// Closes the file, as it is.
  func close() {
    if let open = unsafe writer { unsafe codec.pointee.closeWriter?(open) }
    unsafe writer = nil
  }

  /// Completes the file; false when that fails.
  func finish() -> Bool {
    var failure = AuricleCodecFailure()
    guard let open = unsafe writer, unsafe codec.pointee.finish?(open, &failure) == true else {
      reason = CodecFailure(failure, of: stream).reason
      return false
    }
    close()
    return true
  }

  func write(_ samples: UnsafePointer<Float>, frameCount: Int) -> Int {
    var failure = AuricleCodecFailure()
    guard let open = unsafe writer,
      unsafe codec.pointee.write?(open, samples, Int64(frameCount), &failure) == true
    else {
      reason = CodecFailure(failure, of: stream).reason
      return 0
    }
    return frameCount
  }
}

extension Optional where Wrapped == AuricleCodecVideo {
  /// Calls `body` with the address of the value, or with nil for none.
  fileprivate mutating func withPointer<Result>(
    _ body: (UnsafePointer<AuricleCodecVideo>?) -> Result
  ) -> Result {
    guard var value = self else { return body(nil) }
    return unsafe body(&value)
  }
}
