// The tables of a track, made from the packets of a file: durations, sizes, and where the packets are.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// 'stts', 'stsc', 'stsz' and 'stco' or 'co64'.
enum MP4TrackTables {
  /// The tables of a file's packets.
  ///
  /// - Parameter scale: Ticks a second of the media.
  static func tables(_ file: PacketFile, scale: Int64) throws(AudioFileFailure) -> [MP4Node] {
    guard let table = try file.completeTable() else { throw .unsupported }
    let (chunks, runs) = chunks(table, file)
    let isLong = (chunks.last ?? 0) > Int64(UInt32.max) - 1 << 26
    return [
      try durations(table, file, scale: scale),
      .full("stsc") { writer in
        writer.put(UInt32(runs.count))
        for run in runs {
          writer.put(UInt32(run.chunk + 1))
          writer.put(UInt32(run.count))
          writer.put(UInt32(1))
        }
      },
      .full("stsz") { writer in
        let isConstant = table.count > 0 && table.sizes.allSatisfy { $0 == table.sizes[0] }
        writer.put(isConstant ? table.sizes[0] : 0)
        writer.put(UInt32(table.count))
        if !isConstant { for size in table.sizes { writer.put(size) } }
      },
      .full(isLong ? "co64" : "stco") { writer in
        writer.put(UInt32(chunks.count))
        for chunk in chunks {
          if isLong { writer.put(chunk) } else { writer.put(UInt32(chunk)) }
        }
      },
    ]
  }

  /// Contiguous packets, about half a second each: their starts and numbers.
  private static func chunks(
    _ table: PacketTable, _ file: PacketFile
  ) -> ([Int64], [(chunk: Int, count: Int)]) {
    let frames = Double(max(1, file.format.mFramesPerPacket))
    let most = max(1, Int(min(file.format.mSampleRate / 2 / frames, 1000)))
    var starts: [Int64] = []
    var runs: [(chunk: Int, count: Int)] = []
    var index = 0
    while index < table.count {
      var end = index + 1
      while end < table.count, end - index < most, table.starts[end] == table.end(of: end - 1) {
        end += 1
      }
      if runs.last?.count != end - index { runs.append((starts.count, end - index)) }
      starts.append(table.starts[index])
      index = end
    }
    return (starts, runs)
  }

  /// The length of each packet; the last one without dropped frames.
  private static func durations(
    _ table: PacketTable, _ file: PacketFile, scale: Int64
  ) throws(AudioFileFailure) -> MP4Node {
    let rate = max(1, Int64(file.format.mSampleRate.rounded()))
    let remainder = Int64(try file.presentTrim().mRemainderFrames)
    var runs: [(count: UInt32, ticks: Int64)] = []
    for index in 0..<table.count {
      var frames = Int64(
        index < table.frames.count ? table.frames[index] : file.format.mFramesPerPacket)
      if index == table.count - 1, remainder < frames { frames -= remainder }
      let ticks = scale == rate ? frames : frames * scale / rate
      if let last = runs.last, last.ticks == ticks {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((1, ticks))
      }
    }
    return .full("stts") { writer in
      writer.put(UInt32(runs.count))
      for run in runs {
        writer.put(run.count)
        writer.put(UInt32(clamping: run.ticks))
      }
    }
  }
}
