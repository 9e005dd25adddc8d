// Checks of one unit: the properties and behaviour that its type requires.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import AudioUnits
import CAudioToolbox
import PlugInGuard

/// The request for a check.
package struct ValidationRequest: Sendable, Hashable {
  /// The extent: 1 to 10. Each level has all rules of those below.
  package var level = 5
  /// Chooses values by chance; the same seed chooses the same.
  package var seed: UInt64 = 1
  /// Ids of rules, or the parts before the point; empty for all.
  package var only: [String] = []
  /// Phases that are left out, by their numbers, because they crashed before.
  package var skippedPhases: Set<Int> = []
  /// Whether a rule is known to be broken without which nothing can be rendered.
  package var isBlocked = false

  /// All rules of level 5.
  package init() {}

  /// Whether a rule is to be checked.
  package func wants(_ check: ValidationCheck) -> Bool {
    check.level <= level && (only.isEmpty || only.contains { check.isMeant(by: $0) })
  }
}

/// A report of a validation while it goes on.
package enum ValidationEvent: Sendable {
  /// A phase begins: its number, and its work.
  case phase(Int, String)
  /// A rule is broken.
  case fault(UnitFault)
  /// A figure of the unit: its name, its value, its measure.
  case figure(String, Double, String)
}

/// A check of a unit as a host's author would do it: all its information, and all its behaviour.
///
/// Each phase has a separate instance, or several. The corresponding Core Audio function is
/// `AudioComponentValidate`.
///
/// Context: control; code of the unit is run, which may crash or hang.
package final class UnitValidation {
  let request: ValidationRequest
  private let make: () throws(AuricleError) -> AudioUnit
  private let report: (ValidationEvent) -> Void
  /// The instance of the phase at hand.
  private(set) var unit: AudioUnit
  let type: OSType
  /// Whether nothing can be rendered.
  private(set) var isBlocked: Bool
  /// Rules that were broken so far.
  private var broken: Set<String> = []
  /// Rules that were broken before the phase at hand.
  private var brokenBefore: Set<String> = []
  /// Whether the process has no other work: changes of descriptors are the unit's.
  private let ownsProcess: Bool
  /// The changes that instances made in the process.
  private(set) var changes: ProcessStateChanges = []
  /// Descriptors that instances closed.
  private(set) var closedDescriptors: Set<Int32> = []

  /// Checks a unit.
  ///
  /// - Parameters:
  ///   - ownsProcess: Whether the process has no other work. Descriptors that a unit closes, and
  ///     and changes by its binary at loading, are found only there.
  ///   - make: Opens a fresh instance.
  ///   - report: Receives each event at once: a later one may end the process.
  package static func run(
    _ request: ValidationRequest, ownsProcess: Bool = false,
    make: @escaping () throws(AuricleError) -> AudioUnit,
    report: @escaping (ValidationEvent) -> Void
  ) {
    report(.phase(0, "opening it"))
    let first: AudioUnit
    let descriptors: OpenDescriptors? = ownsProcess ? OpenDescriptors() : nil
    var closed: [Int32] = []
    do throws(AuricleError) {
      defer { closed = descriptors?.putBack() ?? [] }
      first = try make()
    } catch {
      guard request.wants(.open) || !request.only.isEmpty else { return }
      return report(.fault(UnitFault(.open, error)))
    }
    let validation = UnitValidation(request, ownsProcess, first, make, report)
    validation.closedDescriptors.formUnion(closed)
    validation.runPhases()
  }

  /// The number of phases, which are numbered from 1.
  package static var phaseCount: Int { phases.count }

  /// The title of the phase in which the rules of a format of plug-ins are checked, which its module has.
  package static func phaseTitle(ofFormat format: String) -> String {
    "checking the rules of its format, \(format)"
  }

  /// The rules that are checked from the first step to the last.
  package static let checksOfAllPhases: [ValidationCheck] = [
    .crash, .hang, .exit, .memory, .output, .open, .duplicate, .bundle,
  ]

  /// The rules that a phase checks, by its title.
  package static func checks(ofPhase title: String) -> [ValidationCheck] {
    phases.first { $0.title == title }?.checks ?? []
  }

  private init(
    _ request: ValidationRequest, _ ownsProcess: Bool, _ unit: AudioUnit,
    _ make: @escaping () throws(AuricleError) -> AudioUnit,
    _ report: @escaping (ValidationEvent) -> Void
  ) {
    self.request = request
    self.ownsProcess = ownsProcess
    self.make = make
    self.report = report
    self.unit = unit
    type = unit.description.componentType
    isBlocked = request.isBlocked
  }

  private func runPhases() {
    for (index, phase) in Self.phases.enumerated() {
      let number = index + 1
      guard phase.level <= request.level, phase.checks.contains(where: request.wants),
        !request.skippedPhases.contains(number), !(phase.renders && isBlocked),
        !phase.renders || canRender || phase.isOfNotes && type == kAudioUnitType_MIDIProcessor
      else { continue }
      brokenBefore = broken
      report(.phase(number, phase.title))
      do throws(AuricleError) {
        try watching { () throws(AuricleError) in
          unit = try fresh()
          try phase.body(self)
          try? unit.uninitialize()
        }
      } catch {
        // A failure to initialize was reported once.
        guard !isBroken(.initialize) else { continue }
        let met = UnitFault(phase.failure, error)
        fault(
          phase.failure, "\(met.message) (while \(phase.title))", met.evidence,
          remedy:
            "return noErr from the call, which sound units answer, or the code that says why not")
      }
    }
  }

  /// Runs code of the unit, restores its changes in the process, and notes them.
  func watching(_ body: () throws(AuricleError) -> Void) throws(AuricleError) {
    let descriptors: OpenDescriptors? = ownsProcess ? OpenDescriptors() : nil
    var found: ProcessStateChanges = []
    defer {
      closedDescriptors.formUnion(descriptors?.putBack() ?? [])
      changes.formUnion(found)
      // Guards around the loading of a binary have restored their findings.
      if ownsProcess { changes.formUnion(.putBack) }
    }
    try withProtectedProcessState(changes: &found, body)
  }

  /// The changes of instances to the process, in words; nil without any.
  var changesText: String? {
    var texts = changes.isEmpty ? [] : ["\(changes)"]
    if !closedDescriptors.isEmpty {
      let numbers = closedDescriptors.sorted().map { "\($0)" }.joined(separator: ", ")
      texts.append("open descriptors (it closed \(numbers))")
    }
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }

  /// Another instance, fresh from its component.
  func fresh() throws(AuricleError) -> AudioUnit { try make() }

  /// Notes a fault.
  func fault(
    _ check: ValidationCheck, _ message: @autoclosure () -> String,
    _ evidence: [UnitFault.Evidence] = [], severity: ValidationCheck.Severity? = nil,
    remedy: String? = nil
  ) {
    if check.blocks { isBlocked = true }
    broken.insert(check.id)
    guard request.wants(check) else { return }
    report(.fault(UnitFault(check, message(), evidence, severity: severity, remedy: remedy)))
  }

  /// Notes a fault where something does not hold; whether it holds.
  @discardableResult
  func expect(
    _ holds: Bool, _ check: ValidationCheck, _ message: @autoclosure () -> String,
    _ evidence: [UnitFault.Evidence] = [], remedy: String? = nil
  ) -> Bool {
    if !holds { fault(check, message(), evidence, remedy: remedy) }
    return holds
  }

  /// Notes the defect of a slice, for a step that sound units pass: a defect that was reported already is no
  /// fault of the step.
  func note(
    _ defect: SliceDefect?, _ check: ValidationCheck, _ start: String, remedy: String? = nil
  ) {
    guard let defect, !isBroken(defect.check) else { return }
    let isOfStep = defect.check == .finite || defect.check == .buffers
    fault(
      isOfStep ? check : defect.check, "\(start) \(defect.clause)", defect.evidence,
      remedy: isOfStep ? remedy : nil)
  }

  /// Checks a slice that was rendered under a condition ("while … it"); returns whether it has no defect.
  func isSound(
    _ slice: (status: OSStatus, defect: SliceDefect?), _ check: ValidationCheck, _ start: String,
    _ evidence: [UnitFault.Evidence]
  ) -> Bool {
    guard
      expect(slice.status == 0, check, "\(start) gives the error \(slice.status)", evidence)
    else { return false }
    note(slice.defect, check, start)
    return slice.defect == nil
  }

  /// Reports a figure of the unit.
  func figure(_ name: String, _ value: Double, _ unit: String) {
    report(.figure(name, value, unit))
  }

  /// Whether a rule was broken before.
  func isBroken(_ check: ValidationCheck) -> Bool { broken.contains(check.id) }

  /// Whether a rule was broken in an earlier phase: another one of the kind need not report it again.
  func wasBroken(_ check: ValidationCheck) -> Bool { brokenBefore.contains(check.id) }

  /// A number by chance for a purpose.
  func random(_ purpose: UInt64) -> ValidationRandom {
    ValidationRandom(seed: request.seed &* 0x9E37_79B9_7F4A_7C15 &+ purpose)
  }
}

extension UnitFault {
  /// A rule that is broken because a call failed.
  package init(_ check: ValidationCheck, _ error: AuricleError) {
    self.init(check, error.message, [.count("status", Int(error.status))])
  }
}

extension ValidationCheck {
  /// Whether a unit that breaks it cannot be rendered at all, so that nothing else is reported of its sound.
  package var blocks: Bool {
    [Self.open, .initialize, .inputs, .renders, .finite, .formatIsReported].contains(self)
  }

  /// The rule of an id; nil for one of another module.
  package static func named(_ id: String) -> ValidationCheck? { all.first { $0.id == id } }
}

extension UnitValidation {
  /// Whether its type is that of effects.
  var isEffect: Bool {
    type == kAudioUnitType_Effect || type == kAudioUnitType_MusicEffect
  }

  /// Whether its type accepts notes.
  var acceptsNotes: Bool {
    [kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect, kAudioUnitType_MIDIProcessor]
      .contains(type)
  }

  /// Whether as many frames come out of it as go in.
  var keepsRate: Bool {
    type != kAudioUnitType_FormatConverter && type != kAudioUnitType_OfflineEffect
  }

  /// Whether the unit has sound inputs.
  var isFed: Bool { unit.busCount(scope: kAudioUnitScope_Input) > 0 }

  /// Whether sound comes out of the unit: a MIDI processor may have none.
  var canRender: Bool {
    guard unit.busCount(scope: kAudioUnitScope_Output) > 0 else { return false }
    return ((try? unit.streamFormat(scope: kAudioUnitScope_Output))?.channelCount ?? 0) > 0
      || type != kAudioUnitType_MIDIProcessor
  }
}
