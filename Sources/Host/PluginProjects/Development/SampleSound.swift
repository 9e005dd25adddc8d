// A short sound to try a unit with, and the levels of a sound over time.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
package import AudioTypes
import Glibc

/// A sound of three seconds: a tone that rises, bursts of noise that die away, silence for the tail. The same
/// every time. Context: control.
package enum SampleSound {
  private static let sampleRate = 48_000.0

  /// Writes it as a stereo file, whose container is that of the path's extension.
  ///
  /// - Throws: `.inputOutput` when it cannot be written.
  package static func write(to path: String) throws(AuricleError) {
    let count = Int(3 * sampleRate)
    let format = AudioFileFormat(
      container: .wav, encoding: .float32, sampleRate: sampleRate, channelCount: 2)
    let writer = try AudioFileWriter(
      path: path, format: format, metadata: .init(), overwrite: true, expectedFrameCount: count)
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
    defer { unsafe memory.deallocate() }
    unsafe fill(UnsafeMutableBufferPointer(start: memory, count: count))
    var rows = unsafe [memory, memory]
    try unsafe writer.write(&rows, frameCount: count)
    try writer.finish()
  }

  private static func fill(_ samples: UnsafeMutableBufferPointer<Float>) {
    var phase = 0.0
    var seed: UInt32 = 1
    for frame in samples.indices {
      let time = Double(frame) / sampleRate
      var value = 0.0
      if time < 1 {
        phase += 50 * pow(240, time) / sampleRate
        value = 0.25 * sin(2 * .pi * phase) * min(1, 50 * min(time, 1 - time))
      } else if time < 2 {
        seed = seed &* 1_664_525 &+ 1_013_904_223
        let burst = (time * 4).truncatingRemainder(dividingBy: 1) / 4
        value = 0.7 * exp(-burst * 25) * (Double(seed >> 8) / Double(1 << 24) - 0.5)
      }
      unsafe samples[frame] = Float(value)
    }
  }

  /// The root of the mean square over all channels in equal parts of a file, in dBFS.
  ///
  /// - Throws: Why it cannot be read.
  package static func levels(of path: String, parts: Int) throws(AuricleError) -> [Double] {
    let reader = try AudioFileReader(path: path)
    let channels = reader.format.channelCount
    let slice = 1024
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: slice * channels)
    unsafe memory.initialize(repeating: 0, count: slice * channels)
    defer { unsafe memory.deallocate() }
    var rows = unsafe (0..<channels).map { unsafe memory + $0 * slice }
    var powers: [Double] = []
    while true {
      let count = try unsafe reader.read(into: &rows, frameCount: slice)
      guard count > 0 else { break }
      var sum = 0.0
      for channel in 0..<channels {
        for frame in 0..<count {
          let sample = unsafe Double(memory[channel * slice + frame])
          sum += sample * sample
        }
      }
      powers.append(sum / Double(count * channels))
    }
    return (0..<max(parts, 0)).compactMap { part in
      let range = powers[(part * powers.count / parts)..<((part + 1) * powers.count / parts)]
      guard !range.isEmpty else { return nil }
      return 10 * log10(max(range.reduce(0, +) / Double(range.count), 1e-12))
    }
  }
}
