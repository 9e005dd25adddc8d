// A sound stretched in time, and read at a speed: chunks of input in, samples of any pitch out.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport
import Synchronization

/// The library stretches, at its own pitch; the sound that it makes is read by a `SpeedReader`.
///
/// Input goes in by chunks of one length, independent of the slice size, so that the same input makes the same
/// output. Made, restarted and freed on a control thread, all else render.
@safe struct Stretcher: ~Copyable {
  /// Input frames that are stretched at once.
  static var chunk: Int { @_noLocks get { 256 } }
  /// Stretched frames that are read at once.
  private static var maximumPush: Int { @_noLocks get { 1024 } }
  /// The loudest input, far above full scale: beyond it the library makes NaNs.
  private static var limit: Float { @_noLocks get { 1024 } }

  private let library: RubberBand
  private let rate: UInt32
  private let channelCount: Int
  private var state: OpaquePointer
  private var reader: SpeedReader
  private let input: UnsafeMutablePointer<Float>
  private let rows: RubberBand.Rows
  private var isFresh = true
  private var leftToDrop = 0
  private var ratio = 1.0
  private var pace: StretchPace
  private var keeper: LevelKeeper
  /// Stretched frames of the sound that the library has returned so far.
  private(set) var made = 0

  /// Allocates; refuses where there is no library, or it makes no stretcher of the format. Context: control.
  ///
  /// - Parameters:
  ///   - greatestStep: The greatest speed at which the sound is read.
  ///   - ahead: Stretched frames that may wait to be read.
  init(
    sampleRate: Double, channelCount: Int, options: StretchOptions,
    quality: RateQuality, greatestStep: Double, ahead: Int
  ) throws(UnitRefusal) {
    guard let library = RubberBand.installed else { throw UnitRefusal(RubberBand.absence) }
    let rate = UInt32(max(1, min(sampleRate.rounded(), 1e7)))
    guard let state = unsafe Self.make(library, rate, channelCount, options) else {
      throw UnitRefusal(
        "Rubber Band stretches no sound of \(channelCount) channels at \(sampleRate) Hz: "
          + "use fewer channels or another rate")
    }
    self.library = library
    self.rate = rate
    self.channelCount = channelCount
    unsafe self.state = unsafe state
    pace = StretchPace(options)
    keeper = LevelKeeper(sampleRate: sampleRate)
    reader = SpeedReader(
      quality, channelCount: channelCount, greatestStep: greatestStep,
      maximumPush: Self.maximumPush, ahead: ahead)
    unsafe input = .allocate(capacity: channelCount * Self.chunk)
    unsafe input.initialize(repeating: 0, count: channelCount * Self.chunk)
    unsafe rows = .allocate(capacity: max(channelCount, 1))
    unsafe rows.initialize(repeating: nil, count: max(channelCount, 1))
  }

  deinit {
    unsafe library.delete(state)
    unsafe input.deallocate()
    unsafe rows.deallocate()
  }

  /// A stretcher of the library that will not allocate while it works.
  private static func make(
    _ library: RubberBand, _ rate: UInt32, _ channelCount: Int, _ options: StretchOptions
  ) -> OpaquePointer? {
    // The newer engine stretches sound of other rates as that of the nearest, and complains to the host's standard error.
    let known = options.locksPeaks ? min(max(rate, 8000), 192_000) : rate
    guard
      let state = unsafe library.make(known, UInt32(max(channelCount, 1)), options.bits, 1, 1)
    else { return nil }
    unsafe library.setDebugLevel(state, -1)
    unsafe library.setMaximumProcessSize(state, UInt32(chunk))
    if !options.locksPeaks {
      // The older engine makes its windows when a ratio first needs them.
      var ratio = 1.0 / 128
      while ratio < 130 {
        unsafe library.setTimeRatio(state, ratio)
        ratio *= 1.3
      }
      unsafe library.setTimeRatio(state, 1)
    }
    return unsafe state
  }

  /// Begins anew with a fresh stretcher: one that was reset would not sound the same. Context: control.
  mutating func restart(_ options: StretchOptions) {
    if let fresh = unsafe Self.make(library, rate, channelCount, options) {
      unsafe library.delete(state)
      unsafe state = unsafe fresh
    } else {
      unsafe library.reset(state)
    }
    isFresh = true
    ratio = 1
    pace = StretchPace(options)
    made = 0
    leftToDrop = 0
    keeper.reset()
    reader.reset()
  }

  /// Begins anew with the stretcher that was used, which may sound a little different. Context: render.
  @_noLocks mutating func rewind() {
    unsafe library.clear(state)
    isFresh = true
    pace.reset()
    made = 0
    leftToDrop = 0
    keeper.reset()
    reader.reset()
  }

  /// Half the library's window in input frames. Context: any.
  var windowReach: Int {
    unsafe Int(library.startPad?(state) ?? library.startDelay(state))
  }

  /// Half the reader's filter, in stretched frames. Context: any.
  var filterReach: Int { reader.reach }

  /// The memory for a channel's next chunk.
  @_noLocks func inputPointer(_ channel: Int) -> UnsafeMutablePointer<Float> {
    unsafe input + channel * Self.chunk
  }

  /// Stretches the chunk that was written at the input pointers.
  ///
  /// - Parameter ratio: Stretched frames of an input frame.
  @_noLocks mutating func feed(ratio: Double) {
    let next = pace.ratio(toward: ratio, count: Self.chunk)
    if next != self.ratio {
      self.ratio = next
      unsafe library.stretch(state, by: next)
    }
    if isFresh { begin() }
    var power = 0.0
    for index in 0..<(channelCount * Self.chunk) {
      let sample = unsafe input[index]
      // A comparison with a NaN is false.
      let bounded =
        sample > -Self.limit && sample < Self.limit
        ? sample : sample >= Self.limit ? Self.limit : sample <= -Self.limit ? -Self.limit : 0
      unsafe input[index] = bounded
      power += Double(bounded * bounded)
    }
    keeper.note(
      power: power / Double(max(channelCount, 1) * Self.chunk),
      frames: ratio * Double(Self.chunk))
    process(Self.chunk)
  }

  /// Puts silence before the sound, as the library wants it, and drops its output.
  @_noLocks private mutating func begin() {
    isFresh = false
    var pad = unsafe library.padCount(state)
    leftToDrop = unsafe library.delayCount(state)
    pace.note(input: pad, at: ratio)
    while pad > 0 {
      let count = min(pad, Self.chunk)
      silence(count)
      pad -= count
    }
  }

  /// Stretches silence.
  @_noLocks private mutating func silence(_ count: Int) {
    reader.makeRoom(Self.chunk)
    for channel in 0..<channelCount {
      let zeros = unsafe reader.pushPointer(channel)
      unsafe SampleCopy.clear(zeros, count: count)
      unsafe rows[channel] = unsafe zeros
    }
    unsafe library.consume(state, rows, count)
    collect()
  }

  @_noLocks private mutating func process(_ count: Int) {
    for channel in 0..<channelCount { unsafe rows[channel] = inputPointer(channel) }
    unsafe library.consume(state, rows, count)
    collect()
  }

  /// Reads the library's ready output.
  @_noLocks private mutating func collect() {
    while true {
      var count = unsafe library.readyCount(state)
      guard count > 0 else { return }
      let isDropped = leftToDrop > 0
      count = min(count, isDropped ? min(leftToDrop, Self.maximumPush) : Self.maximumPush)
      reader.makeRoom(count)
      // Frames without room stay in the library.
      guard reader.canPush(count) else { return }
      for channel in 0..<channelCount { unsafe rows[channel] = reader.pushPointer(channel) }
      count = unsafe library.pass(state, rows, count)
      guard count > 0 else { return }
      pace.note(output: count)
      if isDropped {
        leftToDrop -= count
      } else {
        keepFinite(count)
        keepLevel(count)
        made += count
        reader.push(count, isSilent: false)
      }
    }
  }

  /// Replaces values that are not finite by silence, and clears the library where there was any.
  @_noLocks private func keepFinite(_ count: Int) {
    var isFinite = true
    for channel in 0..<channelCount {
      let samples = unsafe reader.pushPointer(channel)
      guard unsafe !SampleScan.isFinite(samples, count: count) else { continue }
      isFinite = false
      unsafe SampleCopy.clear(samples, count: count)
    }
    if !isFinite { unsafe library.clear(state) }
  }

  /// Brings frames to the level of the input that they were made of.
  @_noLocks private mutating func keepLevel(_ count: Int) {
    var power = 0.0
    for channel in 0..<channelCount {
      let samples = unsafe reader.pushPointer(channel)
      for index in 0..<count { unsafe power += Double(samples[index] * samples[index]) }
    }
    let (first, last) = keeper.gains(
      power: power / Double(max(channelCount, 1) * count), count: count, ratio: ratio)
    guard first != 1 || last != 1 else { return }
    let slope = (last - first) / Double(count)
    for channel in 0..<channelCount {
      let samples = unsafe reader.pushPointer(channel)
      for index in 0..<count { unsafe samples[index] *= Float(first + slope * Double(index)) }
    }
  }

  /// Whether the next output frame at a step cannot be made yet.
  @_noLocks func lacks(_ step: Double) -> Bool { reader.missing(1, step: step) > 0 }

  /// Prepares the next output frame; see `SpeedReader.aim`.
  @_noLocks mutating func aim(_ step: Double) -> Int { reader.aim(step, isQuiet: false) }

  /// The output frame of a channel.
  @_noLocks func sample(_ channel: Int, reach: Int) -> Float {
    reader.sample(channel, reach: reach)
  }

  /// Moves on by one output frame.
  @_noLocks mutating func advance(_ step: Double) { reader.advance(step) }
}

extension Stretcher {
  /// The most input frames that are inside the library at a ratio, found once for each. Context: control.
  static func lag(sampleRate: Double, options: StretchOptions, ratio: Double) -> Int {
    let trial = Trial(sampleRate: sampleRate, options: options, ratio: ratio)
    if let known = knownLags.withLock({ $0[trial] }) { return known }
    let lag = triedLag(sampleRate: sampleRate, options: options, ratio: ratio)
    knownLags.withLock { $0[trial] = lag }
    return lag
  }

  /// A stretcher that was tried.
  private struct Trial: Hashable {
    var sampleRate: Double
    var options: StretchOptions
    var ratio: Double
  }

  private static let knownLags = Mutex<[Trial: Int]>([:])

  /// The most input frames that are inside the library at a ratio, by trying it.
  private static func triedLag(
    sampleRate: Double, options: StretchOptions, ratio: Double
  ) -> Int {
    guard let library = RubberBand.installed,
      let state = unsafe make(library, UInt32(max(1, min(sampleRate.rounded(), 1e7))), 1, options)
    else { return 0 }
    defer { unsafe library.delete(state) }
    unsafe library.setTimeRatio(state, ratio)
    let pad = unsafe Int(library.startPad?(state) ?? 0)
    let delay = unsafe Int(library.startDelay(state))
    var silence = [Float](repeating: 0, count: chunk)
    var trash = [Float](repeating: 0, count: maximumPush)
    var fed = -pad, made = -delay, most = 0
    let end = 2 * (Int(Double(delay) / ratio) + 8 * chunk)
    unsafe silence.withUnsafeMutableBufferPointer { zeros in
      unsafe trash.withUnsafeMutableBufferPointer { sink in
        var source = zeros.baseAddress
        var target = sink.baseAddress
        while fed < end {
          unsafe library.process(state, &source, UInt32(chunk), 0)
          fed += chunk
          while case let count = unsafe Int(library.available(state)), count > 0 {
            made += unsafe Int(
              library.retrieve(state, &target, UInt32(min(count, maximumPush))))
          }
          most = max(most, fed - Int(Double(max(made, 0)) / ratio))
        }
      }
    }
    return most
  }
}
