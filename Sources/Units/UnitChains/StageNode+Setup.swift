// Building of a stage: formats of its instances, their buffers, and the sources of each channel.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension ChainStage {
  /// Sets formats, slice size and settings of an instance. Context: control.
  func prepare(
    _ unit: AudioUnit, _ plan: ChannelPlan, sampleRate: Double, channelCount: Int,
    maximumFrames: Int
  ) throws(AuricleError) {
    for (scope, count) in [
      (kAudioUnitScope_Input, plan.inputs), (kAudioUnitScope_Output, plan.outputs),
    ] {
      for element in 0..<unit.busCount(scope: scope) {
        var channels = count
        if element > 0 {
          channels = try unit.streamFormat(
            scope: scope, element: AudioUnitElement(element)
          ).channelCount
        }
        if scope == kAudioUnitScope_Input, sideBuses.contains(element),
          (try? unit.setStreamFormat(
            AudioStreamFormat(sampleRate: sampleRate, channelCount: channelCount), scope: scope,
            element: AudioUnitElement(element))) != nil
        {
          continue
        }
        guard channels > 0 else { continue }
        try unit.setStreamFormat(
          AudioStreamFormat(sampleRate: sampleRate, channelCount: channels), scope: scope,
          element: AudioUnitElement(element))
      }
    }
    try unit.setMaximumFramesPerSlice(maximumFrames)
    // A unit without the property does not care whether it runs against a clock.
    try? unit.setProperty(kAudioUnitProperty_OfflineRender, UInt32(1))
    try configure(unit)
  }
}

extension StageNode {
  /// Longest latency that the dry path can follow, in seconds.
  private static let longestDrySeconds = 4.0

  /// Makes the state of a stage with memory for its channels.
  static func makeState(
    _ stage: ChainStage, workNumber: Int32, instanceCount: Int, sampleRate: Double,
    channelCount: Int, maximumFrames: Int
  ) -> UnsafeMutablePointer<StageState> {
    let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: 2 * channelCount)
    let isRenderedInto = UnsafeMutablePointer<Bool>.allocate(capacity: channelCount)
    unsafe isRenderedInto.initialize(repeating: false, count: channelCount)
    let input = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      let memory = unsafe allocateSamples(maximumFrames)
      unsafe (channels + channel).initialize(to: memory)
      unsafe (channels + channelCount + channel).initialize(to: memory)
      // Set anew in every slice.
      unsafe (input + channel).initialize(to: memory)
    }
    var dryLength = 0
    var dry: UnsafeMutablePointer<Float>?
    if stage.mix < 1 {
      dryLength = maximumFrames + Int(sampleRate * longestDrySeconds)
      unsafe dry = allocateSamples(dryLength * channelCount)
    }
    let state = UnsafeMutablePointer<StageState>.allocate(capacity: 1)
    unsafe state.initialize(
      to: StageState(
        workNumber: workNumber, channelCount: channelCount, input: input,
        instances: .allocate(capacity: instanceCount), instanceCount: 0,
        channels: channels, isRenderedInto: isRenderedInto,
        firstSource: .allocate(capacity: channelCount + 1),
        sources: .allocate(capacity: channelCount * ChannelPlan.mostSources), mix: stage.mix,
        dry: dry, dryLength: dryLength, sampleRate: sampleRate))
    return unsafe state
  }

  /// Fills in an instance: its input taps, and where its outputs lie.
  func addInstance(_ unit: AudioUnit, _ index: Int, _ plan: ChannelPlan, _ maximumFrames: Int) {
    let taps = UnsafeMutablePointer<Int>.allocate(capacity: max(plan.inputs, 1))
    for (input, tap) in plan.taps[index].enumerated() {
      let number =
        switch tap {
        case .channel(let channel): channel
        case .mean: InputTapNumber.mean
        case .silence: InputTapNumber.silence
        }
      unsafe (taps + input).initialize(to: number)
    }
    let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: max(plan.outputs, 1))
    for output in 0..<plan.outputs {
      // An output that alone makes one channel renders into that channel's memory.
      let source = ChannelPlan.Source(instance: index, channel: output)
      let channel = plan.sources.firstIndex { $0 == [source] }
      let memory =
        if let channel { unsafe state.pointee.channels[channel] } else {
          unsafe Self.allocateSamples(maximumFrames)
        }
      if let channel { unsafe state.pointee.isRenderedInto[channel] = true }
      unsafe (outputs + output).initialize(to: memory)
    }
    let listSize = AudioBufferList.byteSize(bufferCount: plan.outputs)
    let list = UnsafeMutableRawPointer.allocate(byteCount: listSize, alignment: 16)
    unsafe list.initializeMemory(as: UInt8.self, repeating: 0, count: listSize)
    // A plug-in that writes into its input shall not change the signal that is mixed with its output.
    let readsInput = unsafe state.pointee.dry == nil && unit.readsMemoryOfSources
    unsafe (state.pointee.instances + index).initialize(
      to: StageInstance(
        record: unit.instance, stage: state, inputCount: plan.inputs, outputCount: plan.outputs,
        readsInput: readsInput, taps: taps, outputs: outputs,
        list: list.bindMemory(to: AudioBufferList.self, capacity: 1)))
    unsafe state.pointee.instanceCount = index + 1
  }

  /// Fills in which outputs of instances each channel is made of.
  func connectOutputs(_ plan: ChannelPlan) {
    var place = 0
    for (channel, sources) in plan.sources.enumerated() {
      unsafe (state.pointee.firstSource + channel).initialize(to: place)
      for source in sources {
        unsafe (state.pointee.sources + place).initialize(
          to: StageSource(instance: source.instance, channel: source.channel))
        place += 1
      }
    }
    unsafe (state.pointee.firstSource + plan.sources.count).initialize(to: place)
  }

  /// Zeroed samples on a cache line of their own.
  private static func allocateSamples(_ count: Int) -> UnsafeMutablePointer<Float> {
    let raw = UnsafeMutableRawPointer.allocate(
      byteCount: max(count, 1) * MemoryLayout<Float>.stride, alignment: 64)
    return unsafe raw.initializeMemory(as: Float.self, repeating: 0, count: max(count, 1))
  }

  /// Frees a state and all it owns.
  static func free(_ state: UnsafeMutablePointer<StageState>) {
    var own: Set<UnsafeMutablePointer<Float>> = unsafe []
    for channel in 0..<(unsafe state.pointee.channelCount) {
      unsafe own.insert(state.pointee.channels[channel])
    }
    for index in 0..<(unsafe state.pointee.instanceCount) {
      let instance = unsafe state.pointee.instances[index]
      for output in 0..<(instance.outputCount) {
        unsafe own.insert(instance.outputs[output])
      }
      unsafe instance.outputs.deallocate()
      unsafe instance.taps.deallocate()
      unsafe instance.list.deallocate()
    }
    unsafe own.forEach { unsafe $0.deallocate() }
    unsafe state.pointee.dry?.deallocate()
    unsafe state.pointee.input.deallocate()
    unsafe state.pointee.channels.deallocate()
    unsafe state.pointee.isRenderedInto.deallocate()
    unsafe state.pointee.firstSource.deallocate()
    unsafe state.pointee.sources.deallocate()
    unsafe state.pointee.instances.deallocate()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }
}
