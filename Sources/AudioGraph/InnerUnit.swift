// Units of the host's own inside a chain's graph: the joints between the units of a preset.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

/// What a unit of the host's own does.
enum InnerUnitKind {
  /// Hands its input on: the end of a graph.
  case output
  /// Gives its input on every output bus.
  case splitter
  /// Sums its inputs, each channel with a gain of its own.
  case mixer
  /// Gives its input other channels, and a gain.
  case adapter
  /// Plays what its owner has laid ready.
  case source
  /// Renders a stage that needs several instances or a mix with its input.
  case stage
}

/// A bus of such a unit.
@safe struct InnerBus {
  var channelCount: Int
  /// What the bus holds in this cycle: the memory of whoever made it, or its own.
  var list: UnsafeMutablePointer<AudioBufferList>
  /// A gain for each channel.
  var gains: UnsafeMutablePointer<Float>
  var callback: AURenderCallback?
  var refCon: UnsafeMutableRawPointer?
}

/// The state of such a unit; its interface comes first, so that both have one address.
@safe struct InnerUnitState {
  var interface: AudioComponentPlugInInterface
  var kind: InnerUnitKind
  var inputs: UnsafeMutablePointer<InnerBus>
  var inputCount: Int
  var outputs: UnsafeMutablePointer<InnerBus>
  var outputCount: Int
  var sampleRate: Double
  var maximumFrames: Int
  /// The cycle whose input was pulled last, how that went, and whether it was silent.
  var pulledTime = -1.0
  var pulledStatus: OSStatus = 0
  var isSilent = false
  /// What a source plays in this slice, a pointer a channel; nil for silence.
  var ready: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
  /// Of a stage: what stands for its input, and the stage itself.
  var stageInput: UnsafeMutablePointer<StageState>?
  var stage: UnsafeMutablePointer<StageState>?
  /// Of a stage: its `UnitChain`, borrowed from the owner.
  var chain: UnsafeMutableRawPointer?
}

/// The owner of such a unit's memory; the unit keeps it alive.
@safe final class InnerUnit {
  let state: UnsafeMutablePointer<InnerUnitState>
  private let component: UnsafeMutablePointer<OpaqueAudioComponent>
  private let chain: UnitChain?

  init(
    _ kind: InnerUnitKind, description: AudioComponentDescription, inputs: [Int], outputs: [Int],
    sampleRate: Double, maximumFrames: Int, chain: UnitChain? = nil
  ) {
    self.chain = chain
    unsafe component = .allocate(capacity: 1)
    unsafe component.initialize(to: OpaqueAudioComponent())
    unsafe component.pointee.magic = UInt32(kAuricleComponentMagic)
    unsafe component.pointee.recordSize = UInt32(MemoryLayout<OpaqueAudioComponent>.size)
    unsafe component.pointee.description = description
    let interface = unsafe AudioComponentPlugInInterface(
      Open: { _, _ in 0 }, Close: { _ in 0 }, Lookup: { unsafe innerMethod($0) }, reserved: nil)
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(
      to: InnerUnitState(
        interface: interface, kind: kind, inputs: Self.makeBuses(inputs),
        inputCount: inputs.count, outputs: Self.makeBuses(outputs), outputCount: outputs.count,
        sampleRate: sampleRate, maximumFrames: maximumFrames))
    if let chain {
      unsafe state.pointee.stageInput = unsafe chain.states[0]
      unsafe state.pointee.stage = unsafe chain.states[chain.states.count - 1]
      unsafe state.pointee.chain = unsafe Unmanaged.passUnretained(chain).toOpaque()
    }
  }

  deinit {
    unsafe Self.free(state.pointee.inputs, state.pointee.inputCount)
    unsafe Self.free(state.pointee.outputs, state.pointee.outputCount)
    unsafe state.deallocate()
    unsafe component.deallocate()
  }

  /// Opens it as an audio unit, once.
  func open() throws(AuricleError) -> AudioUnit {
    let plugIn = unsafe UnsafeMutableRawPointer(state).assumingMemoryBound(
      to: AudioComponentPlugInInterface.self)
    return unsafe try AudioUnit(opening: plugIn, component: component, keeping: self)
  }

  /// Sets the gain of a channel of an input.
  func setGain(_ gain: Float, input: Int, channel: Int) {
    unsafe state.pointee.inputs[input].gains[channel] = gain
  }

  /// Sets the gain of an output.
  func setGain(_ gain: Float, output: Int) {
    unsafe state.pointee.outputs[output].gains[0] = gain
  }

  private static func makeBuses(_ counts: [Int]) -> UnsafeMutablePointer<InnerBus> {
    let buses = UnsafeMutablePointer<InnerBus>.allocate(capacity: max(1, counts.count))
    for (index, count) in counts.enumerated() {
      let raw = UnsafeMutableRawPointer.allocate(
        byteCount: AudioBufferList.byteSize(bufferCount: count), alignment: 16)
      let gains = UnsafeMutablePointer<Float>.allocate(capacity: max(1, count))
      unsafe gains.initialize(repeating: 1, count: max(1, count))
      unsafe (buses + index).initialize(
        to: InnerBus(
          channelCount: count, list: raw.bindMemory(to: AudioBufferList.self, capacity: 1),
          gains: gains))
    }
    return unsafe buses
  }

  private static func free(_ buses: UnsafeMutablePointer<InnerBus>, _ count: Int) {
    for index in 0..<count {
      unsafe buses[index].gains.deallocate()
      unsafe UnsafeMutableRawPointer(buses[index].list).deallocate()
    }
    unsafe buses.deallocate()
  }
}

/// The method of a selector.
private func innerMethod(_ selector: Int16) -> AudioComponentMethod? {
  switch selector {
  case Int16(kAudioUnitInitializeSelect), Int16(kAudioUnitUninitializeSelect):
    unsafe innerNothing
  case Int16(kAudioUnitGetPropertyInfoSelect):
    unsafe unsafeBitCast(innerPropertyInfo, to: AudioComponentMethod.self)
  case Int16(kAudioUnitGetPropertySelect):
    unsafe unsafeBitCast(innerGetProperty, to: AudioComponentMethod.self)
  case Int16(kAudioUnitSetPropertySelect):
    unsafe unsafeBitCast(innerSetProperty, to: AudioComponentMethod.self)
  case Int16(kAudioUnitResetSelect):
    unsafe unsafeBitCast(innerReset, to: AudioComponentMethod.self)
  case Int16(kAudioUnitRenderSelect):
    unsafe unsafeBitCast(innerRender, to: AudioComponentMethod.self)
  default: nil
  }
}

private let innerNothing: AudioUnitInitializeProc = { _ in 0 }

private func innerState(_ plugIn: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<InnerUnitState>?
{
  unsafe plugIn?.assumingMemoryBound(to: InnerUnitState.self)
}

private func innerBus(
  _ state: UnsafeMutablePointer<InnerUnitState>, _ scope: AudioUnitScope,
  _ element: AudioUnitElement
) -> UnsafeMutablePointer<InnerBus>? {
  switch scope {
  case kAudioUnitScope_Input where unsafe element < state.pointee.inputCount:
    unsafe state.pointee.inputs + Int(element)
  case kAudioUnitScope_Output where unsafe element < state.pointee.outputCount:
    unsafe state.pointee.outputs + Int(element)
  default: nil
  }
}

private let innerPropertyInfo: AudioUnitGetPropertyInfoProc = {
  plugIn, property, scope, element, size, isWritable in
  guard let state = unsafe innerState(plugIn) else { return kAudio_ParamError }
  var isSettable = false
  let length: Int
  switch property {
  case kAudioUnitProperty_StreamFormat:
    guard unsafe innerBus(state, scope, element) != nil else { return kAudioUnitErr_InvalidElement }
    length = MemoryLayout<AudioStreamBasicDescription>.size
    isSettable = true
  case kAudioUnitProperty_ElementCount, kAudioUnitProperty_MaximumFramesPerSlice,
    kAuricleProperty_LatencyIsKnown:
    length = 4
  case kAudioUnitProperty_Latency, kAudioUnitProperty_TailTime: length = 8
  case kAudioUnitProperty_SetRenderCallback:
    length = unsafe MemoryLayout<AURenderCallbackStruct>.size
    isSettable = true
  default: return kAudioUnitErr_InvalidProperty
  }
  unsafe size?.pointee = UInt32(length)
  unsafe isWritable?.pointee = isSettable
  return 0
}

private func innerGive<Value: BitwiseCopyable>(
  _ data: UnsafeMutableRawPointer, _ size: UnsafeMutablePointer<UInt32>, _ value: Value
) -> OSStatus {
  let length = UInt32(MemoryLayout<Value>.size)
  guard unsafe size.pointee >= length else { return kAudioUnitErr_InvalidPropertyValue }
  unsafe data.storeBytes(of: value, as: Value.self)
  unsafe size.pointee = length
  return 0
}

private let innerGetProperty: AudioUnitGetPropertyProc = {
  plugIn, property, scope, element, data, size in
  guard let state = unsafe innerState(plugIn), let data = unsafe data, let size = unsafe size
  else { return kAudio_ParamError }
  switch property {
  case kAudioUnitProperty_StreamFormat:
    guard let bus = unsafe innerBus(state, scope, element) else {
      return kAudioUnitErr_InvalidElement
    }
    let format = unsafe AudioStreamFormat(
      sampleRate: state.pointee.sampleRate, channelCount: bus.pointee.channelCount)
    return unsafe innerGive(data, size, format.asbd)
  case kAudioUnitProperty_ElementCount:
    switch scope {
    case kAudioUnitScope_Global: return unsafe innerGive(data, size, UInt32(1))
    case kAudioUnitScope_Input:
      return unsafe innerGive(data, size, UInt32(state.pointee.inputCount))
    case kAudioUnitScope_Output:
      return unsafe innerGive(data, size, UInt32(state.pointee.outputCount))
    default: return unsafe innerGive(data, size, UInt32(0))
    }
  case kAudioUnitProperty_MaximumFramesPerSlice:
    return unsafe innerGive(data, size, UInt32(state.pointee.maximumFrames))
  case kAudioUnitProperty_Latency:
    // Asked before the first slice, a stage would take what its unit cannot know yet for true.
    let isRead = unsafe state.pointee.stage?.pointee.latencyIsRead ?? false
    let isKnown = unsafe isRead || state.pointee.pulledTime >= 0
    let frames = isKnown ? unsafe innerChain(state)?.latencyFrames ?? 0 : 0
    let rate = unsafe state.pointee.sampleRate
    return unsafe innerGive(data, size, Double(frames) / rate)
  case kAudioUnitProperty_TailTime:
    guard let chain = unsafe innerChain(state) else { return unsafe innerGive(data, size, 0.0) }
    guard let tail = chain.tailSeconds else { return kAudioUnitErr_InvalidProperty }
    return unsafe innerGive(data, size, tail)
  case kAuricleProperty_LatencyIsKnown:
    let isKnown = unsafe innerChain(state)?.units.joined().allSatisfy(\.isLatencyKnown) ?? true
    return unsafe innerGive(data, size, UInt32(isKnown ? 1 : 0))
  default: return kAudioUnitErr_InvalidProperty
  }
}

private func innerChain(_ state: UnsafeMutablePointer<InnerUnitState>) -> UnitChain? {
  unsafe state.pointee.chain.map {
    unsafe Unmanaged<UnitChain>.fromOpaque($0).takeUnretainedValue()
  }
}

private let innerSetProperty: AudioUnitSetPropertyProc = {
  plugIn, property, scope, element, data, size in
  guard let state = unsafe innerState(plugIn), let data = unsafe data else {
    return kAudio_ParamError
  }
  switch property {
  case kAudioUnitProperty_StreamFormat:
    guard let bus = unsafe innerBus(state, scope, element) else {
      return kAudioUnitErr_InvalidElement
    }
    guard size == MemoryLayout<AudioStreamBasicDescription>.size else {
      return kAudioUnitErr_InvalidPropertyValue
    }
    let wanted = unsafe AudioStreamFormat(data.loadUnaligned(as: AudioStreamBasicDescription.self))
    let own = unsafe AudioStreamFormat(
      sampleRate: state.pointee.sampleRate, channelCount: bus.pointee.channelCount)
    return wanted == own ? 0 : kAudioUnitErr_FormatNotSupported
  case kAudioUnitProperty_SetRenderCallback:
    guard unsafe size == MemoryLayout<AURenderCallbackStruct>.size,
      let bus = unsafe innerBus(state, kAudioUnitScope_Input, element)
    else { return kAudioUnitErr_InvalidElement }
    let callback = unsafe data.loadUnaligned(as: AURenderCallbackStruct.self)
    unsafe bus.pointee.callback = unsafe callback.inputProc
    unsafe bus.pointee.refCon = unsafe callback.inputProcRefCon
    return 0
  case kAudioUnitProperty_OfflineRender: return 0
  default: return kAudioUnitErr_InvalidProperty
  }
}

private let innerReset: AudioUnitResetProc = { plugIn, _, _ in
  guard let state = unsafe innerState(plugIn) else { return kAudio_ParamError }
  unsafe state.pointee.pulledTime = -1
  do throws(AuricleError) {
    try unsafe innerChain(state)?.reset()
    return 0
  } catch {
    return error.status == 0 ? kAudio_UnimplementedError : error.status
  }
}

/// Context: render.
private let innerRender: AudioUnitRenderProc = { plugIn, flags, stamp, bus, frameCount, list in
  guard let state = unsafe innerState(plugIn), let flags = unsafe flags, let stamp = unsafe stamp,
    let list = unsafe list
  else { return kAudio_ParamError }
  return unsafe InnerRendering.render(
    state, flags, stamp, Int(bus), Int(frameCount), list)
}
