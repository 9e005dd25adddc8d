// Rendering by hand: an engine without a device.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The mode of rendering by hand.
public enum AVAudioEngineManualRenderingMode: Int, Sendable {
  /// As fast as possible.
  case offline = 0
  /// Under the conditions of a render thread.
  case realtime = 1
}

/// The result of rendering by hand.
public enum AVAudioEngineManualRenderingStatus: Int, Sendable {
  /// It failed.
  case error = -1
  /// All frames are there.
  case success = 0
  /// The input block had too little.
  case insufficientDataFromInputNode = 1
  /// Not possible just now; try again.
  case cannotDoInCurrentContext = 2
}

/// Errors of rendering by hand.
public enum AVAudioEngineManualRenderingError: OSStatus, Error, Sendable {
  /// The engine is not in that mode.
  case invalidMode = -80800
  /// The engine has to be stopped first.
  case initialized = -80801
  /// The engine does not run.
  case notRunning = -80802
}

/// Renders frames into a list, with a place for an error.
public typealias AVAudioEngineManualRenderingBlock = (
  AVAudioFrameCount, UnsafeMutablePointer<AudioBufferList>, UnsafeMutablePointer<OSStatus>?
) -> AVAudioEngineManualRenderingStatus

/// The state of rendering by hand.
final class ManualRendering: @unchecked Sendable {
  let mode: AVAudioEngineManualRenderingMode
  let format: AVAudioFormat
  let maximumFrames: Int
  let sampleTime = Atomic<AVAudioFramePosition>(0)
  /// Whether the last cycle had too little input.
  var isStarved = false
  let memory: PlanarMemory
  let converter: AudioConverterRef?
  let startHostTime = mach_absolute_time()

  init(_ mode: AVAudioEngineManualRenderingMode, _ format: AVAudioFormat, _ frames: Int) throws {
    self.mode = mode
    self.format = format
    maximumFrames = frames
    memory = PlanarMemory(channels: Int(format.channelCount), capacity: frames)
    var made: AudioConverterRef?
    if !format.isStandard || format.isInterleaved && format.channelCount > 1 {
      let standard = AVAudioFormat.auricleStandard(format.sampleRate, format.channelCount)
      try auricleCheck(
        AudioConverterNew(standard.streamDescription, format.streamDescription, &made))
    }
    converter = made
  }
  deinit { if let converter { AudioConverterDispose(converter) } }

  /// The time behind the frames so far, in samples of a rate.
  func time(atRate rate: Double) -> AVAudioTime {
    let seconds = Double(sampleTime.load(ordering: .relaxed)) / format.sampleRate
    return AVAudioTime(
      hostTime: startHostTime + AVAudioTime.hostTime(forSeconds: seconds),
      sampleTime: AVAudioFramePosition((seconds * rate).rounded()), atRate: rate)
  }
  /// The format of input and output as floats.
  var standardFormat: AVAudioFormat {
    .auricleMake(
      AVAudioFormat.auricleStandard(format.sampleRate, format.channelCount).raw,
      format.channelLayout)
  }
  func setFormats(_ node: AVAudioOutputNode) {
    node.inputFormats[0] = standardFormat
    node.outputFormats[0] = format
  }
}

extension AVAudioEngine {
  /// Leaves the device: frames are rendered by hand in a format, at most so many at once.
  public func enableManualRenderingMode(
    _ mode: AVAudioEngineManualRenderingMode, format pcmFormat: AVAudioFormat,
    maximumFrameCount: AVAudioFrameCount
  ) throws {
    control.lock()
    defer { control.unlock() }
    guard !running else { throw manualError(.initialized) }
    guard pcmFormat.isLinear, pcmFormat.channelCount > 0, pcmFormat.sampleRate > 0,
      maximumFrameCount > 0
    else {
      throw auricleError(kAudioUnitErr_FormatNotSupported)
    }
    stop()
    manual = try ManualRendering(mode, pcmFormat, Int(maximumFrameCount))
    adaptOutput()
  }
  /// Returns to the device.
  public func disableManualRenderingMode() {
    control.lock()
    defer { control.unlock() }
    auricleRequire(!running, "!IsRunning()")
    stop()
    manual = nil
    if existing.output != nil, let format = device.format(input: false) { setDeviceFormat(format) }
    adaptOutput()
  }
  /// Connects everything again with memory for the frames of the mode, the last mixer in the format of the output.
  private func adaptOutput() {
    if let output = existing.output { renderLock { manual?.setFormats(output) } }
    if let input = existing.input {
      let format = manual?.standardFormat ?? device.format(input: true) ?? .auricleStandard(0, 0)
      renderLock {
        input.inputFormats[0] = format
        input.outputFormats[0] = format
      }
    }
    for node in attachedNodes { reconnect(node) }
  }
  /// Makes the connections of a node's outputs again, in its present formats.
  func reconnect(_ node: AVAudioNode) {
    for (bus, state) in node.outputs.enumerated()
    where !state.links.isEmpty && node.outputFormats[bus].channelCount > 0 {
      let points = state.links.compactMap { link in
        link.destination.map { AVAudioConnectionPoint(node: $0, bus: link.destinationBus) }
      }
      let mixing = state.links.map { ($0.mixing.volume, $0.mixing.pan) }
      let feedsOutput = node === existing.mixer && points.contains { $0.node === existing.output }
      connect(
        node, to: points, fromBus: bus,
        format: feedsOutput ? existing.output?.inputFormats[0] : node.outputFormats[bus])
      for (link, values) in zip(state.links, mixing) {
        (link.mixing.volume, link.mixing.pan) = values
      }
    }
  }
  private func manualError(_ error: AVAudioEngineManualRenderingError) -> NSError {
    auricleError(error.rawValue)
  }

  /// Whether frames are rendered by hand.
  public var isInManualRenderingMode: Bool { manual != nil }
  /// The mode of rendering by hand.
  public var manualRenderingMode: AVAudioEngineManualRenderingMode { manual?.mode ?? .offline }
  /// The format of rendered frames.
  public var manualRenderingFormat: AVAudioFormat { manual?.format ?? AVAudioFormat() }
  /// The greatest number of frames at once.
  public var manualRenderingMaximumFrameCount: AVAudioFrameCount {
    AVAudioFrameCount(manual?.maximumFrames ?? 0)
  }
  /// The number of frames rendered since the start.
  public var manualRenderingSampleTime: AVAudioFramePosition {
    manual?.sampleTime.load(ordering: .relaxed) ?? 0
  }

  /// Renders frames into a buffer.
  @discardableResult
  public func renderOffline(
    _ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer
  ) throws -> AVAudioEngineManualRenderingStatus {
    guard let manual, manual.mode == .offline else { throw manualError(.invalidMode) }
    guard running else { throw manualError(.notRunning) }
    guard Int(numberOfFrames) <= manual.maximumFrames, numberOfFrames <= buffer.frameCapacity,
      buffer.format.raw == manual.format.raw
    else { throw auricleError(kAudio_ParamError) }
    buffer.frameLength = numberOfFrames
    var error = noErr
    let status = cycle.render(manual, numberOfFrames, buffer.mutableAudioBufferList, &error)
    cycle.deliver()
    if status == .error {
      buffer.frameLength = 0
      throw auricleError(error)
    }
    return status
  }
  /// Renders frames into a list, for use on a render thread: it allocates nothing.
  public var manualRenderingBlock: AVAudioEngineManualRenderingBlock {
    { [cycle] frames, list, place in
      let manual = cycle.manual
      let isRunning = cycle.isRunning.load(ordering: .acquiring)
      guard let manual, isRunning, Int(frames) <= manual.maximumFrames else {
        place?.pointee =
          manual == nil
          ? AVAudioEngineManualRenderingError.invalidMode.rawValue
          : isRunning
            ? kAudioUnitErr_TooManyFramesToProcess
            : AVAudioEngineManualRenderingError.notRunning.rawValue
        return .error
      }
      var error = noErr
      let status = cycle.render(manual, frames, list, &error)
      place?.pointee = error
      return status
    }
  }
}

extension EngineCycle {
  /// Renders frames by hand. Context: the thread of the program's choice.
  func render(
    _ manual: ManualRendering, _ frames: AVAudioFrameCount,
    _ list: UnsafeMutablePointer<AudioBufferList>,
    _ error: inout OSStatus
  ) -> AVAudioEngineManualRenderingStatus {
    let present = manual.sampleTime.load(ordering: .relaxed)
    var time = AudioTimeStamp()
    time.mSampleTime = Double(present)
    time.mHostTime =
      manual.startHostTime
      + AVAudioTime.hostTime(forSeconds: Double(present) / manual.format.sampleRate)
    time.mFlags = [.sampleTimeValid, .hostTimeValid]
    manual.isStarved = false
    let target = UnsafeMutableAudioBufferListPointer(list)
    if let converter = manual.converter {
      let source = manual.memory.point(0, Int(frames))
      error = run(&time, Int(frames), source)
      if error == noErr {
        error = AudioConverterConvertComplexBuffer(converter, frames, source.unsafePointer, list)
      }
    } else {
      error = run(&time, Int(frames), target)
    }
    guard error == noErr else { return .error }
    manual.sampleTime.store(present + AVAudioFramePosition(frames), ordering: .relaxed)
    return manual.isStarved ? .insufficientDataFromInputNode : .success
  }
}
