// A linear chain of units over a stream of planar float audio.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import AudioUnits
import CAudioToolbox
import RealtimeSupport

/// Units in a row, each pulling its input from the one before through its render callback.
///
/// The chain keeps its channel count: where a unit cannot take it, instances and channels are
/// adapted as `notes` says. The owner feeds slices and takes as many frames back; the output lags by
/// `latencyFrames`. Not thread-safe: one thread at a time.
@safe public final class UnitChain: RenderChain {
  /// Frames per second (Hz).
  public let sampleRate: Double
  /// Channels in and out.
  public let channelCount: Int
  /// Greatest number of frames in one `render`.
  public let maximumFrames: Int
  /// One sentence for each stage whose channels had to be adapted.
  public private(set) var notes: [String] = []
  let stages: [ChainStage]
  var units: [[AudioUnit]] = []
  var states: [UnsafeMutablePointer<StageState>] = unsafe []
  let failure: UnsafeMutablePointer<ChainFailure>
  /// The pointers that are given out.
  private let made: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  var sampleTime: Double = 0
  /// Hear units say that their latency changed.
  private var latencyWatches: [(unit: AudioUnit, watch: LatencyWatch)] = []
  /// Whether all units say so whenever it does.
  private var alwaysTellLatency = false

  /// Opens, configures and initialises every unit that is not bypassed.
  ///
  /// - Parameters:
  ///   - stages: In the order of the signal.
  ///   - sampleRate: Frames per second (Hz).
  ///   - channelCount: Channels in and out, at least 1.
  ///   - maximumFrames: Greatest number of frames in one `render`.
  /// - Throws: The first unit's failure, with the stage's label in its message.
  public init(
    stages: [ChainStage], sampleRate: Double, channelCount: Int, maximumFrames: Int
  ) throws(AuricleError) {
    self.stages = stages.filter { !$0.isBypassed && $0.mix > 0 }
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.maximumFrames = maximumFrames
    unsafe failure = .allocate(capacity: 1)
    unsafe failure.initialize(to: ChainFailure())
    unsafe made = .allocate(capacity: max(channelCount, 1))
    unsafe states.append(makeInput())
    for (place, stage) in self.stages.enumerated() {
      do throws(AuricleError) {
        try add(stage, place)
      } catch {
        // Stored properties are complete: deinit frees what was made so far.
        let message =
          error.message.hasPrefix(stage.label) ? error.message : "\(stage.label): \(error.message)"
        throw AuricleError(error.category, status: error.status, message)
      }
    }
    for unit in units.joined() {
      let watch = LatencyWatch()
      watch.watch(unit)
      latencyWatches.append((unit, watch))
    }
    alwaysTellLatency = latencyWatches.allSatisfy {
      $0.watch.isWatching && $0.unit.alwaysTellsLatency
    }
  }

  deinit {
    for (unit, watch) in latencyWatches { watch.unwatch(unit) }
    latencyWatches.removeAll()
    // Units first: they may still hold pointers to the states.
    units.removeAll()
    unsafe states.forEach { unsafe Self.free($0) }
    unsafe failure.deallocate()
    unsafe made.deallocate()
  }

  /// Latency of the whole chain in frames, as the units tell it now.
  ///
  /// Many LV2 plug-ins know theirs only after they have run; read it again after the first slice.
  public var latencyFrames: Int {
    unsafe states.dropFirst().reduce(0) { total, state in
      unsafe state.pointee.readLatency()
      return unsafe total + state.pointee.latencyFrames
    }
  }

  /// Whether a unit may have another latency than when this was asked last: it said so, or need not say so.
  var mayHaveNewLatency: Bool {
    guard alwaysTellLatency else { return true }
    var isSet = false
    for (_, watch) in latencyWatches where watch.isSet {
      watch.clear()
      isSet = true
    }
    return isSet
  }

  /// Seconds the chain rings on after its input ended, or nil when a unit cannot tell.
  public var tailSeconds: Double? {
    var total = 0.0
    for instances in units {
      var longest = 0.0
      for unit in instances {
        guard let tail = unit.tailTime, tail.isFinite, tail >= 0 else { return nil }
        longest = max(longest, tail)
      }
      total += longest
    }
    return total
  }

  /// Whether a stage is heard at all; without one the chain copies.
  public var isEmpty: Bool { stages.isEmpty }

  /// Forgets the past of every unit.
  ///
  /// - Throws: The failure of a unit that could not be reset.
  public func reset() throws(AuricleError) {
    for unit in units.joined() { try unit.reset() }
    unsafe states.forEach { state in
      unsafe state.pointee.renderedSampleTime = -1
      if unsafe state.pointee.latencyIsRead { unsafe state.pointee.readLatency() }
      unsafe state.pointee.dryPosition = 0
      if let dry = unsafe state.pointee.dry {
        unsafe dry.update(
          repeating: 0, count: state.pointee.dryLength * state.pointee.channelCount)
      }
    }
    sampleTime = 0
  }

  /// Renders one slice, which stays where it was made; see `RenderChain`.
  public func render(
    input: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AuricleError) -> UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
    guard frameCount > 0, frameCount <= maximumFrames else {
      throw AuricleError(
        .software, status: kAudioUnitErr_TooManyFramesToProcess,
        "a chain made for slices of \(maximumFrames) frames was asked for \(frameCount)")
    }
    let denormals = DenormalGuard()
    defer { denormals.restore() }
    unsafe failure.pointee = ChainFailure()
    var timeStamp = AudioTimeStamp(sampleTime: sampleTime)
    for channel in 0..<channelCount {
      unsafe states[0].pointee.channels[channel] = input[channel]
    }
    unsafe states[0].pointee.renderedSampleTime = sampleTime
    unsafe states[0].pointee.renderedStatus = states[0].pointee.checkFinite(frameCount)
    let last = unsafe states[states.count - 1]
    let status = unsafe last.pointee.pull(&timeStamp, frameCount)
    guard status == 0 else { throw error(status) }
    for channel in 0..<channelCount { unsafe made[channel] = last.pointee.channels[channel] }
    sampleTime += Double(frameCount)
    return unsafe made
  }

  /// The failure of the last render as a sentence.
  private func error(_ status: OSStatus) -> AuricleError {
    let failed = unsafe failure.pointee
    let label = failed.stage < 0 ? nil : stages[failed.stage].label
    if failed.frame >= 0 {
      return ChainFailureText.notFinite(
        label, frame: Int(sampleTime) + failed.frame, channel: failed.channel)
    }
    return ChainFailureText.status(label ?? "the input", status, frame: Int(sampleTime))
  }

  func addNote(_ note: String) { notes.append(note) }
}
