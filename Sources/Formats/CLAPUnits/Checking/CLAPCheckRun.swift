// Checks one plug-in by the rules of its format.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns
internal import UnitValidation

/// The check of one plug-in, in a process that may be lost.
struct CLAPCheckRun {
  /// The faults that were found.
  private(set) var faults: [UnitFault] = []
  private let description: CLAPDescription
  private let path: String
  /// The most parameters, and presets, that are tried.
  private static let (mostParameters, mostPresets) = (64, 16)
  private static let mainFeatures: Set<String> = [
    "instrument", "audio-effect", "note-effect", "note-detector", "analyzer",
  ]

  /// Checks a plug-in.
  ///
  /// Context: control; the plug-in's code is run.
  init(_ description: CLAPDescription, path: String) {
    self.description = description
    self.path = path
    checkDescription()
    checkFactory()
    checkTexts()
    checkVoices()
    checkPresets()
    checkEvents()
    checkInPlace()
    checkState()
  }

  private mutating func fault(
    _ check: ValidationCheck, _ message: String, _ evidence: [UnitFault.Evidence] = []
  ) {
    guard !faults.contains(where: { $0.check == check.id && $0.message == message }) else { return }
    faults.append(UnitFault(check, message, evidence))
  }

  /// Makes a plug-in for a trial, and records its breaches of the standard when it ends.
  private mutating func withTrial(_ body: (CLAPTrial, inout Self) -> Void) {
    guard let trial = CLAPTrial(description, path: path) else { return }
    body(trial, &self)
    let host = unsafe trial.object.host
    for function in 0..<UInt32(kCLAPFunctionCount) {
      let name = unsafe PlugInText.of(auricle_clap_function_name(function))
      if unsafe host.pointee.wrong_thread >> UInt64(function) & 1 != 0 {
        fault(CLAPChecks.threads, "it calls \(name) on a thread that may not call it")
      }
      if unsafe host.pointee.wrong_time >> UInt64(function) & 1 != 0 {
        fault(CLAPChecks.times, "it calls \(name) for a change that needs a restart, while active")
      }
    }
    for message in trial.complaints { fault(CLAPChecks.complaints, "it logs \"\(message)\"") }
  }

  // Checks of its declarations.

  private mutating func checkDescription() {
    let features = description.features
    if Self.mainFeatures.isDisjoint(with: features) {
      fault(CLAPChecks.features, "its features name no main category")
    }
    for feature in Set(features) where features.count(where: { $0 == feature }) > 1 {
      fault(CLAPChecks.features, "its feature \"\(feature)\" is there twice")
    }
    for buses in [description.ports.inputs, description.ports.outputs] {
      for (index, bus) in buses.enumerated() where index > 0 && bus.isMain {
        fault(
          CLAPChecks.ports, "its port \(index) \"\(bus.name)\" says that it is the main one")
      }
    }
    for (index, port) in description.noteInputs.enumerated()
    where port.preferred & port.dialects == 0 {
      fault(CLAPChecks.ports, "its note input \(index) prefers a dialect that it does not support")
    }
    for port in description.ports.inputs where port.pair != UInt32(kCLAPPort_None) {
      let other = description.ports.outputs.first { $0.id == port.pair }
      if other?.pair != port.id || other?.channelCount != port.channelCount {
        fault(
          CLAPChecks.pair,
          "its input \"\(port.name)\" names the output \(port.pair), which is not its pair")
      }
    }
    for parameter in description.parameters { check(parameter) }
  }

  private mutating func check(_ parameter: CLAPParameter) {
    let place = "its parameter \(parameter.id) \"\(parameter.name)\""
    let evidence = [
      UnitFault.Evidence("minimum", .number(parameter.minimum)),
      UnitFault.Evidence("maximum", .number(parameter.maximum)),
      UnitFault.Evidence("default", .number(parameter.defaultValue)),
    ]
    if let defect = parameter.rangeDefect {
      fault(CLAPChecks.range, "\(place) \(defect)", evidence)
    }
    if parameter.initialValue != parameter.defaultValue, !parameter.isMeter {
      fault(
        CLAPChecks.initial,
        "\(place) is \(parameter.initialValue) in a fresh instance, and "
          + "\(parameter.defaultValue) by default", evidence)
    }
    let values = [parameter.minimum, parameter.maximum, parameter.defaultValue]
    if parameter.has(kCLAPParameter_Stepped), values.contains(where: { $0.rounded() != $0 }) {
      fault(CLAPChecks.stepped, "\(place) has steps, and numbers that are not whole", evidence)
    }
  }

  private mutating func checkFactory() {
    let id = description.id
    let path = path
    let wrong = PlugInLifeCycle.performOnMainThread { () -> String? in
      guard let library = try? CLAPLibrary(path: path) else { return nil }
      if (try? CLAPObject(library, id: id + "x")) != nil {
        return "its file makes a plug-in under the id \"\(id)x\", which it does not list"
      }
      let other: UnsafePointer<AuricleCLAPFactory>? = unsafe library.factory(["auricle.no-such"])
      return unsafe other == nil
        ? nil : "its file has a factory under a name that no standard has"
    }
    if let wrong { fault(CLAPChecks.factory, wrong) }
  }

  private mutating func checkTexts() {
    let parameters = description.parameters.filter { $0.rangeDefect == nil }
      .prefix(Self.mostParameters)
    guard !parameters.isEmpty else { return }
    withTrial { trial, it in
      for parameter in parameters {
        for share in [0.0, 0.25, 0.5, 1] {
          var value = parameter.minimum + (parameter.maximum - parameter.minimum) * share
          if parameter.has(kCLAPParameter_Stepped) { value.round() }
          let texts = trial.onMainThread { object -> (String, String?)? in
            guard let text = object.text(of: value, parameter: parameter.id),
              let read = object.value(of: text, parameter: parameter.id)
            else { return nil }
            return (text, object.text(of: read, parameter: parameter.id))
          }
          guard let texts, texts.0 != texts.1 else { continue }
          it.fault(
            CLAPChecks.texts,
            "its parameter \(parameter.id) \"\(parameter.name)\" writes \(value) as "
              + "\"\(texts.0)\", and reads that as \"\(texts.1 ?? "")\"")
        }
      }
    }
  }

  private mutating func checkVoices() {
    guard description.has("clap.voice-info") else { return }
    withTrial { trial, it in
      let voices = trial.onMainThread { object -> AuricleCLAPVoices? in
        var voices = AuricleCLAPVoices()
        let table = unsafe object.table("clap.voice-info", AuricleCLAPVoiceInfo.self)
        return unsafe table?.pointee.get?(object.plugin, &voices) == true ? voices : nil
      }
      if let voices, voices.count > voices.capacity {
        it.fault(
          CLAPChecks.voices, "it plays \(voices.count) voices of a capacity of \(voices.capacity)")
      }
    }
  }

  private mutating func checkPresets() {
    guard !description.presets.isEmpty else { return }
    let presets = description.presets.prefix(Self.mostPresets)
    withTrial { trial, it in
      for preset in presets {
        if let reason = trial.onMainThread({ $0.load(preset) }) {
          it.fault(CLAPChecks.presets, "it refuses its preset \"\(preset.name)\": \(reason)")
        }
      }
    }
  }

  // Checks of its behaviour.

  private mutating func checkEvents() {
    let parameter = description.parameters.first {
      !$0.isMeter && !$0.has(kCLAPParameter_Bypass) && $0.rangeDefect == nil
        && $0.has(kCLAPParameter_Automatable)
    }
    withTrial { trial, it in
      _ = trial.render()
      if !(0...4).contains(trial.status) {
        it.fault(CLAPChecks.status, "its process call returns \(trial.status)")
      }
      if let parameter { it.checkValue(of: parameter, trial) }
    }
  }

  /// Sets a parameter in each way in which a value may come.
  private mutating func checkValue(of parameter: CLAPParameter, _ trial: CLAPTrial) {
    let start = parameter.defaultValue
    let target = start == parameter.maximum ? parameter.minimum : parameter.maximum
    let place = "parameter \(parameter.id) \"\(parameter.name)\""
    let cookie = trial.onMainThread { $0.cookies(of: [parameter]) }[parameter.id] ?? 0
    func value(by mark: UInt = 0, space: UInt16 = 0, isFlushed: Bool = false) -> Double? {
      trial.add(start, to: parameter.id, cookie: cookie)
      _ = trial.render()
      trial.add(target, to: parameter.id, cookie: mark, space: space)
      if isFlushed { trial.flush() } else { _ = trial.render() }
      return trial.value(of: parameter)
    }
    guard let plain = value(), let marked = value(by: cookie),
      let flushed = value(isFlushed: true), let foreign = value(space: 0xFFF0)
    else { return }
    if plain != marked {
      fault(
        CLAPChecks.cookies, "its \(place) is \(plain) by its id, and \(marked) by its cookie")
    }
    if plain != flushed {
      fault(
        CLAPChecks.flush, "its \(place) is \(flushed) after a flush, and \(plain) after a slice")
    }
    if foreign == target, start != target {
      fault(CLAPChecks.namespace, "its \(place) is set by an event of another namespace")
    }
  }

  private mutating func checkInPlace() {
    guard description.processesInPlace else { return }
    func sound(isInPlace: Bool, _ it: inout Self) -> [Float] {
      var samples: [Float] = []
      it.withTrial { trial, _ in
        for _ in 0..<4 { samples += trial.render(isInPlace: isInPlace) }
      }
      return samples
    }
    let apart = sound(isInPlace: false, &self)
    // One that differs each time cannot be compared.
    guard apart == sound(isInPlace: false, &self) else { return }
    let shared = sound(isInPlace: true, &self)
    guard let frame = zip(apart, shared).enumerated().first(where: { $0.1.0 != $0.1.1 }) else {
      return
    }
    fault(
      CLAPChecks.inPlace, "its sound in place differs from that in memory apart",
      [.count("sample", frame.offset)])
  }

  private mutating func checkState() {
    guard description.has("clap.state") else { return }
    withTrial { trial, it in
      guard let state = trial.onMainThread({ $0.saveState(.project) }), !state.isEmpty else {
        return
      }
      if trial.onMainThread({ $0.restoreState([], .project) }) {
        it.fault(CLAPChecks.emptyState, "it loads a state of no bytes")
      }
      guard trial.onMainThread({ $0.restoreState(state, .project) }) else {
        it.fault(CLAPChecks.stateSame, "it refuses the state that it saved")
        return
      }
      let again = trial.onMainThread { $0.saveState(.project) }
      if again != state {
        it.fault(CLAPChecks.stateSame, "it saves other bytes after it loaded a state")
      }
      let pieces = trial.onMainThread { $0.saveState(.project, pieceSize: 7) }
      let isRead = trial.onMainThread { $0.restoreState(state, .project, pieceSize: 3) }
      if pieces?.count != again?.count || !isRead {
        it.fault(
          CLAPChecks.statePieces, "it \(isRead ? "saves" : "loads") its state in one piece only")
      }
    }
  }
}
