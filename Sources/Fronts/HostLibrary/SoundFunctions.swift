// The decoding reader of sound files for libAudioToolbox.so, which opens this library for kinds of files without packets.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFilePackets
import AudioFiles
import AudioTypes
public import CAuricleCodec
import Glibc
import HostSystem

/// A sound file and a slice of its frames.
@safe private final class ReadSound {
  static let sliceFrames = 4096

  let reader: AudioFileReader
  let frameCount: Int
  private let memory: UnsafeMutablePointer<Float>
  private let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// Opens a file, and closes the descriptor in the end.
  init(descriptor: Int32, path: String) throws(AuricleError) {
    let second = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    defer { if second >= 0 { close(second) } }
    reader = try AudioFileReader(descriptor: descriptor, path: path)
    frameCount = try Self.frameCount(of: reader, second, path)
    let channels = reader.format.channelCount
    unsafe memory = .allocate(capacity: channels * Self.sliceFrames)
    unsafe rows = .allocate(capacity: channels)
    for channel in 0..<channels {
      unsafe (rows + channel).initialize(to: memory + channel * Self.sliceFrames)
    }
  }

  deinit {
    unsafe rows.deallocate()
    unsafe memory.deallocate()
  }

  /// The number of frames: as the file has it, else by reading all of them once more.
  private static func frameCount(
    of reader: AudioFileReader, _ descriptor: Int32, _ path: String
  ) throws(AuricleError) -> Int {
    if let count = reader.frameCount { return count }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw systemError(errno, "read", path) }
    return try AudioFileReader(descriptor: copy, path: path, readsMetadata: false).countFrames()
  }

  /// Reads interleaved frames; returns their number.
  func read(_ samples: UnsafeMutablePointer<Float>, _ count: Int) throws(AuricleError) -> Int {
    let channels = reader.format.channelCount
    var done = 0
    while done < count {
      let got = try unsafe reader.read(into: rows, frameCount: min(Self.sliceFrames, count - done))
      guard got > 0 else { break }
      for channel in 0..<channels {
        let row = unsafe rows[channel]
        for frame in 0..<got {
          unsafe samples[(done + frame) * channels + channel] = row[frame]
        }
      }
      done += got
    }
    return done
  }
}

private func sound(_ handle: UnsafeMutableRawPointer) -> ReadSound {
  unsafe Unmanaged<ReadSound>.fromOpaque(handle).takeUnretainedValue()
}

/// Opens a file, and fills in rate, channels, loudspeakers, frames and bits.
///
/// - Parameters:
///   - descriptor: A regular file, which is closed in the end, and on failure.
///   - path: Its name.
/// - Returns: NULL where it cannot be read.
///
/// Context: control.
@c(AuricleSoundOpen)
public func auricleSoundOpen(
  _ descriptor: Int32, _ path: UnsafePointer<CChar>,
  _ format: UnsafeMutablePointer<AuricleCodecFormat>
) -> UnsafeMutableRawPointer? {
  guard let sound = try? ReadSound(descriptor: descriptor, path: unsafe String(cString: path))
  else { return nil }
  let known = sound.reader.format
  unsafe format.pointee.sampleRate = known.sampleRate
  unsafe format.pointee.channelCount = UInt32(known.channelCount)
  unsafe format.pointee.channelMask = ChannelOrder.mask(of: sound.reader.metadata.channelMap)
  unsafe format.pointee.frameCount = Int64(sound.frameCount)
  unsafe format.pointee.bitsPerSample = UInt32(known.encoding.bitsPerSample ?? 0)
  return unsafe Unmanaged.passRetained(sound).toOpaque()
}

/// Reads interleaved frames.
///
/// - Returns: Their number, 0 at the end; -1 for damage.
///
/// Context: control.
@c(AuricleSoundRead)
public func auricleSoundRead(
  _ handle: UnsafeMutableRawPointer, _ samples: UnsafeMutablePointer<Float>, _ frameCount: Int64
) -> Int64 {
  let count = try? unsafe sound(handle).read(samples, Int(frameCount))
  return count.map(Int64.init) ?? -1
}

/// Calls a procedure with each text: a name of `kAFInfoDictionary_…`, and the text.
///
/// Context: control.
@c(AuricleSoundTexts)
public func auricleSoundTexts(
  _ handle: UnsafeMutableRawPointer, _ procedure: AuricleCodecTextProc,
  _ context: UnsafeMutableRawPointer?
) {
  for (key, text) in unsafe sound(handle).reader.metadata.packetInfo.entries {
    unsafe procedure(context, key, text)
  }
}

/// Calls a procedure with each mark.
///
/// Context: control.
@c(AuricleSoundMarks)
public func auricleSoundMarks(
  _ handle: UnsafeMutableRawPointer, _ procedure: AuricleCodecMarkProc,
  _ context: UnsafeMutableRawPointer?
) {
  for mark in unsafe sound(handle).reader.metadata.cuePoints {
    unsafe mark.name.withCString { name in
      var mark = unsafe AuricleCodecMark(frame: Int64(mark.frame), name: name)
      unsafe procedure(context, &mark)
    }
  }
}

/// Closes a file.
///
/// Context: control.
@c(AuricleSoundClose)
public func auricleSoundClose(_ handle: UnsafeMutableRawPointer) {
  unsafe Unmanaged<ReadSound>.fromOpaque(handle).release()
}
