// A stage whose unit works on a whole sound: the maker of that sound, its instances, and their passes.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import PlugInGuard
import RealtimeSupport

/// A stage of an offline unit. The part before it in the chain is a chain as well, which is rendered first.
///
/// Context: one control thread.
@safe final class OfflineStage {
  let label: String
  /// The chain that makes the input.
  let before: UnitChain
  /// The instances, initialised.
  var units: [AudioUnit] { node.units }
  /// The result, as the rest of the chain plays it.
  let file: WholeSoundFile
  /// Plays the result in the chain.
  var feed: SideFeed?
  /// Frames of the result; 0 before there is one.
  private(set) var frameCount = 0
  private let node: StageNode
  private let inputs: [OfflineInput]
  /// The part of the units in each channel; 0 for one that passes by them.
  private let mixes: [Float]
  private let automation: UnitChain.Automated
  private let sliceLimit: Int
  private var sampleRate: Double { before.sampleRate }
  private var channelCount: Int { before.channelCount }

  /// Opens further instances, and initialises all.
  ///
  /// - Parameters:
  ///   - first: The first instance, just opened.
  ///   - plan: Which instances there are, and which channels they get.
  init(
    _ stage: ChainStage, first: AudioUnit, plan: ChannelPlan, before: UnitChain
  ) throws(AuricleError) {
    label = stage.label
    self.before = before
    mixes = plan.sources.map { $0.isEmpty ? 0 : stage.mix }
    file = WholeSoundFile(stage.label)
    var wet = stage
    wet.mix = 1
    let node = try StageNode(
      wet, first: first, plan: plan, sampleRate: before.sampleRate,
      channelCount: before.channelCount, maximumFrames: before.maximumFrames)
    self.node = node
    inputs = (0..<node.units.count).map {
      unsafe OfflineInput(
        node.state.pointee.instances + $0, frameCapacity: before.maximumFrames)
    }
    automation = UnitChain.Automated(node: 0, units: node.units, curves: stage.curves)
    let follows = node.units.allSatisfy(\.acceptsScheduledChanges)
    sliceLimit =
      stage.curves.isEmpty || follows ? before.maximumFrames : min(64, before.maximumFrames)
    guard plan.inputs > 0 else { return }
    for (unit, input) in zip(node.units, inputs) {
      try unsafe unit.setInputCallback(
        element: 0, offlineInputCallback, refCon: Unmanaged.passUnretained(input).toOpaque())
    }
  }

  /// The failure of a chain that renders a sound piece by piece.
  static func refusal(_ label: String) -> AuricleError {
    AuricleError(
      .unavailable, status: kAudioUnitErr_InvalidOfflineRender,
      "\(label) works on a whole sound, and live sound comes piece by piece: leave it out, or render "
        + "a file with it by auricle process")
  }

  /// Runs the units over a sound: the preflight where they want one, then the pass that renders.
  ///
  /// - Parameters:
  ///   - source: The sound.
  ///   - result: Receives the output of the units.
  ///   - check: Called between slices; throws to end the work.
  func run(
    _ source: any SoundStore, into result: any SoundStore, check: () throws(AuricleError) -> Void
  ) throws(AuricleError) {
    do throws(AuricleError) {
      try node.reset()
      try automation.begin()
      let frames = UInt64(source.frameCount)
      for input in inputs { input.source = source }
      for unit in units { try announce(frames, to: unit) }
      for index in units.indices where wantsPreflight(units[index]) {
        try preflight(index, source.frameCount, check)
      }
      let lengths = units.map { length(of: $0, source.frameCount) }
      try refuseExcess(lengths.max() ?? 0, of: source.frameCount)
      try render(source, lengths, into: result, check)
      for input in inputs { input.source = nil }
    } catch { throw error.naming(label) }
    frameCount = result.frameCount
    file.play(result)
    try feed?.rewind()
  }

  /// Sets the length of the input; a unit that accepts none while it is initialised is initialised again.
  private func announce(_ frames: UInt64, to unit: AudioUnit) throws(AuricleError) {
    try? unit.setProperty(kAudioUnitOfflineProperty_StartOffset, UInt64(0))
    do throws(AuricleError) {
      try unit.setProperty(kAudioUnitOfflineProperty_InputSize, frames)
    } catch  where error.status == kAudioUnitErr_Initialized {
      try unit.uninitialize()
      try unit.setProperty(kAudioUnitOfflineProperty_InputSize, frames)
      try unit.initialize()
    } catch {
      // A unit without the property asks for its input until it has enough.
      guard unit.hasProperty(kAudioUnitOfflineProperty_InputSize) else { return }
      throw error
    }
  }

  /// Whether a unit wants the whole input once before it renders.
  private func wantsPreflight(_ unit: AudioUnit) -> Bool {
    let needed = try? unit.property(
      kAudioUnitOfflineProperty_PreflightRequirements, as: UInt32.self)
    return (needed ?? UInt32(kOfflinePreflight_NotRequired))
      != UInt32(kOfflinePreflight_NotRequired)
  }

  /// Frames that come out of a unit for so many that go in; as many where it names none.
  private func length(of unit: AudioUnit, _ frames: Int) -> Int {
    let announced = try? unit.property(kAudioUnitOfflineProperty_OutputSize, as: UInt64.self)
    guard let announced, announced > 0 else { return frames }
    return Int(clamping: announced)
  }

  /// Refuses a result out of proportion: of more than ten minutes and a hundred times the input.
  private func refuseExcess(_ frames: Int, of inputFrames: Int) throws(AuricleError) {
    let (seconds, times) = (Double(frames) / sampleRate, Double(frames) / Double(inputFrames))
    guard seconds > 600, times > 100 else { return }
    throw AuricleError(
      .badData, status: kAudioUnitErr_InvalidOfflineRender,
      "it would make \(Int(min(seconds, 1e12))) s of \(Int(Double(inputFrames) / sampleRate)) s: "
        + "choose a rate nearer to 1")
  }

  /// Passes the whole input to an instance, which renders nothing yet.
  private func preflight(
    _ index: Int, _ frames: Int, _ check: () throws(AuricleError) -> Void
  ) throws(AuricleError) {
    inputs[index].begin()
    var place = 0
    while place < frames {
      try check()
      let count = min(before.maximumFrames, frames - place)
      let flags = try slice(
        index, kAudioOfflineUnitRenderAction_Preflight, at: place, count
      ).flags
      if flags & kAudioOfflineUnitRenderAction_Complete != 0 { return }
      place += count
    }
  }

  /// Renders a slice of an instance in a pass: the flags it leaves, and the frames it made.
  private func slice(
    _ index: Int, _ pass: AudioUnitRenderActionFlags, at frame: Int, _ count: Int
  ) throws(AuricleError) -> (flags: AudioUnitRenderActionFlags, count: Int) {
    var flags = pass
    var stamp = AudioTimeStamp(sampleTime: Double(frame))
    let instance = unsafe node.state.pointee.instances + index
    let status = unsafe node.state.pointee.render(instance, &flags, &stamp, count)
    if let failure = inputs[index].failure { throw failure }
    guard status == 0 else { throw ChainFailureText.status(label, status, frame: frame) }
    // The last slice of a sound may be shorter than it was asked for.
    let made =
      unsafe instance.pointee.outputCount > 0
      ? Int(instance.pointee.list.buffers[0].mDataByteSize) / MemoryLayout<Float>.size : count
    return (flags, min(made, count))
  }

  /// Renders all instances side by side until the last is done; each is as late as it reports.
  private func render(
    _ source: any SoundStore, _ lengths: [Int], into result: any SoundStore,
    _ check: () throws(AuricleError) -> Void
  ) throws(AuricleError) {
    for input in inputs { input.begin() }
    let late = node.latencyFrames
    let whole = lengths.max() ?? 0
    var ends = lengths.map { $0 + late }
    let writer = OfflineWriter(
      result, source, mixes: mixes, late: late, whole: whole,
      frameCapacity: before.maximumFrames)
    var place = 0
    while place < (ends.max() ?? 0) {
      try check()
      let most = min(sliceLimit, (ends.max() ?? 0) - place)
      let count = automation.schedulableCount(from: place, most)
      try automation.schedule(from: place, count)
      for index in units.indices {
        try render(index, at: place, count, &ends[index])
      }
      let state = unsafe node.state
      for channel in 0..<channelCount { unsafe state.pointee.gather(channel, count) }
      try refuseNonsense(at: place, count)
      Heartbeat.enter(.write, unit: Heartbeat.noUnit)
      try unsafe writer.write(
        state.pointee.channels, min(count, max(0, (ends.max() ?? 0) - place)), at: place)
      place += count
    }
    // A late unit that ends by its own count leaves the last frames to silence.
    try writer.fill(upTo: min(whole, ends.max() ?? 0))
  }

  /// Renders an instance, with silence behind its end, which may come early.
  private func render(
    _ index: Int, at place: Int, _ count: Int, _ end: inout Int
  ) throws(AuricleError) {
    let wanted = min(count, end - place)
    var made = 0
    if wanted > 0 {
      let slice = try slice(index, kAudioOfflineUnitRenderAction_Render, at: place, wanted)
      made = slice.count
      if slice.flags & kAudioOfflineUnitRenderAction_Complete != 0 { end = place + made }
    }
    let instance = unsafe node.state.pointee.instances + index
    for output in 0..<(unsafe instance.pointee.outputCount) where made < count {
      unsafe SampleCopy.clear(instance.pointee.outputs[output] + made, count: count - made)
    }
  }

  /// Refuses values that are no finite numbers.
  private func refuseNonsense(at place: Int, _ count: Int) throws(AuricleError) {
    for channel in 0..<channelCount {
      let bad = unsafe SampleScan.firstNonFinite(node.state.pointee.channels[channel], count: count)
      guard bad >= 0 else { continue }
      throw ChainFailureText.notFinite(label, frame: place + bad, channel: channel)
    }
  }
}
