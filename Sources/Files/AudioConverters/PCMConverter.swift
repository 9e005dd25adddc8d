// A converter from linear PCM to linear PCM, for a source that is asked for input.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFormats
package import AudioTypes
package import CAudioToolbox
package import RealtimeSupport

/// Converts samples, channels and rate.
///
/// The output is the input, bit for bit, wherever the output can hold it.
///
/// Context: control. Not to be shared between threads.
@safe package final class PCMConverter {
  /// The answer of a source.
  package enum Answer {
    /// So many frames are in the input list.
    case frames(Int)
    /// There is nothing more to come.
    case end
    /// There is nothing now; the status is handed on.
    case nothing(OSStatus)
  }

  /// The format of the input, whole.
  package let source: AudioStreamBasicDescription
  /// The format of the output, whole.
  package let destination: AudioStreamBasicDescription
  /// The layout of the input's samples in memory.
  package let input: SampleFormat
  /// The layout of the output's samples.
  package let output: SampleFormat
  /// The buffers that a source points at its input.
  package let inputList: UnsafeMutablePointer<AudioBufferList>

  /// The settings; frames inside are lost where a change alters the way of sound.
  package var settings = ConverterSettings() {
    didSet { isReady = false }
  }

  var transfer: PCMTransfer?
  var rate: RateConversion?
  /// Frames in the input list that are still to be read, and where they begin.
  var pending = (start: 0, count: 0)
  /// Whether the end of the input was reported.
  var isEnded = false
  private var isReady = false

  /// Sets up a conversion.
  ///
  /// Errors: the status of a converter: `fmt?` for another format than linear PCM, `!isr` and
  /// `!osr` for rates out of range.
  package init(
    from source: AudioStreamBasicDescription, to destination: AudioStreamBasicDescription
  ) throws(AuricleError) {
    guard let input = SampleFormat(source), let output = SampleFormat(destination) else {
      throw AuricleError(
        .badData, status: kAudioConverterErr_FormatNotSupported,
        "cannot convert from \(AudioStreamFormat(source).description) to "
          + AudioStreamFormat(destination).description)
    }
    let rates = 0x1p-3...SoundLimits.maximumSampleRate
    // If neither is known, both are the same; an open rate of the output is that of the input.
    let areOpen = source.mSampleRate == 0 && destination.mSampleRate == 0
    guard areOpen || rates.contains(source.mSampleRate) else {
      throw AuricleError(
        .badData, status: kAudioConverterErr_InputSampleRateOutOfRange,
        "cannot convert from a sample rate of \(source.mSampleRate) Hz")
    }
    guard destination.mSampleRate == 0 || rates.contains(destination.mSampleRate) else {
      throw AuricleError(
        .badData, status: kAudioConverterErr_OutputSampleRateOutOfRange,
        "cannot convert to a sample rate of \(destination.mSampleRate) Hz")
    }
    self.input = input
    self.output = output
    self.source = Self.whole(source, input, source.mSampleRate)
    self.destination = Self.whole(
      destination, output,
      destination.mSampleRate == 0 ? source.mSampleRate : destination.mSampleRate)
    let size = AudioBufferList.byteSize(bufferCount: input.bufferCount)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    unsafe inputList = memory.assumingMemoryBound(to: AudioBufferList.self)
    try prepare()
  }

  deinit { unsafe UnsafeMutableRawPointer(inputList).deallocate() }

  /// Whether the rate is changed.
  package var changesRate: Bool { source.mSampleRate != destination.mSampleRate }

  /// Frames of the output for a frame of the input.
  package var ratio: Double { changesRate ? destination.mSampleRate / source.mSampleRate : 1 }

  /// Frames of the input that the filter reads before and behind the one in its middle.
  package var reach: Int {
    changesRate ? Int((Double(settings.rateMethod.reach) * max(1, 1 / ratio)).rounded(.up)) : 0
  }

  /// Forgets all sound, and that it ended.
  ///
  /// Errors: as for making one.
  package func reset() throws(AuricleError) {
    pending = (0, 0)
    isEnded = false
    transfer?.reset()
    if let rate, isReady, rate.reset() { return }
    if rate != nil { isReady = false }
    try prepare()
  }

  /// Brings the inside up to date with the settings.
  func prepare() throws(AuricleError) {
    guard !isReady else { return }
    let route = self.route
    let dither = self.dither
    if changesRate {
      rate = try RateConversion(self, route: route, dither: dither)
      transfer = nil
    } else {
      transfer = PCMTransfer(from: input, to: output, route: route, dither: dither)
    }
    isReady = true
  }

  /// Converts frames of one list into another at one rate, apart from any stream.
  ///
  /// Errors: as for making one.
  package func convert(
    _ source: UnsafeMutablePointer<AudioBufferList>,
    into target: UnsafeMutablePointer<AudioBufferList>,
    frameCount: Int
  ) throws(AuricleError) {
    try prepare()
    unsafe transfer?.move(source, at: 0, to: target, at: 0, frameCount: frameCount)
  }

  /// Fills a list with frames from `ask`, which receives the least number of frames.
  ///
  /// It asks until all are there, the input ends, or there is nothing now; returns the number of
  /// frames, and the status of the last answer.
  package func fill(
    _ list: UnsafeMutablePointer<AudioBufferList>, frameCount: Int, ask: (Int) -> Answer
  ) -> (count: Int, status: OSStatus) {
    do { try prepare() } catch { return (0, error.status) }
    if let rate { return unsafe rate.fill(self, list, frameCount: frameCount, ask: ask) }
    var done = 0
    while done < frameCount {
      if pending.count == 0 {
        if isEnded { break }
        switch ask(frameCount - done) {
        case .frames(let count): pending = (0, count)
        case .end: isEnded = true
        case .nothing(let status): return (done, status)
        }
        continue
      }
      let count = min(pending.count, frameCount - done)
      unsafe transfer?.move(inputList, at: pending.start, to: list, at: done, frameCount: count)
      consumePending(count)
      done += count
    }
    return (done, noErr)
  }

  /// Notes that pending frames were read.
  func consumePending(_ count: Int) {
    pending = (pending.start + count, pending.count - count)
  }

  /// The format as requested: open fields are filled in, others stay.
  private static func whole(
    _ format: AudioStreamBasicDescription, _ samples: SampleFormat, _ sampleRate: Double
  ) -> AudioStreamBasicDescription {
    var whole = format
    let size = UInt32(samples.bytesPerSample * samples.channelsPerBuffer)
    whole.mSampleRate = sampleRate
    whole.mFramesPerPacket = 1
    whole.mBytesPerFrame = size
    whole.mBytesPerPacket = size
    return whole
  }
}

extension PCMConverter {
  /// The routes of the channels.
  private var route: ChannelRoute {
    let (inputs, outputs) = (input.channelCount, output.channelCount)
    if let map = settings.channelMap { return ChannelRoute(inputs: inputs, map: map) }
    if settings.isMixing { return ChannelRoute(gains: mixGains, outputs: outputs) }
    if let from = settings.inputLayout, let to = settings.outputLayout,
      let map = ChannelMatrix.map(from: from, to: to)
    {
      return ChannelRoute(inputs: inputs, map: map)
    }
    return ChannelRoute(inputs: inputs, outputs: outputs)
  }

  /// The gains with which channels are mixed: the set ones, the layouts' or the usual ones.
  package var mixGains: [[Float]] {
    if let gains = settings.mixMap { return gains }
    let usual = { (count: Int) in
      ChannelLayout(tag: ChannelLayoutTag.usual(channelCount: count).rawValue)
    }
    let from = settings.inputLayout ?? usual(input.channelCount)
    let to = settings.outputLayout ?? usual(output.channelCount)
    if let gains = ChannelMatrix.mix(from: from, to: to) { return gains }
    return (0..<input.channelCount).map { input in
      (0..<output.channelCount).map { $0 == input ? 1 : 0 }
    }
  }

  /// The map of channels that is in force: a channel of the input for each of the output, or −1.
  package var channelMap: [Int32] {
    route.outputs.map { parts in parts.count == 1 ? Int32(parts[0].input) : -1 }
  }

  /// Noise where it is wanted, and where the input has more to it than the output can hold.
  private var dither: Dither? {
    guard settings.dithering != .none else { return nil }
    let isInteger = output.encoding == .integer
    var bits = isInteger ? output.bitCount : 0
    if settings.ditherBits > 0 {
      bits = isInteger ? min(bits, Int(settings.ditherBits)) : Int(settings.ditherBits)
    }
    guard (1...32).contains(bits), !isInteger || output.fractionBitCount == output.bitCount - 1
    else { return nil }
    let known =
      settings.bitDepthHint > 0
      ? Int(settings.bitDepthHint) : input.encoding == .integer ? input.bitCount : Int.max
    guard known > bits || changesRate || !route.isMap else { return nil }
    return Dither(
      bits: bits, isShaped: settings.dithering == .shaped, channelCount: output.channelCount)
  }
}
