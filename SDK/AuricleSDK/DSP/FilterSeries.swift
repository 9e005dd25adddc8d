// Filters in a row, of any shapes: an equaliser.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// A row of filters that share a clock.
///
/// A unit sets each filter at the start of a slice, then has the slice processed; the samples do not
/// depend on where slices end. A low cut and a bell, in a unit's `process`:
///
/// ```swift
/// filters.set(0, FilterSetting(.highPass, frequency: parameters.lowCut))
/// filters.set(
///   1,
///   FilterSetting(
///     .bell, frequency: parameters.frequency, q: parameters.q, gain: parameters.gain))
/// filters.process(slice)
/// ```
///
/// In the unit's `init`:
///
/// ```swift
/// filters = FilterSeries(
///   count: 2, sampleRate: setup.sampleRate, channelCount: setup.channelCount, design: .matched)
/// ```
///
/// Context: made and freed on a control thread, everything else render.
@safe public struct FilterSeries: ~Copyable {
  private let filters: UnsafeMutablePointer<GlidingFilter>
  /// The number of filters, on or off.
  public let count: Int
  private let sampleRate: Double
  private var clock = ControlClock()

  /// Allocates filters that are off and pass the sound unchanged. Context: control.
  ///
  /// - Parameters:
  ///   - count: Number of filters.
  ///   - sampleRate: Hz.
  ///   - channelCount: Channels of the slices, those of output bus 0.
  ///   - design: Method by which the filters become digital.
  public init(count: Int, sampleRate: Double, channelCount: Int, design: FilterDesign) {
    self.count = count
    self.sampleRate = sampleRate
    unsafe filters = .allocate(capacity: max(count, 1))
    for index in 0..<count {
      unsafe (filters + index).initialize(
        to: GlidingFilter(sampleRate: sampleRate, channelCount: channelCount, design: design))
    }
  }

  deinit {
    unsafe filters.deinitialize(count: count)
    unsafe filters.deallocate()
  }

  /// Clears the history; the next settings hold at once. Context: control or render.
  @_noLocks public mutating func reset() {
    clock.reset()
    for index in 0..<count { unsafe filters[index].reset() }
  }

  /// Sets a filter, at the start of a slice; its values glide there, except the ones in `jumps`.
  ///
  /// A setting equal to the last one costs a comparison.
  ///
  /// - Parameters:
  ///   - index: The filter, in `0..<count`; another one is a programming error and traps.
  ///   - setting: The wanted filter.
  ///   - jumps: The values that hold from the first frame of the slice, since the host scheduled them.
  @_noLocks public mutating func set(
    _ index: Int, _ setting: FilterSetting, jumps: FilterJumps = FilterJumps()
  ) {
    precondition(index >= 0 && index < count, "no such filter")
    unsafe filters[index].set(setting, jumps)
  }

  /// Frames until the next grid point of the filters' clock; 0 at one.
  ///
  /// For a unit whose other glides are to move together with the filters.
  public var framesToGridPoint: Int {
    @_noLocks get { clock.isAtGridPoint ? 0 : ControlClock.interval - clock.phase }
  }

  /// Filters all channels of output bus 0 of one slice in place.
  @_noLocks public mutating func process(_ slice: borrowing RenderSlice) {
    process(slice, from: 0, count: slice.frameCount)
  }

  /// Filters frames of a slice in place, for units that divide slices themselves.
  ///
  /// - Parameters:
  ///   - slice: The slice.
  ///   - first: First frame, from 0.
  ///   - count: Frames; the next call must follow on these.
  @_noLocks public mutating func process(
    _ slice: borrowing RenderSlice, from first: Int, count: Int
  ) {
    var frame = first
    let end = first + count
    while frame < end {
      var isMoving = false
      if clock.isAtGridPoint {
        for index in 0..<self.count { unsafe filters[index].advance() }
      }
      for index in 0..<self.count where unsafe filters[index].isMoving { isMoving = true }
      let run = clock.run(of: end - frame, isMoving: isMoving)
      for index in 0..<self.count {
        unsafe filters[index].process(slice, from: frame, count: run, phase: clock.phase)
      }
      clock.advance(run)
      frame += run
    }
  }

  /// Seconds in which the filters, as they are now, ring down to −140 dB: the `restSeconds` of a unit.
  ///
  /// 0 where no filter rings. Context: render.
  public var restSeconds: Double {
    @_noLocks get {
      var frames = 0.0
      for index in 0..<count { frames += unsafe filters[index].ringingFrames }
      return Self.seconds(frames, sampleRate)
    }
  }

  @_noLocks private static func seconds(_ frames: Double, _ sampleRate: Double) -> Double {
    frames == 0 ? 0 : (frames + 2048) / sampleRate
  }

  /// Returns the seconds in which filters in a row ring down to −140 dB; the filters' own are added up.
  ///
  /// Filters that are off, and bells and shelves of 0 dB, do not count. For a unit's `tailSeconds`:
  ///
  /// ```swift
  /// var tailSeconds: Double {
  ///   FilterSeries.tailSeconds([parameters.setting], sampleRate: sampleRate, design: .matched)
  /// }
  /// ```
  ///
  /// Context: control.
  public static func tailSeconds(
    _ settings: [FilterSetting], sampleRate: Double, design: FilterDesign
  ) -> Double {
    var frames = 0.0
    for setting in settings where setting.isOn && !(setting.shape.hasGain && setting.gain == 0) {
      frames += setting.coefficients(sampleRate: sampleRate, design: design)
        .decayFrames(decibels: 140)
    }
    return seconds(frames, sampleRate)
  }

  /// Returns the gain (linear) at a frequency (Hz) of filters in a row. Context: control.
  ///
  /// For a unit's `frequencyResponse`, from which hosts draw the curve:
  ///
  /// ```swift
  /// static func frequencyResponse(
  ///   _ parameters: Parameters, frequency: Double, sampleRate: Double
  /// ) -> Double? {
  ///   FilterSeries.magnitude(
  ///     [parameters.setting], frequency: frequency, sampleRate: sampleRate, design: .matched)
  /// }
  /// ```
  public static func magnitude(
    _ settings: [FilterSetting], frequency: Double, sampleRate: Double, design: FilterDesign
  ) -> Double {
    settings.reduce(1) {
      $0
        * $1.coefficients(sampleRate: sampleRate, design: design)
        .magnitude(atFrequency: frequency, sampleRate: sampleRate)
    }
  }
}
