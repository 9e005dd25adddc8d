// True peaks: of each frame, for limiters, and of a whole signal.
// SPDX-License-Identifier: Apache-2.0

import CRealtime

/// Finds the peaks of a signal between its samples, oversampled eight times (`PeakFilters`).
///
/// Where the samples nearby are too small to matter, nothing is computed. Answers come 48 frames late.
///
/// Context: control. Not to be shared between threads.
@safe package final class TruePeakDetector {
  /// The delay of results in frames.
  package static let delay = PeakFilters.length / 2
  /// Frames that are examined in one go.
  package static let mostFrames = 1024
  private static let past = PeakFilters.length - 1

  private let filters: PeakFilters
  private let channelCount: Int
  /// The last samples of each channel, with room for the next ones.
  private let work: UnsafeMutablePointer<Float>
  private static let stride = past + mostFrames

  /// A detector of so many channels.
  package init(sampleRate: Double, channelCount: Int) {
    filters = PeakFilters(sampleRate: sampleRate)
    self.channelCount = channelCount
    unsafe work = .allocate(capacity: channelCount * Self.stride)
    unsafe work.initialize(repeating: 0, count: channelCount * Self.stride)
  }

  deinit { unsafe work.deallocate() }

  /// The greatest ratio of a true peak to all samples around it.
  package var mostGain: Float { filters.mostGain }

  /// Finds the highest magnitudes of any channel from each frame up to the next one.
  ///
  /// - Parameters:
  ///   - rows: A row a channel, from `offset` on; at most 1024 frames.
  ///   - peaks: Raised where a value is higher and above `floor`: entry n belongs to the frame 48 before frame n. Nil
  ///     to find only the highest of all.
  ///   - floor: Values up to it need not be found.
  /// - Returns: The highest value found, or `floor`.
  package func find(
    _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, count: Int,
    raising peaks: UnsafeMutablePointer<Float>?, above floor: Float
  ) -> Float {
    // Samples too small for full precision are a hundred times as slow.
    let control = AuricleGetFloatControl()
    AuricleSetFloatControl(control | AuricleFloatControlFlushBits())
    defer { AuricleSetFloatControl(control) }
    var highest = floor
    for channel in 0..<channelCount {
      let samples = unsafe work + channel * Self.stride
      unsafe (samples + Self.past).update(from: rows[channel] + offset, count: count)
      let found = unsafe AuricleTruePeaks(
        filters.loops, samples, peaks, count, peaks == nil ? highest : floor)
      highest = max(highest, found)
      unsafe samples.update(from: samples + count, count: Self.past)
    }
    return highest
  }
}

/// Finds the true peak of a whole signal.
///
/// Context: control. Not to be shared between threads.
@safe package final class TruePeakMeter {
  private let detector: TruePeakDetector
  private let silence: UnsafeMutablePointer<Float>
  private let silentRows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private var hasEnded = false
  private var highest: Float = 0

  /// A meter of so many channels.
  package init(sampleRate: Double, channelCount: Int) {
    detector = TruePeakDetector(sampleRate: sampleRate, channelCount: channelCount)
    unsafe silence = .allocate(capacity: TruePeakDetector.delay)
    unsafe silence.initialize(repeating: 0, count: TruePeakDetector.delay)
    unsafe silentRows = .allocate(capacity: channelCount)
    unsafe silentRows.initialize(repeating: silence, count: channelCount)
  }

  deinit {
    unsafe silence.deallocate()
    unsafe silentRows.deallocate()
  }

  /// Examines frames; none after `peak` was read.
  package func add(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
    var done = 0
    while done < frameCount {
      let count = min(TruePeakDetector.mostFrames, frameCount - done)
      highest = unsafe detector.find(
        channels, offset: done, count: count, raising: nil, above: highest)
      done += count
    }
  }

  /// The highest magnitude of all that came, in dBTP; nil for silence.
  package var peak: Double? {
    if !hasEnded {
      // The last frames have silence behind them.
      hasEnded = true
      highest = unsafe detector.find(
        silentRows, offset: 0, count: TruePeakDetector.delay, raising: nil, above: highest)
    }
    return decibels(Double(highest))
  }
}
