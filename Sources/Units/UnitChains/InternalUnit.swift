// The owner of an internal unit: one of the host's own between the units of a chain.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

/// The owner of an internal unit's memory; the unit keeps it alive.
@safe final class InternalUnit {
  let state: UnsafeMutablePointer<InternalUnitState>
  private let component: UnsafeMutablePointer<OpaqueAudioComponent>
  private let stage: StageNode?

  init(
    _ kind: InternalUnitKind, description: AudioComponentDescription, inputs: [Int], outputs: [Int],
    sampleRate: Double, maximumFrames: Int, stage: StageNode? = nil
  ) {
    self.stage = stage
    unsafe component = .allocate(capacity: 1)
    unsafe component.initialize(to: OpaqueAudioComponent())
    unsafe component.pointee.magic = UInt32(kAuricleComponentMagic)
    unsafe component.pointee.recordSize = UInt32(MemoryLayout<OpaqueAudioComponent>.size)
    unsafe component.pointee.description = description
    let interface = unsafe AudioComponentPlugInInterface(
      Open: { _, _ in 0 }, Close: { _ in 0 }, Lookup: { unsafe internalMethod($0) }, reserved: nil)
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(
      to: InternalUnitState(
        interface: interface, kind: kind, inputs: Self.makeBuses(inputs),
        inputCount: inputs.count, outputs: Self.makeBuses(outputs), outputCount: outputs.count,
        sampleRate: sampleRate, maximumFrames: maximumFrames))
    if let stage {
      unsafe state.pointee.stage = unsafe stage.state
      unsafe state.pointee.stageNode = unsafe Unmanaged.passUnretained(stage).toOpaque()
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
    // A crash or a bad value is that of the stage's unit.
    return unsafe try AudioUnit(
      opening: plugIn, component: component, isInternal: true, keeping: self,
      workNumber: stage?.units.first?.workNumber)
  }

  /// Sets the gain of a channel of an input.
  func setGain(_ gain: Float, input: Int, channel: Int) {
    unsafe state.pointee.inputs[input].gains[channel] = gain
  }

  /// Sets the memory that gets a copy of an input, before its gain.
  func setTap(_ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, input: Int) {
    unsafe state.pointee.inputs[input].tap = unsafe rows
  }

  /// Sets the gain of an output.
  func setGain(_ gain: Float, output: Int) {
    unsafe state.pointee.outputs[output].gains[0] = gain
  }

  private static func makeBuses(_ counts: [Int]) -> UnsafeMutablePointer<InternalBus> {
    let buses = UnsafeMutablePointer<InternalBus>.allocate(capacity: max(1, counts.count))
    for (index, count) in counts.enumerated() {
      let raw = UnsafeMutableRawPointer.allocate(
        byteCount: AudioBufferList.byteSize(bufferCount: count), alignment: 16)
      let gains = UnsafeMutablePointer<Float>.allocate(capacity: max(1, count))
      unsafe gains.initialize(repeating: 1, count: max(1, count))
      unsafe (buses + index).initialize(
        to: InternalBus(
          channelCount: count, list: raw.bindMemory(to: AudioBufferList.self, capacity: 1),
          gains: gains))
    }
    return unsafe buses
  }

  private static func free(_ buses: UnsafeMutablePointer<InternalBus>, _ count: Int) {
    for index in 0..<count {
      unsafe buses[index].gains.deallocate()
      unsafe UnsafeMutableRawPointer(buses[index].list).deallocate()
    }
    unsafe buses.deallocate()
  }
}
