// The phases of a validation, in their order: the work of each, and the rules that it can find broken.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes

extension UnitValidation {
  /// One step, with a separate instance.
  struct Phase: Sendable {
    /// Its work, for the reader of a crash report: "setting parameters".
    var title: String
    /// The rules that it checks; the first is its purpose, and has its level.
    var checks: [ValidationCheck]
    /// Whether it renders.
    var renders = false
    /// Whether it is for units that have notes and no sound, too.
    var isOfNotes = false
    /// The rule that an error breaks which the phase does not expect.
    var failure = ValidationCheck.again
    var body: @Sendable (UnitValidation) throws(AuricleError) -> Void
    /// The least level at which it is gone through.
    var level: Int { checks.first?.level ?? 1 }
  }

  static let phases: [Phase] = reporting + doing + sounding + lasting

  /// The phases on a unit's information.
  private static let reporting: [Phase] = [
    Phase(
      title: "initializing it twice",
      checks: [.type, .manufacturer, .name, .initialize, .again], failure: .initialize,
      body: { (it) throws(AuricleError) in try it.checkLife() }),
    Phase(
      title: "asking for properties", checks: ValidationCheck.ofProperties,
      body: { (it) throws(AuricleError) in it.checkProperties() }),
    Phase(
      title: "saving and setting its state", checks: [.classInfo, .stateIdentity, .stateSet],
      body: { (it) throws(AuricleError) in it.checkState() }),
    Phase(
      title: "choosing presets",
      checks: [
        .presetName, .presetNumber, .presetSelect, .presetPresent, .presetRange, .presetRetain,
      ], body: { (it) throws(AuricleError) in it.checkPresets() }),
    Phase(
      title: "asking for parameters",
      checks: [
        .parameterList, .parameterInfo, .parameterName, .parameterRange, .parameterDefault,
        .valueNames, .clump, .text, .textRead,
      ], body: { (it) throws(AuricleError) in it.checkParameters() }),
    Phase(
      title: "setting parameters",
      checks: [
        .parameterInitial, .parameterSet, .parameterValue, .parameterFinite, .meta,
        .keptByInitialize, .keptByReset, .reset,
      ], failure: .initialize,
      body: { (it) throws(AuricleError) in try it.checkValues() }),
    Phase(
      title: "asking for notes", checks: [.notesAnswer, .notesRefuse, .midiOutputs],
      body: { (it) throws(AuricleError) in it.checkNotes() }),
  ]

  /// The phases on a unit's behaviour under a host's usual calls.
  private static let doing: [Phase] = [
    Phase(
      title: "rendering 512 frames at 44,100 Hz",
      checks: [
        .uninitialized, .renders, .finite, .unwritten, .overrun, .buffers, .silenceFlag, .pull,
      ], renders: true, failure: .renders,
      body: { (it) throws(AuricleError) in try it.checkRendering() }),
    Phase(
      title: "rendering at all rates", checks: [.rates, .lowRates, .finite, .overrun, .pull],
      renders: true, body: { (it) throws(AuricleError) in it.checkRates() }),
    Phase(
      title: "trying numbers of channels", checks: ValidationCheck.ofChannels, renders: true,
      body: { (it) throws(AuricleError) in it.checkChannels() }),
    Phase(
      title: "making its input fail",
      checks: [.inputError, .tooMany, .tooManyPulled, .recovers, .nullOutput], renders: true,
      body: { (it) throws(AuricleError) in try it.checkFailures() }),
    Phase(
      title: "scheduling parameters", checks: [.schedule, .scheduledValue], renders: true,
      body: { (it) throws(AuricleError) in try it.checkSchedules() }),
    Phase(
      title: "playing notes", checks: [.notesStatus, .notesSound], renders: true, isOfNotes: true,
      body: { (it) throws(AuricleError) in try it.checkPlaying() }),
    Phase(
      title: "connecting another unit",
      checks: [.connected, .connectedError, .disconnected, .reset],
      renders: true, body: { (it) throws(AuricleError) in try it.checkConnections() }),
    Phase(
      title: "rendering in place", checks: [.inPlace], renders: true,
      body: { (it) throws(AuricleError) in try it.checkPlace() }),
    Phase(
      title: "telling it the host's time", checks: [.hostCallbacks, .hostTime], renders: true,
      body: { (it) throws(AuricleError) in try it.checkHostCallbacks() }),
  ]

  /// The phases on its sound.
  private static let sounding: [Phase] = [
    Phase(
      title: "restoring its state", checks: [.stateRestore],
      body: { (it) throws(AuricleError) in try it.checkRestoring() }),
    Phase(
      title: "saving its presets", checks: [.presetRestore],
      body: { (it) throws(AuricleError) in try it.checkSavingPresets() }),
    Phase(
      title: "saving what was restored", checks: [.stateSame],
      body: { (it) throws(AuricleError) in try it.checkSavingAgain() }),
    Phase(
      title: "rendering with any values of its parameters", checks: [.randomValues, .jumps],
      renders: true,
      body: { (it) throws(AuricleError) in try it.checkRandomValues() }),
    Phase(
      title: "changing values every 32 frames", checks: [.automation, .jumps], renders: true,
      body: { (it) throws(AuricleError) in try it.checkAutomation() }),
    Phase(
      title: "rendering the same sound in other ways",
      checks: [.repeatable, .instances, .resets, .anySlices, .anyPlace, .stateSound], renders: true,
      body: { (it) throws(AuricleError) in try it.checkSameness() }),
    Phase(
      title: "listening to its tail", checks: [.tail, .subnormal], renders: true,
      body: { (it) throws(AuricleError) in try it.checkTail() }),
    Phase(
      title: "bypassing it", checks: [.bypassed], renders: true,
      body: { (it) throws(AuricleError) in try it.checkBypass() }),
    Phase(
      title: "measuring its latency", checks: [.latency], renders: true,
      body: { (it) throws(AuricleError) in try it.checkLatency() }),
    Phase(
      title: "changing a parameter within a slice", checks: [.offset], renders: true,
      body: { (it) throws(AuricleError) in try it.checkOffsets() }),
    Phase(
      title: "changing a parameter at every frame", checks: [.curve], renders: true,
      body: { (it) throws(AuricleError) in try it.checkCurves() }),
    Phase(
      title: "rendering at 8 to 384 kHz", checks: [.wideRates, .overrun], renders: true,
      body: { (it) throws(AuricleError) in it.checkWideRates() }),
    Phase(
      title: "changing its rate while it is initialized", checks: [.changedFormat], renders: true,
      body: { (it) throws(AuricleError) in try it.checkChangedFormat() }),
    Phase(
      title: "rendering input of full scale", checks: [.fullScale], renders: true,
      body: { (it) throws(AuricleError) in try it.checkFullScale() }),
    Phase(
      title: "rendering extreme input", checks: [.extremeInput], renders: true,
      body: { (it) throws(AuricleError) in try it.checkExtremes() }),
  ]

  /// The phases on its work.
  private static let lasting: [Phase] = [
    Phase(
      title: "setting parameters from another thread", checks: [.otherThread], renders: true,
      body: { (it) throws(AuricleError) in try it.checkOtherThread() }),
    Phase(
      title: "saving its state from another thread", checks: [.savingThread], renders: true,
      body: { (it) throws(AuricleError) in try it.checkSavingThread() }),
    Phase(
      title: "watching what render code calls", checks: [.allocation, .lock, .file], renders: true,
      body: { (it) throws(AuricleError) in try it.checkRealtime() }),
    Phase(
      title: "timing slices", checks: [.cost], renders: true,
      body: { (it) throws(AuricleError) in try it.checkCost() }),
    Phase(
      title: "closing it", checks: [.process, .threads],
      body: { (it) throws(AuricleError) in try it.checkTraces() }),
    Phase(
      title: "opening it a hundred times", checks: [.leaks],
      body: { (it) throws(AuricleError) in try it.checkLeaks() }),
  ]
}
