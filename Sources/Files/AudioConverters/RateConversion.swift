// The part of a converter that changes the rate: it reads ahead, waits, and ends where it should.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioTypes
import CAudioToolbox
import RealtimeSupport

/// Changes rate and channels of a converter's stream.
@safe final class RateConversion {
  private let route: ChannelRoute
  /// Whether channels are mixed before the rate is changed: where there are fewer of them then.
  private let mixesFirst: Bool
  private let stream: RateStream
  private let ratio: Double
  private let primeMethod: ConverterSettings.PrimeMethod
  private let reach: Int
  private var dither: Dither?
  private let decoded: SampleRows<Double>
  private let staged: SampleRows<Double>
  private let made: SampleRows<Double>
  private let mixed: SampleRows<Double>
  /// Frames that are ready for the filter, and where they begin.
  private var stage = (start: 0, count: 0)
  /// Frames of the input that went to the filter.
  private var inputCount = 0
  /// Frames of silence that go to the filter before the input.
  private var silenceCount = 0
  /// Frames of the output that were handed over.
  private var outputCount = 0
  /// Frames of the filter's output that are still to be left out.
  private var skipCount = 0
  /// Frames of the output there will be, once the input ended.
  private var totalCount: Int?

  init(_ converter: PCMConverter, route: ChannelRoute, dither: Dither?) throws(AuricleError) {
    self.route = route
    self.dither = dither
    let (inputs, outputs) = (converter.input.channelCount, converter.output.channelCount)
    mixesFirst = outputs <= inputs
    stream = try RateStream(
      from: converter.source.mSampleRate, to: converter.destination.mSampleRate,
      channelCount: mixesFirst ? outputs : inputs, method: converter.settings.rateMethod)
    ratio = converter.ratio
    reach = converter.reach
    let isFilter =
      converter.settings.complexity != .linear && converter.settings.complexity != .minimumPhase
    primeMethod = isFilter ? converter.settings.primeMethod : .normal
    let size = PCMTransfer.blockSize
    decoded = SampleRows(channelCount: inputs, frameCapacity: size)
    staged = SampleRows(channelCount: mixesFirst ? outputs : inputs, frameCapacity: size)
    made = SampleRows(channelCount: mixesFirst ? outputs : inputs, frameCapacity: size)
    mixed = SampleRows(channelCount: outputs, frameCapacity: size)
    begin()
    // Made anew by a setting after the end: there is nothing more to come.
    if converter.isEnded { totalCount = 0 }
  }

  /// Forgets all sound; false when the library fails.
  func reset() -> Bool {
    dither?.reset()
    begin()
    return stream.reset()
  }

  private func begin() {
    stage = (0, 0)
    (inputCount, outputCount, totalCount) = (0, 0, nil)
    silenceCount = primeMethod == .none ? reach : 0
    skipCount = primeMethod == .pre ? Int((Double(reach) * ratio).rounded()) : 0
  }

  /// Fills a list, as `PCMConverter.fill` does.
  func fill(
    _ converter: PCMConverter, _ list: UnsafeMutablePointer<AudioBufferList>, frameCount: Int,
    ask: (Int) -> PCMConverter.Answer
  ) -> (count: Int, status: OSStatus) {
    var done = 0
    while done < frameCount {
      if let totalCount, outputCount >= totalCount { break }
      if stage.count == 0 {
        let status = makeReady(converter, for: frameCount - done, ask: ask)
        if status != noErr { return (done, status) }
        continue
      }
      let room = min(made.frameCapacity, frameCount - done)
      guard
        let step = unsafe stream.convert(
          staged.rows, at: stage.start, frameCount: stage.count, into: made.rows, capacity: room),
        step.used + step.supplied > 0
      else { return (done, kAudioConverterErr_UnspecifiedError) }
      stage = (stage.start + step.used, stage.count - step.used)
      let skipped = min(skipCount, step.supplied)
      skipCount -= skipped
      var supplied = step.supplied - skipped
      if let totalCount { supplied = min(supplied, totalCount - outputCount) }
      guard supplied > 0 else { continue }
      unsafe write(supplied, from: skipped, converter, list, at: done)
      done += supplied
      outputCount += supplied
    }
    return (done, noErr)
  }

  /// Gets frames ready for the filter: of the input, or silence before and behind it.
  private func makeReady(
    _ converter: PCMConverter, for wanted: Int, ask: (Int) -> PCMConverter.Answer
  ) -> OSStatus {
    if silenceCount > 0 || converter.isEnded {
      let count =
        converter.isEnded ? staged.frameCapacity : min(silenceCount, staged.frameCapacity)
      if !converter.isEnded { silenceCount -= count }
      for channel in 0..<(mixesFirst ? route.outputs.count : route.inputCount) {
        unsafe staged.rows[channel].update(repeating: 0, count: count)
      }
      stage = (0, count)
      return noErr
    }
    if converter.pending.count == 0 {
      switch ask(inputFrames(for: wanted)) {
      case .frames(let count): converter.pending = (0, count)
      case .end:
        converter.isEnded = true
        totalCount = expectedCount
      case .nothing(let status): return status
      }
      return noErr
    }
    let count = min(converter.pending.count, staged.frameCapacity)
    unsafe SampleConversion.readDoubles(
      converter.inputList, converter.input, from: converter.pending.start,
      into: mixesFirst ? decoded.rows : staged.rows, at: 0, frameCount: count)
    if mixesFirst { unsafe route.mix(decoded.rows, into: staged.rows, frameCount: count) }
    converter.consumePending(count)
    inputCount += count
    stage = (0, count)
    return noErr
  }

  /// The frames of the input for so many of the output; with the first ones the filter's reach.
  private func inputFrames(for wanted: Int) -> Int {
    let ahead =
      inputCount > 0 ? 0 : primeMethod == .normal ? reach : primeMethod == .pre ? 2 * reach : 0
    return max(1, Int((Double(wanted) / ratio).rounded(.up)) + ahead)
  }

  /// Frames of the output for all of the input: sound never becomes none.
  private var expectedCount: Int {
    switch primeMethod {
    case .normal:
      max(Int((Double(inputCount) * ratio).rounded()), inputCount > 0 ? 1 : 0)
    case .none: inputCount > 0 ? Int((Double(inputCount + reach) * ratio).rounded()) : 0
    case .pre: max(0, Int((Double(inputCount - reach) * ratio).rounded()))
    }
  }

  private func write(
    _ count: Int, from start: Int, _ converter: PCMConverter,
    _ list: UnsafeMutablePointer<AudioBufferList>, at place: Int
  ) {
    let isMixed = !mixesFirst
    if isMixed { unsafe route.mix(made.rows, into: mixed.rows, frameCount: start + count) }
    let rows = unsafe isMixed ? mixed.rows : made.rows
    unsafe dither?.apply(rows, from: start, frameCount: count)
    unsafe SampleConversion.writeDoubles(
      rows, from: start, to: list, converter.output, at: place, frameCount: count)
  }
}
