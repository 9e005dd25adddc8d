// Checks one plug-in by the rules of its format: what it does, calls and saves.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns
internal import UnitValidation

extension VST3CheckRun {
  private static let misuses: [(bit: Int, check: ValidationCheck, message: String)] = [
    (
      kVST3Misuse_BeginThread, VST3Checks.threads,
      "it calls beginEdit on another thread than the main one"
    ),
    (
      kVST3Misuse_PerformThread, VST3Checks.threads,
      "it calls performEdit on another thread than the main one"
    ),
    (
      kVST3Misuse_EndThread, VST3Checks.threads,
      "it calls endEdit on another thread than the main one"
    ),
    (
      kVST3Misuse_RestartThread, VST3Checks.threads,
      "it calls restartComponent on another thread than the main one"
    ),
    (
      kVST3Misuse_MessageThread, VST3Checks.messages,
      "it sends a message on another thread than the main one"
    ),
    (kVST3Misuse_ValueRange, VST3Checks.edits, "it performs an edit that is not between 0 and 1"),
    (kVST3Misuse_NoBegin, VST3Checks.edits, "it performs an edit without beginEdit"),
    (kVST3Misuse_EndWithoutBegin, VST3Checks.edits, "it calls endEdit without beginEdit"),
  ].map { (Int($0.0), $0.1, $0.2) }

  /// Makes a plug-in for a trial, and notes what it did against the standard when it ends.
  private mutating func withTrial(_ body: (VST3Trial, inout Self) -> Void) {
    guard let trial = VST3Trial(description, binary: binary) else { return }
    body(trial, &self)
    trial.onMainThread { $0.settle() }
    guard let handler = unsafe trial.object.plugin.pointee.handler else { return }
    for misuse in Self.misuses where unsafe Int(handler.pointee.misuse) & misuse.bit != 0 {
      fault(misuse.check, misuse.message)
    }
    let unknown = unsafe handler.pointee.known_restarts & ~UInt32(kVST3Restart_All)
    if unknown != 0 {
      fault(
        VST3Checks.restarts,
        "it asks for a restart with the flags \(String(unknown, radix: 16)) (hexadecimal)")
    }
    checkEdits(of: trial)
    let isReported =
      unsafe handler.pointee.known_restarts
      & UInt32(kVST3Restart_Latency | kVST3Restart_Reload) != 0
    let now = trial.onMainThread { $0.latency }
    if now != trial.latencyAtFirst, !isReported {
      fault(
        VST3Checks.latency,
        "its latency changed from \(trial.latencyAtFirst) to \(now) frames without a report")
    }
  }

  private mutating func checkEdits(of trial: VST3Trial) {
    guard let handler = unsafe trial.object.plugin.pointee.handler else { return }
    let known = knownParameters(of: trial)
    for _ in 0..<Int(kVST3EditCapacity) {
      var edit = AuricleVST3Edit()
      guard unsafe auricle_vst3_next_edit(handler, &edit) else { return }
      if !known.contains(edit.parameter) {
        fault(
          VST3Checks.edits, "it performs an edit of the parameter \(edit.parameter), which is none")
      }
    }
  }

  /// The ids of all parameters, those that stand for controllers of MIDI as well.
  private func knownParameters(of trial: VST3Trial) -> Set<UInt32> {
    trial.onMainThread { object in
      guard let controller = unsafe object.controller else { return [] }
      let table = unsafe controller.pointee.table.pointee
      let count = unsafe min(max(table.parameter_count(controller), 0), 65_536)
      return Set(
        (0..<count).compactMap { index -> UInt32? in
          var info = AuricleVST3Parameter()
          return unsafe table.parameter_info(controller, index, &info) == 0 ? info.id : nil
        })
    }
  }

  /// Sets it up for other formats, and stops and starts it.
  mutating func checkLife() {
    withTrial { trial, it in
      _ = trial.render()
      for (isOffline, exception, name) in [
        (false, "OnlyOfflineProcess", "in real time"), (true, "OnlyRT", "offline"),
      ] {
        let isExcused = it.description.categories.contains {
          $0 == exception || (isOffline && $0 == "NoOfflineProcess")
        }
        if !trial.setUpAgain(VST3Trial.Setup(isOffline: isOffline)), !isExcused {
          it.fault(VST3Checks.modes, "it refuses to be set up for sound \(name)")
          return
        }
        _ = trial.render()
      }
      let other = VST3Trial.Setup(sampleRate: 44_100, frames: 64)
      guard trial.setUpAgain(other) else {
        return it.fault(
          VST3Checks.cycles, "it refuses to be set up again for 44100 Hz and slices of 64 frames")
      }
      _ = trial.render(frames: 64)
      if ![0, 1].contains(trial.result) {
        it.fault(VST3Checks.cycles, "it renders nothing when it was set up again")
      }
    }
  }

  mutating func checkSound() {
    func sound(isInPlace: Bool, _ it: inout Self) -> [Float] {
      var samples: [Float] = []
      it.withTrial { trial, it in
        let known = it.knownParameters(of: trial)
        for _ in 0..<4 {
          samples += trial.render(isInPlace: isInPlace)
          it.checkSent(by: trial, known)
        }
        if !trial.keptInputs { it.fault(VST3Checks.inputs, "it writes to its inputs") }
      }
      return samples
    }
    let apart = sound(isInPlace: false, &self)
    let layout = description.layouts.first
    guard let layout, layout.input == layout.output, !description.inputs.isEmpty,
      !description.outputs.isEmpty, apart == sound(isInPlace: false, &self)
    else { return }
    let shared = sound(isInPlace: true, &self)
    guard shared.count == apart.count,
      let sample = zip(apart, shared).enumerated().first(where: { $0.1.0 != $0.1.1 })
    else { return }
    fault(
      VST3Checks.inPlace, "its sound in place differs from that in memory apart",
      [.count("sample", sample.offset)])
  }

  /// Checks the values and events of the last slice, and the channels that are marked as silent.
  private mutating func checkSent(by trial: VST3Trial, _ known: Set<UInt32>) {
    let frames = Int32(VST3Trial.frameCount)
    let run = unsafe trial.run
    for index in 0..<Int(unsafe run.pointee.changes_out.count) {
      let queue = unsafe run.pointee.changes_out.queues[index]
      let id = unsafe queue.parameter
      if !known.contains(id) {
        fault(VST3Checks.outputs, "it sends a value of the parameter \(id), which is none")
      }
      for point in 0..<Int(unsafe queue.count) {
        let value = unsafe queue.points[point].value
        if !(0...1).contains(value) {
          fault(VST3Checks.outputs, "it sends the value \(value) of its parameter \(id)")
        }
        let offset = unsafe queue.points[point].offset
        if !(0..<frames).contains(offset) {
          fault(
            VST3Checks.outputs, "it sends a value at the frame \(offset) of a slice of \(frames)")
        }
      }
    }
    let count = Int(unsafe run.pointee.events_out.count)
    if count > 0, let events = unsafe auricle_vst3_sent_events(run) {
      for index in 0..<count {
        let event = unsafe events[index]
        if unsafe !(0..<frames).contains(event.offset) {
          fault(
            VST3Checks.outputs,
            "it sends an event at the frame \(unsafe event.offset) of a slice of \(frames)")
        }
        if unsafe !description.eventOutputs.indices.contains(Int(event.bus)) {
          fault(
            VST3Checks.outputs,
            "it sends an event to its event output \(unsafe event.bus), which is none")
        }
      }
    }
    checkSilence(of: trial)
  }

  private mutating func checkSilence(of trial: VST3Trial) {
    let run = unsafe trial.run
    var channel = Int(unsafe run.pointee.input_channels)
    for bus in 0..<Int(unsafe run.pointee.process.output_count) {
      let buffers = unsafe run.pointee.process.outputs[bus]
      for place in 0..<Int(unsafe buffers.channel_count) {
        defer { channel += 1 }
        guard place < 64, unsafe buffers.silence >> UInt64(place) & 1 != 0,
          let samples = unsafe run.pointee.floats[channel]
        else { continue }
        if (0..<VST3Trial.frameCount).contains(where: { unsafe samples[$0] != 0 }) {
          fault(
            VST3Checks.silence,
            "it marks the channel \(place) of its output bus \(bus) as silent, which has sound")
        }
      }
    }
  }

  /// Sends a value in each way, and reads the state that has it.
  mutating func checkValues() {
    let parameter = description.parameters.first {
      $0.isTried && !$0.has(kVST3Parameter_Bypass) && $0.has(kVST3Parameter_CanAutomate)
        && $0.isPlain
    }
    guard let parameter else { return }
    let target = parameter.defaultValue >= 1 ? 0.0 : 1.0
    func state(isFlushed: Bool, _ it: inout Self) -> VST3State? {
      var state: VST3State?
      it.withTrial { trial, _ in
        _ = trial.render()
        // A host shows the controller what it sends to the processor.
        trial.onMainThread { $0.setValue(parameter.id, target) }
        trial.add(target, to: parameter.id)
        if isFlushed { trial.flush() } else { _ = trial.render() }
        trial.onMainThread { $0.serve() }
        state = trial.onMainThread { $0.saveState() }
      }
      return state
    }
    guard let brought = state(isFlushed: false, &self) else { return }
    let place = parameter.place
    withTrial { trial, it in
      let read = trial.onMainThread { object -> Double? in
        object.restoreState(VST3State(component: brought.component), isProject: true)
          ? object.value(parameter.id) : nil
      }
      if let read, !parameter.isSame(read, target) {
        it.fault(
          VST3Checks.stateValues, "\(place) is \(read) after a state that was saved with \(target)")
      }
    }
    // One whose state differs each time cannot be compared.
    guard state(isFlushed: false, &self)?.component == brought.component else { return }
    if state(isFlushed: true, &self)?.component != brought.component {
      fault(
        VST3Checks.flush,
        "\(place) has another value after a call without frames than after a slice")
    }
  }

  mutating func checkState() {
    withTrial { trial, it in
      guard let state = trial.onMainThread({ $0.saveState() })?.component, !state.isEmpty else {
        return
      }
      guard trial.onMainThread({ $0.loads(state) }) else {
        return it.fault(VST3Checks.stateSame, "it refuses the state that it saved")
      }
      let again = trial.onMainThread { $0.saveState() }?.component
      if again != state {
        it.fault(VST3Checks.stateSame, "it saves other bytes after it loaded a state")
      }
      let pieces = trial.onMainThread { $0.savedInPieces(of: 7) }
      let isRead = trial.onMainThread { $0.loads(state, pieceSize: 3) }
      if pieces?.count != again?.count || !isRead {
        it.fault(
          VST3Checks.statePieces, "it \(isRead ? "saves" : "loads") its state in one piece only")
      }
      let foreign = (0..<512).map { UInt8(truncatingIfNeeded: ($0 &* 167 &+ 41) ^ ($0 >> 3)) }
      if trial.onMainThread({ $0.loads(foreign) }) {
        it.fault(VST3Checks.foreignState, "it loads 512 bytes that are no state of its own")
      }
    }
  }
}
