// Sound that is read at another speed than it comes, by a ratio that moves with every frame.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox

/// The store between two clocks, with the filter that reads it at any speed.
///
/// At the speed 1 without compensation the samples come out bit for bit. Made and freed on a control thread, all else
/// on the device's.
@safe package final class DriftResampler {
  /// Frames of the filter's look-ahead.
  package let reach: Int
  private var reader: SpeedReader
  private let channelCount: Int
  private let maximumPush: Int
  private let compensates: Bool
  /// Frames put in, and where it reads: whole frames and the rest.
  private var pushed: Int64 = 0
  private var whole: Int64 = 0
  private var fraction = 0.0
  /// Input frames for one output frame, as of the last one.
  package private(set) var step: Double
  /// Frames still to be left out (above 0) or inserted as silence.
  private var jump = 0
  private var phase = Phase.steady

  private enum Phase { case steady, leaving, returning }

  /// Allocates.
  ///
  /// - Parameters:
  ///   - step: Input frames for one output frame, usually.
  ///   - compensates: Whether the speed moves.
  ///   - quality: 0 to 127, as Core Audio counts it.
  ///   - maximumPush: The most frames that are put in at once.
  ///   - ahead: The most frames that are held.
  package init(
    channelCount: Int, step: Double, compensates: Bool, quality: UInt32, maximumPush: Int,
    ahead: Int
  ) {
    let filter = RateQuality(
      complexity: kAudioUnitSampleRateConverterComplexity_Normal,
      renderQuality: Int(min(quality, 127)))
    self.channelCount = channelCount
    self.step = step
    self.maximumPush = max(1, maximumPush)
    self.compensates = compensates || step != 1
    reader = SpeedReader(
      filter, channelCount: channelCount, greatestStep: max(1, step * 1.05),
      maximumPush: self.maximumPush, ahead: ahead)
    reach = reader.reach
  }

  /// Frames that are held beyond the place where it reads.
  package var backlog: Double { Double(pushed - whole) - fraction }

  /// Whether no jump is under way.
  package var isSteady: Bool { phase == .steady && jump == 0 }

  /// Forgets everything.
  package func reset() {
    reader.reset()
    (pushed, whole, fraction, jump, phase) = (0, 0, 0, 0, .steady)
  }

  /// Leaves out the next frames, or puts silence between them: after a fade, and before one.
  package func jump(by frames: Int) { jump = frames }

  // MARK: In

  /// Puts interleaved frames in.
  package func push(_ samples: UnsafePointer<Float>, frameCount: Int) {
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, maximumPush)
      unsafe pushPart(samples + done * channelCount, count)
      done += count
    }
  }

  private func pushPart(_ samples: UnsafePointer<Float>, _ count: Int) {
    switch phase {
    case .steady where jump == 0: unsafe write(samples, count, from: 1, to: 1)
    case .steady:
      unsafe write(samples, count, from: 1, to: 0)
      if jump < 0 {
        pushSilence(-jump)
        jump = 0
      }
      phase = jump > 0 ? .leaving : .returning
    case .leaving:
      jump -= min(jump, count)
      if jump == 0 { phase = .returning }
    case .returning:
      unsafe write(samples, count, from: 0, to: 1)
      phase = .steady
    }
  }

  /// Puts silence in.
  package func pushSilence(_ frameCount: Int) {
    var left = frameCount
    while left > 0 {
      let count = min(left, maximumPush)
      reader.makeRoom(count)
      guard reader.canPush(count) else { return }
      for channel in 0..<channelCount {
        let target = unsafe reader.pushPointer(channel)
        unsafe target.update(repeating: 0, count: count)
      }
      reader.push(count, isSilent: true)
      pushed += Int64(count)
      left -= count
    }
  }

  private func write(
    _ samples: UnsafePointer<Float>, _ count: Int, from first: Float, to last: Float
  ) {
    reader.makeRoom(count)
    // There is no room where no frames are read: new ones are lost.
    guard reader.canPush(count) else { return }
    let slope = (last - first) / Float(count)
    for channel in 0..<channelCount {
      let target = unsafe reader.pushPointer(channel)
      for frame in 0..<count {
        let sample = unsafe samples[frame * channelCount + channel]
        unsafe target[frame] =
          first == 1 && last == 1 ? sample : sample * (first + slope * Float(frame + 1))
      }
    }
    reader.push(count, isSilent: false)
    pushed += Int64(count)
  }

  // MARK: Out

  /// The speed that the filter is made for: up to 1.05 it is that of 1, which is as good and faster.
  private func filterStep(_ step: Double) -> Double {
    compensates && step < 1.06 ? min(step, 1 - 1e-12) : step
  }

  /// Reads interleaved frames, while the speed moves to another.
  ///
  /// - Returns: Frames of silence that were inserted for want of sound.
  package func pull(
    _ samples: UnsafeMutablePointer<Float>, frameCount: Int, to target: Double
  ) -> Int {
    let first = step
    var missing = 0
    for frame in 0..<frameCount {
      step = first + (target - first) * Double(frame + 1) / Double(frameCount)
      let wanted = reader.missing(1, step: filterStep(step))
      if wanted > 0 {
        missing += wanted
        pushSilence(wanted)
      }
      unsafe readFrame(samples + frame * channelCount)
    }
    step = target
    return missing
  }

  /// Reads as many interleaved frames as there are, while the speed moves to another.
  ///
  /// - Parameter usual: Frames over which it moves.
  package func pullAll(
    _ samples: UnsafeMutablePointer<Float>, capacity: Int, to target: Double, over usual: Int
  ) -> Int {
    let first = step
    var count = 0
    while count < capacity {
      let part = min(1, Double(count + 1) / Double(max(1, usual)))
      step = first + (target - first) * part
      guard reader.missing(1, step: filterStep(step)) == 0 else { break }
      unsafe readFrame(samples + count * channelCount)
      count += 1
    }
    step = target
    return count
  }

  private func readFrame(_ frame: UnsafeMutablePointer<Float>) {
    let reach = reader.aim(filterStep(step), isQuiet: false)
    for channel in 0..<channelCount {
      unsafe frame[channel] = reader.sample(channel, reach: reach)
    }
    reader.advance(step)
    fraction += step
    let passed = Int64(fraction)
    whole += passed
    fraction -= Double(passed)
  }
}
