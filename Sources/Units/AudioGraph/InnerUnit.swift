// Units of the host's own inside a chain's graph, the joints between the units of a preset: their owner.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

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
