// Four bands of the sound of a slice, and their sum.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// Three crossovers in a tree: the middle one first, then one for either half.
///
/// Either half also passes the all-pass of the other's crossover, so that all four bands have the same
/// phase and add up to an all-pass.
///
/// Context: made and freed on a control thread, everything else render.
struct BandSplitter: ~Copyable {
  private let sampleRate: Double
  private var lowEdge: ParameterGlide
  private var midEdge: ParameterGlide
  private var highEdge: ParameterGlide
  private var lowSteps = CrossoverSteps()
  private var midSteps = CrossoverSteps()
  private var highSteps = CrossoverSteps()
  private var low: Crossover
  private var mid: Crossover
  private var high: Crossover
  private var lowPhase: StateVariableBank
  private var highPhase: StateVariableBank
  private let first: BandRows
  private let second: BandRows
  private let third: BandRows
  private let fourth: BandRows
  let channelCount: Int

  /// Allocates. Context: control.
  init(sampleRate: Double, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    lowEdge = ParameterGlide(sampleRate: sampleRate)
    midEdge = lowEdge
    highEdge = lowEdge
    low = Crossover(channelCount: channelCount)
    mid = Crossover(channelCount: channelCount)
    high = Crossover(channelCount: channelCount)
    lowPhase = StateVariableBank(channelCount: channelCount)
    highPhase = StateVariableBank(channelCount: channelCount)
    first = BandRows(channelCount: channelCount)
    second = BandRows(channelCount: channelCount)
    third = BandRows(channelCount: channelCount)
    fourth = BandRows(channelCount: channelCount)
  }

  /// Forgets the past.
  @_noLocks mutating func reset() {
    lowEdge.reset()
    midEdge.reset()
    highEdge.reset()
    lowSteps.reset()
    midSteps.reset()
    highSteps.reset()
    low.reset()
    mid.reset()
    high.reset()
    lowPhase.reset()
    highPhase.reset()
  }

  /// Begins an interval on the way to frequencies (Hz); one below the one before it counts as that.
  @_noLocks mutating func advance(_ lowHertz: Float, _ midHertz: Float, _ highHertz: Float) {
    let middle = max(midHertz, lowHertz)
    let upper = max(highHertz, middle)
    lowSteps.advance(to: Self.advance(&lowEdge, lowHertz), sampleRate: sampleRate)
    midSteps.advance(to: Self.advance(&midEdge, middle), sampleRate: sampleRate)
    highSteps.advance(to: Self.advance(&highEdge, upper), sampleRate: sampleRate)
  }

  /// Frequencies glide by ratio; where it is now, if it moved.
  @_noLocks private static func advance(_ edge: inout ParameterGlide, _ hertz: Float) -> Double? {
    guard edge.advance(toward: RealtimeMath.log(max(hertz, 1))) else { return nil }
    return RealtimeMath.exp(Double(edge.value))
  }

  /// Splits a run of a slice, from a place in the interval on.
  @_noLocks mutating func split(
    _ slice: borrowing RenderSlice, _ frame: Int, _ count: Int, phase: Int
  ) {
    for channel in 0..<channelCount {
      unsafe SampleRun.copy(slice.channel(channel) + frame, to: fourth.rows[channel], count)
    }
    mid.split(fourth, low: second, count: count, phase: phase, midSteps)
    unsafe lowPhase.process(
      second.rows, channelCount, from: 0, count: count, phase: phase, highSteps.allPass)
    unsafe highPhase.process(
      fourth.rows, channelCount, from: 0, count: count, phase: phase, lowSteps.allPass)
    low.split(second, low: first, count: count, phase: phase, lowSteps)
    high.split(fourth, low: third, count: count, phase: phase, highSteps)
  }

  /// The rows of a band, from 0.
  @_noLocks func rows(_ band: Int) -> UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
    switch band {
    case 0: unsafe first.rows
    case 1: unsafe second.rows
    case 2: unsafe third.rows
    default: unsafe fourth.rows
    }
  }

  /// Puts the sum of the bands in the place of the run.
  @_noLocks func join(_ slice: borrowing RenderSlice, _ frame: Int, _ count: Int) {
    for channel in 0..<channelCount {
      let audio = unsafe slice.channel(channel) + frame
      let (one, two) = unsafe (first.rows[channel], second.rows[channel])
      let (three, four) = unsafe (third.rows[channel], fourth.rows[channel])
      for index in 0..<count {
        unsafe audio[index] = (one[index] + two[index]) + (three[index] + four[index])
      }
    }
  }
}
