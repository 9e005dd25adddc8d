// Nodes of an engine: busses, connections, taps.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Receives a buffer of a tap and the time of its first frame.
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void
/// Called when something is done.
public typealias AVAudioNodeCompletionHandler = () -> Void
/// The number of a bus.
public typealias AVAudioNodeBus = Int

/// The state of an output bus.
final class OutputState: @unchecked Sendable {
  var links: [InputLink] = []
  var tap: Tap?
  var cache: PlanarMemory?
  var cachedTime = -Double.infinity
  var cachedFrames = 0
  /// The last cycle of the bus.
  var stamp: AudioTimeStamp?
}

/// A bus of a node.
open class AVAudioConnectionPoint: NSObject {
  /// The node.
  open private(set) weak var node: AVAudioNode?
  /// The number of the bus.
  public let bus: AVAudioNodeBus
  /// A bus of a node.
  public init(node: AVAudioNode, bus: AVAudioNodeBus) {
    self.node = node
    self.bus = bus
  }
}

/// A node of an engine.
open class AVAudioNode: NSObject, @unchecked Sendable {
  /// The part of the engine that render threads use; nil while the node is not attached.
  var cycle: EngineCycle?
  var owner: AVAudioEngine? { cycle?.engine }
  /// The engine that the node is attached to.
  open var engine: AVAudioEngine? { owner }
  var inputLinks: [InputLink?] = []
  var outputs: [OutputState] = []
  var inputFormats: [AVAudioFormat] = []
  var outputFormats: [AVAudioFormat] = []
  /// The node's place among those that were attached.
  var place = 0
  let mixingDefaults = MixingState()
  let mixing3D = Mixing3DState()
  var isPrepared = false
  private var face: AUAudioUnit?

  init(inputs: Int, outputs count: Int) {
    let standard = AVAudioFormat.auricleStandard(44_100, 2)
    inputLinks = Array(repeating: nil, count: inputs)
    inputFormats = Array(repeating: standard, count: inputs)
    outputs = (0..<count).map { _ in OutputState() }
    outputFormats = Array(repeating: standard, count: count)
  }

  /// A node without busses, for classes of a program that only pass another node on.
  public override init() {}

  /// The number of input busses.
  open var numberOfInputs: Int { locked { inputLinks.count } }
  /// The number of output busses.
  open var numberOfOutputs: Int { locked { outputs.count } }
  /// The format of an input bus.
  open func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    let format = locked { inputFormats.indices.contains(bus) ? inputFormats[bus] : nil }
    guard let format else { auricleRaise("bus < numberOfInputs") }
    return format
  }
  /// The format of an output bus.
  open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    let format = locked { outputFormats.indices.contains(bus) ? outputFormats[bus] : nil }
    guard let format else { auricleRaise("bus < numberOfOutputs") }
    return format
  }
  /// A name for an input bus.
  open func name(forInputBus bus: AVAudioNodeBus) -> String? { nil }
  /// A name for an output bus.
  open func name(forOutputBus bus: AVAudioNodeBus) -> String? { nil }
  /// Forgets the sound so far.
  open func reset() {}
  /// Seconds by which the node is late.
  open var latency: TimeInterval { 0 }
  /// Seconds until the node's sound is at the loudspeaker.
  open var outputPresentationLatency: TimeInterval {
    var seconds = 0.0
    var node: AVAudioNode = self
    while let next = locked({ node.outputs.first?.links.first?.destination }) {
      seconds += next.latency
      node = next
    }
    return seconds + ((node as? AVAudioOutputNode)?.presentationLatency ?? 0)
  }
  /// The unit of the node.
  open var auAudioUnit: AUAudioUnit {
    if let face { return face }
    guard let made = makeFace() else { auricleRaise("the node has an audio unit") }
    face = made
    return made
  }
  func makeFace() -> AUAudioUnit? { nil }
  /// Opens a unit of the library for a node's face.
  static func unitFace(_ type: OSType, _ subtype: OSType) -> AUAudioUnit? {
    try? AUAudioUnit(
      componentDescription: AudioComponentDescription(
        componentType: type, componentSubType: subtype,
        componentManufacturer: kAudioUnitManufacturer_Apple,
        componentFlags: 0, componentFlagsMask: 0))
  }

  /// The time of the last cycle; nil while the engine does not run, and before the node's first cycle.
  ///
  /// In manual rendering it is the end of the frames so far; nil where nothing reads the node.
  open var lastRenderTime: AVAudioTime? {
    guard let engine = owner, engine.isRunning else { return nil }
    let (stamp, rate) = engine.renderLock {
      (lastStamp, outputFormats.first?.sampleRate ?? inputFormats.first?.sampleRate ?? 0)
    }
    if let manual = engine.manual { return engine.isRead(self) ? manual.time(atRate: rate) : nil }
    return stamp.map { AVAudioTime(stamp: $0, sampleRate: rate) }
  }
  var lastStamp: AudioTimeStamp? { outputs.first?.stamp }

  /// Installs a tap on an output bus: its block receives the sound on a queue of the library.
  open func installTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    block tapBlock: @escaping AVAudioNodeTapBlock
  ) {
    auricleRequire(outputs.indices.contains(bus), "bus < numberOfOutputs")
    auricleRequire(outputs[bus].tap == nil, "nullptr == Tap()")
    if let format {
      auricleRequire(
        format.sampleRate > 0 && format.channelCount > 0,
        "IsFormatSampleRateAndChannelCountValid(format)")
      if outputs[bus].links.isEmpty, owner == nil || !(self is AVAudioInputNode) {
        locked {
          outputFormats[bus] = .auricleStandard(format.sampleRate, format.channelCount)
        }
      }
      auricleRequire(
        format.sampleRate == outputFormats[bus].sampleRate,
        "format.sampleRate == inputHWFormat.sampleRate")
    }
    let tap = Tap(
      .auricleStandard(
        outputFormats[bus].sampleRate, format?.channelCount ?? outputFormats[bus].channelCount),
      bufferSize == 0 ? 4_800 : bufferSize, tapBlock)
    locked { outputs[bus].tap = tap }
    owner?.tapsChanged(self)
  }
  /// Removes a tap; its block is not called any more. Nothing where there is none.
  open func removeTap(onBus bus: AVAudioNodeBus) {
    guard outputs.indices.contains(bus) else { return }
    let tap = locked {
      let tap = outputs[bus].tap
      outputs[bus].tap = nil
      return tap
    }
    tap?.remove()
    owner?.tapsChanged(self)
  }
  func locked<Result>(_ body: () -> Result) -> Result {
    cycle.map { $0.lock(body) } ?? body()
  }

  // MARK: Rendering

  /// Fills a list of an output bus: from the cycle that another reader had, or from the node. Render thread.
  final func output(
    _ bus: Int, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
    _ list: UnsafeMutableAudioBufferListPointer
  ) -> OSStatus {
    let state = outputs[bus]
    let isShared = state.links.count > 1
    if isShared, state.cachedTime == time.pointee.mSampleTime, frames <= state.cachedFrames,
      let cache = state.cache
    {
      copyFrames(cache.point(0, frames), to: list, frames)
      return noErr
    }
    let status = render(bus, time, frames, list)
    guard status == noErr else { return status }
    state.stamp = time.pointee
    state.tap?.write(time, frames, list)
    if isShared, let cache = state.cache, frames <= cache.capacity {
      copyFrames(list, to: cache.point(0, frames), frames)
      state.cachedTime = time.pointee.mSampleTime
      state.cachedFrames = frames
    }
    return noErr
  }
  /// Makes the sound of an output bus. Render thread.
  func render(
    _ bus: Int, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
    _ list: UnsafeMutableAudioBufferListPointer
  ) -> OSStatus {
    clear(list, frames)
    return noErr
  }

  // MARK: The engine's calls

  /// The rate at which an input bus is read.
  func inputRate(_ bus: Int) -> Double { inputFormats[bus].sampleRate }
  /// Whether inputs of other rates and channels are converted.
  var convertsInputs: Bool { false }
  /// The format that a new connection has on this side.
  func setInput(_ bus: Int, _ format: AVAudioFormat) { inputFormats[bus] = format }
  func setOutput(_ bus: Int, _ format: AVAudioFormat) { outputFormats[bus] = format }
  /// Makes an input bus where the node may have more.
  func ensureInput(_ bus: Int) {
    auricleRequire(inputLinks.indices.contains(bus), "inDestBus < destination->numberOfInputs")
  }
  /// Called when an input bus has another connection, or none.
  func inputChanged(_ bus: Int) {}
  /// Makes ready to render.
  func prepare(_ maximumFrames: Int) throws { isPrepared = true }
  /// Called when the engine stopped.
  func engineDidStop() {}
}
