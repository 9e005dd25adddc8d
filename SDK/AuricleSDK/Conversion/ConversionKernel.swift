// The DSP of the converter and the generic output: channels and sample rate.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport

/// A kernel that pulls as much input as the output needs, converts its rate and maps its channels.
///
/// With equal rates and no map the output is the input, bit for bit and without latency. Units make it through
/// `ConversionSettings.makeUnit(_:_:)`, which also has the properties for hosts.
@safe public struct ConversionKernel: UnitKernel, ~Copyable {
  private let map: ChannelMap
  private let inputCount: Int
  private let outputCount: Int
  /// Channels to filter: those of the side that has fewer.
  private let width: Int
  private let mapsFirst: Bool
  private let isUnity: Bool
  private let inputRate: Double
  private var converter: RateConverter
  private let work: UnsafeMutablePointer<Float>
  private let workFrames: Int
  private var inputTime = 0.0
  private var isFresh = true

  /// Allocates for a format. Context: control.
  ///
  /// - Parameters:
  ///   - format: Rates and channels of both sides.
  ///   - settings: Complexity and channel map, read once.
  public init(_ format: RenderFormat, _ settings: ConversionSettings) {
    inputCount = format.inputChannelCount
    outputCount = format.channelCount
    inputRate = format.inputSampleRates.first ?? format.sampleRate
    let ratio = RateRatio(from: inputRate, to: format.sampleRate)
    isUnity = ratio.isUnity
    map = ChannelMap(inputs: inputCount, outputs: outputCount, settings.channelMap)
    mapsFirst = inputCount > outputCount
    width = min(inputCount, outputCount)
    let quality =
      isUnity
      ? .linear
      : RateQuality(complexity: settings.complexity, renderQuality: format.renderQuality)
    workFrames = format.maximumFrames
    converter = RateConverter(
      ratio, quality, channelCount: isUnity ? 0 : width, maximumPull: workFrames)
    unsafe work = .allocate(capacity: max(inputCount, 1) * workFrames)
    unsafe work.initialize(repeating: 0, count: max(inputCount, 1) * workFrames)
  }

  /// Allocates for a format, with default settings. Context: control.
  public init(_ format: RenderFormat) { self.init(format, ConversionSettings()) }

  deinit {
    map.deallocate()
    unsafe work.deallocate()
  }

  /// Clears the history. Context: control or render.
  @_noLocks public mutating func reset() {
    converter.reset()
    isFresh = true
  }

  /// Half the filter, as a whole number of output frames; 0 with equal rates. Context: control.
  public var latencyFrames: Int { isUnity ? 0 : converter.delayFrames }

  /// Length of the filter in seconds; 0 with equal rates. Context: control.
  public var tailSeconds: Double { isUnity ? 0 : Double(converter.tailFrames) / inputRate }

  /// Converts one slice. Context: render.
  @_noLocks public mutating func process(_ slice: borrowing RenderSlice) {
    if isUnity { return passOn(slice) }
    if isFresh {
      isFresh = false
      inputTime =
        (slice.sampleTime * Double(converter.ratio.step) / Double(converter.ratio.phaseCount) + 0.5)
      inputTime = Double(Int64(max(-9e15, min(9e15, inputTime))))
    }
    var frame = 0
    var isSilent = true
    while frame < slice.frameCount {
      let left = slice.frameCount - frame
      var count = min(left, converter.availableFrames())
      if count == 0 {
        let missing = min(converter.missingFrames(for: left), slice.maximumFrameCount)
        let status = fetch(slice, missing)
        guard status == 0 else { return slice.fail(status) }
        count = min(left, converter.availableFrames())
        if count == 0 { continue }
      }
      if !make(slice, frame, count) { isSilent = false }
      converter.advance(count)
      frame += count
    }
    if isSilent { slice.markOutputSilent() }
  }

  /// Pulls input frames into the history.
  @_noLocks private mutating func fetch(_ slice: borrowing RenderSlice, _ count: Int) -> OSStatus {
    converter.makeRoom()
    let status = slice.pullInput(bus: 0, sampleTime: inputTime, frameCount: count)
    guard status == 0 else { return status }
    inputTime += Double(count)
    for channel in 0..<width {
      let target = unsafe converter.pushPointer(channel)
      if mapsFirst {
        unsafe map.write(channel, slice, to: target, count)
      } else {
        unsafe SampleRun.copy(slice.input(bus: 0, channel: channel), to: target, count)
      }
    }
    converter.push(count, isSilent: slice.inputIsSilent(bus: 0))
    return 0
  }

  /// Makes output frames; true if they are silence.
  @_noLocks private func make(
    _ slice: borrowing RenderSlice, _ frame: Int, _ count: Int
  ) -> Bool {
    if converter.isSilent() {
      for channel in 0..<outputCount {
        unsafe SampleRun.clear(slice.channel(channel) + frame, count)
      }
      return true
    }
    if mapsFirst || map.isIdentity {
      for channel in 0..<outputCount {
        unsafe converter.pull(channel, into: slice.channel(channel) + frame, count)
      }
      return false
    }
    for channel in 0..<width {
      unsafe converter.pull(channel, into: work + channel * workFrames, count)
    }
    for channel in 0..<outputCount {
      unsafe map.write(
        channel, work, stride: workFrames, to: slice.channel(channel) + frame, count)
    }
    return false
  }

  /// Pulls straight through, as the rates are equal.
  @_noLocks private func passOn(_ slice: borrowing RenderSlice) {
    let status = slice.pullInput(bus: 0)
    guard status == 0 else { return slice.fail(status) }
    for channel in 0..<outputCount {
      unsafe map.write(channel, slice, to: slice.channel(channel), slice.frameCount)
    }
    if slice.inputIsSilent(bus: 0) { slice.markOutputSilent() }
  }
}
