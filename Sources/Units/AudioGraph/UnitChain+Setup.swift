// Building a chain: instances of a stage, their formats, buffers and callbacks.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitChain {
  /// Longest latency that the dry path of a mixed stage can follow, in seconds.
  static let longestDrySeconds = 4.0

  /// The state that stands for the chain's input.
  func makeInput() -> UnsafeMutablePointer<StageState> {
    unsafe makeState(place: -1, previous: nil, instanceCount: 0, mix: 1, hasMemory: false)
  }

  /// Opens the units of a stage and puts it behind the last one.
  func add(_ stage: ChainStage, _ place: Int) throws(AuricleError) {
    let first = try stage.makeUnit()
    let plan = try ChannelPlan.make(channelCount, for: first)
    if let note = plan.note { addNote("\(stage.label) \(note)") }
    var instances = [first]
    for _ in 1..<max(1, plan.taps.count) { instances.append(try stage.makeUnit()) }
    for unit in instances {
      try Self.prepare(
        unit, plan, stage, sampleRate: sampleRate, channelCount: channelCount,
        maximumFrames: maximumFrames)
    }
    units.append(instances)
    let previous = unsafe states[states.count - 1]
    let state = unsafe makeState(
      place: place, previous: previous, instanceCount: instances.count, mix: stage.mix,
      hasMemory: true)
    unsafe state.pointee.workNumber = first.workNumber
    unsafe states.append(state)
    unsafe wire(state, plan, instances)
    if plan.inputs > 0 {
      for (index, unit) in instances.enumerated() {
        try unsafe unit.setInputCallback(
          element: 0, stageInputCallback,
          refCon: UnsafeMutableRawPointer(state.pointee.instances + index))
      }
    }
    for unit in instances { try unit.initialize() }
    // Where it is known before the first slice, render code need not ask.
    if instances.allSatisfy(\.isLatencyKnown) { unsafe state.pointee.readLatency() }
  }

  /// Sets formats, slice size and settings of an instance.
  static func prepare(
    _ unit: AudioUnit, _ plan: ChannelPlan, _ stage: ChainStage, sampleRate: Double,
    channelCount: Int, maximumFrames: Int
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
        if scope == kAudioUnitScope_Input, stage.sideBuses.contains(element),
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
    try stage.configure(unit)
  }

  /// Makes the state of a stage with memory for its channels.
  private func makeState(
    place: Int, previous: UnsafeMutablePointer<StageState>?, instanceCount: Int, mix: Float,
    hasMemory: Bool
  ) -> UnsafeMutablePointer<StageState> {
    let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: 2 * channelCount)
    let isRenderedInto = UnsafeMutablePointer<Bool>.allocate(capacity: channelCount)
    unsafe isRenderedInto.initialize(repeating: false, count: channelCount)
    for channel in 0..<channelCount {
      // The input's pointers are set at every render.
      let memory = unsafe Self.allocateSamples(hasMemory ? maximumFrames : 1)
      unsafe (channels + channel).initialize(to: memory)
      unsafe (channels + channelCount + channel).initialize(to: memory)
    }
    var dryLength = 0
    var dry: UnsafeMutablePointer<Float>?
    if mix < 1, hasMemory {
      dryLength = maximumFrames + Int(sampleRate * Self.longestDrySeconds)
      unsafe dry = Self.allocateSamples(dryLength * channelCount)
    }
    let state = UnsafeMutablePointer<StageState>.allocate(capacity: 1)
    unsafe state.initialize(
      to: StageState(
        place: place, channelCount: channelCount, previous: previous, failure: failure,
        instances: .allocate(capacity: max(instanceCount, 1)), instanceCount: instanceCount,
        channels: channels, isRenderedInto: isRenderedInto,
        firstSource: .allocate(capacity: channelCount + 1),
        sources: .allocate(capacity: channelCount * ChannelPlan.mostSources), mix: mix, dry: dry,
        dryLength: dryLength, sampleRate: sampleRate))
    if !hasMemory {
      for channel in 0..<channelCount { unsafe channels[channel].deallocate() }
    }
    return unsafe state
  }

  /// Fills in the instances and who hears them.
  private func wire(
    _ state: UnsafeMutablePointer<StageState>, _ plan: ChannelPlan, _ instances: [AudioUnit]
  ) {
    for (index, unit) in instances.enumerated() {
      let taps = UnsafeMutablePointer<TapNumber>.allocate(capacity: max(plan.inputs, 1))
      for (input, tap) in plan.taps[index].enumerated() {
        let number =
          switch tap {
          case .channel(let channel): channel
          case .mean: -1
          case .silence: -2
          }
        unsafe (taps + input).initialize(to: number)
      }
      let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
        capacity: max(plan.outputs, 1))
      for output in 0..<plan.outputs {
        // An output that alone makes one channel renders into that channel's memory.
        let source = ChannelPlan.Source(instance: index, channel: output)
        let heardBy = plan.sources.indices.filter { plan.sources[$0] == [source] }
        let memory =
          if let channel = heardBy.first { unsafe state.pointee.channels[channel] } else {
            unsafe Self.allocateSamples(maximumFrames)
          }
        if let channel = heardBy.first { unsafe state.pointee.isRenderedInto[channel] = true }
        unsafe (outputs + output).initialize(to: memory)
      }
      let listSize = unsafe 8 + max(1, plan.outputs) * MemoryLayout<AudioBuffer>.stride
      let list = UnsafeMutableRawPointer.allocate(byteCount: listSize, alignment: 16)
      unsafe list.initializeMemory(as: UInt8.self, repeating: 0, count: listSize)
      // A plug-in that writes into what it hears shall not change what is mixed with its output.
      let readsThere = unsafe state.pointee.dry == nil && unit.readsMemoryOfSources
      unsafe (state.pointee.instances + index).initialize(
        to: StageInstance(
          record: unit.instance, stage: state, inputCount: plan.inputs,
          outputCount: plan.outputs, readsThere: readsThere, taps: taps,
          outputs: outputs, list: list.bindMemory(to: AudioBufferList.self, capacity: 1)))
    }
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
    if unsafe state.pointee.place >= 0 {
      for channel in 0..<(unsafe state.pointee.channelCount) {
        unsafe own.insert(state.pointee.channels[channel])
      }
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
    unsafe state.pointee.channels.deallocate()
    unsafe state.pointee.isRenderedInto.deallocate()
    unsafe state.pointee.firstSource.deallocate()
    unsafe state.pointee.sources.deallocate()
    unsafe state.pointee.instances.deallocate()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }
}
