// Shifted sound under the envelope of the sound that it was made of: the resonances of a voice stay.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport
import Restoration

/// Frames of about 40 ms, four of which overlap, with a gain for each frequency.
///
/// All channels have the same gains, so that places in the picture stay. The result has the mean power of the input.
/// Context: made and freed on a control thread, everything else render.
@safe struct FormantKeeper: ~Copyable {
  /// Samples of a frame, by which the result is late.
  let size: Int
  private var hop: Int { @_noLocks get { size / 4 } }
  private let channelCount: Int
  private let transform: FrameTransform
  private let envelope: SoundEnvelope
  private let window: UnsafeMutablePointer<Float>
  /// Samples of all channels, one after the other: the last frames, the sum of output frames, and finished output.
  private let dries: UnsafeMutablePointer<Float>
  private let inputs: UnsafeMutablePointer<Float>
  private let sums: UnsafeMutablePointer<Float>
  private let due: UnsafeMutablePointer<Float>
  private let re: UnsafeMutablePointer<Float>
  private let im: UnsafeMutablePointer<Float>
  private let gains: UnsafeMutablePointer<Float>
  private let keeps: Double
  private var phase = 0
  /// The mean powers of the input and of the result, and the gain that makes them equal.
  private var dryPower = 0.0
  private var wetPower = 0.0
  private var level = 1.0

  /// The greatest change of a frequency, as a logarithm: 26 dB.
  private static var most: Double { @_noLocks get { 3 } }

  /// Allocates.
  init(sampleRate: Double, channelCount: Int) {
    var size = 64
    while Double(size) * 1.4142 < 0.04 * sampleRate, size < 65_536 { size *= 2 }
    let count = max(1, channelCount)
    self.size = size
    self.channelCount = channelCount
    transform = FrameTransform(count: size)
    envelope = SoundEnvelope(sampleRate: sampleRate, size: size)
    func samples(_ count: Int) -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
      unsafe memory.initialize(repeating: 0, count: count)
      return unsafe memory
    }
    unsafe window = samples(size)
    for index in 0..<size {
      // The square root of a Hann window; four of them, squared, add up to 2.
      unsafe window[index] = Float(RealtimeMath.sin(Double.pi * Double(index) / Double(size)))
    }
    unsafe dries = samples(count * size)
    unsafe inputs = samples(count * size)
    unsafe sums = samples(count * size)
    unsafe due = samples(count * size / 4)
    unsafe re = samples(size)
    unsafe im = samples(size)
    unsafe gains = samples(size / 2 + 1)
    // Powers are compared over half a second.
    keeps = RealtimeMath.exp(-Double(size / 4) / (0.5 * sampleRate))
  }

  deinit {
    unsafe window.deallocate()
    unsafe dries.deallocate()
    unsafe inputs.deallocate()
    unsafe sums.deallocate()
    unsafe due.deallocate()
    unsafe re.deallocate()
    unsafe im.deallocate()
    unsafe gains.deallocate()
  }

  /// Begins anew.
  @_noLocks mutating func reset() {
    for index in 0..<(channelCount * size) {
      unsafe dries[index] = 0
      unsafe inputs[index] = 0
      unsafe sums[index] = 0
    }
    for index in 0..<(channelCount * hop) { unsafe due[index] = 0 }
    phase = 0
    (dryPower, wetPower, level) = (0, 0, 1)
  }

  /// Accepts a channel's next sample of the input and of the shifted sound, and returns one of the result.
  @_noLocks func pass(_ channel: Int, dry: Float, shifted: Float) -> Float {
    let place = channel * size + size - hop + phase
    unsafe dries[place] = dry
    unsafe inputs[place] = shifted
    return unsafe due[channel * hop + phase]
  }

  /// Moves on by one frame.
  ///
  /// - Parameter ratio: The pitch of the shifted sound, as a ratio.
  @_noLocks mutating func advance(ratio: Double) {
    phase += 1
    guard phase == hop else { return }
    phase = 0
    findGains(ratio)
    for channel in 0..<channelCount { processFrame(channel) }
    for channel in 0..<channelCount { moveOn(channel) }
    let ground = 1e-9 + 0.001 * max(dryPower, wetPower)
    let wanted = RealtimeMath.sqrt((dryPower + ground) / (wetPower + ground))
    level += (min(max(wanted, 0.25), 4) - level) * 0.2
  }

  /// Finds the gain of each bin from the input, of which two channels are transformed at once.
  @_noLocks private mutating func findGains(_ ratio: Double) {
    let half = size / 2
    for bin in 0...half { unsafe gains[bin] = 0 }
    for channel in stride(from: 0, to: channelCount, by: 2) {
      let first = unsafe dries + channel * size
      let isPair = channel + 1 < channelCount
      for index in 0..<size {
        unsafe re[index] = first[index] * window[index] * window[index]
        unsafe im[index] = isPair ? first[size + index] * window[index] * window[index] : 0
      }
      unsafe transform.run(re, im)
      for bin in 0...half {
        let mirror = bin == 0 ? 0 : size - bin
        let powers = unsafe (
          re[bin] * re[bin] + im[bin] * im[bin], re[mirror] * re[mirror] + im[mirror] * im[mirror]
        )
        unsafe gains[bin] += 0.5 * (powers.0 + powers.1)
      }
    }
    var power = 0.0
    for bin in 0...half { unsafe power += Double(gains[bin]) }
    // A Hann window has a mean square of 3/8, its square root one of 1/2.
    dryPower = dryPower * keeps + power * 4 / 3
    wetPower *= keeps
    guard ratio != 1, unsafe envelope.find(gains) else {
      for bin in 0...half { unsafe gains[bin] = Float(level) }
      return
    }
    for bin in 0...half {
      let change = envelope.level(at: Double(bin)) - envelope.level(at: Double(bin) / ratio)
      unsafe gains[bin] = Float(level * RealtimeMath.exp(min(max(change, -Self.most), Self.most)))
    }
  }

  /// Applies the gains to a channel's frame, and adds it to the output.
  @_noLocks private mutating func processFrame(_ channel: Int) {
    let input = unsafe inputs + channel * size
    for index in 0..<size {
      unsafe re[index] = input[index] * window[index]
      unsafe im[index] = 0
    }
    unsafe transform.run(re, im)
    var power = 0.0
    for bin in 0...(size / 2) {
      let (mirror, gain) = (bin == 0 ? 0 : size - bin, unsafe gains[bin])
      unsafe re[bin] *= gain
      unsafe im[bin] *= gain
      unsafe power += Double(re[bin] * re[bin] + im[bin] * im[bin])
      guard mirror > bin else { continue }
      unsafe re[mirror] *= gain
      unsafe im[mirror] *= gain
    }
    // The gain that makes the powers equal is no part of the comparison.
    wetPower += power / (level * level)
    unsafe transform.run(im, re)
    let scale = 0.5 / Float(size)
    let sum = unsafe sums + channel * size
    for index in 0..<size { unsafe sum[index] += re[index] * window[index] * scale }
  }

  /// Moves a channel's frames on by a hop.
  @_noLocks private func moveOn(_ channel: Int) {
    let first = channel * size
    for index in 0..<hop { unsafe due[channel * hop + index] = sums[first + index] }
    for index in first..<(first + size - hop) {
      unsafe dries[index] = dries[index + hop]
      unsafe inputs[index] = inputs[index + hop]
      unsafe sums[index] = sums[index + hop]
    }
    for index in (first + size - hop)..<(first + size) { unsafe sums[index] = 0 }
  }
}
