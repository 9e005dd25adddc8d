// The same sound in other ways: another instance, after Reset, in other slices, in place, from a state.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// Frames that are compared.
  private static let length = 8192

  /// Compares the sound of a fresh instance with sounds that should be the same.
  func checkSameness() throws(AuricleError) {
    let player = try begin(unit)
    guard let first = sound(player) else { return }
    let second = try begin(fresh())
    guard let other = sound(second) else { return }
    let difference = SoundDifference(first, other)
    guard
      expect(
        difference.greatest == 0, .repeatable,
        "two fresh instances differ from frame \(difference.frame) on", difference.evidence)
    else { return }
    try checkNeighbor(first)
    try checkReset(player, first)
    try checkSlices(first)
    try checkPlaces(first)
    try checkStateSound(first)
  }

  /// A fresh instance at work.
  private func begin(_ unit: AudioUnit) throws(AuricleError) -> ValidationPlayer {
    let player = ValidationPlayer(unit, .soft(request.seed))
    try player.begin(isCompared: true)
    return player
  }

  private func sound(
    _ player: ValidationPlayer, slices: [Int] = [512], hasMemory: Bool = true
  ) -> [[Float]]? {
    startNote(player)
    return player.sound(Self.length, slices: slices, hasMemory: hasMemory)
  }

  /// Whether a sound differs from the first, in a unit whose fresh instances still sound as the first did. A unit
  /// that does so only now and then is blamed for that, and for no difference of another kind.
  private func isOther(
    _ difference: SoundDifference, beyond limit: Float, than first: [[Float]]
  ) throws(AuricleError) -> Bool {
    guard difference.greatest > limit else { return false }
    guard let again = sound(try begin(fresh())) else { return true }
    let chance = SoundDifference(first, again)
    return expect(
      chance.greatest == 0, .repeatable,
      "some fresh instances differ from others from frame \(chance.frame) on", chance.evidence)
  }

  /// An instance beside it, with other values and other input, changes neither its values nor its sound.
  private func checkNeighbor(_ first: [[Float]]) throws(AuricleError) {
    let one = try fresh()
    let other = try fresh()
    let parameters = settable(of: one).filter { $0.minimum < $0.maximum }
    let player = try begin(one)
    let before = parameters.map { value(of: $0, in: one) }
    var random = random(8)
    setAny(settable(of: other), of: other, &random)
    for (parameter, value) in zip(parameters, before) {
      let now = self.value(of: parameter, in: one)
      guard
        expect(
          now == value, .instances,
          "\(parameter.id), \"\(parameter.name)\", was \(value ?? .nan), and is \(now ?? .nan) since "
            + "another instance was set",
          [.value("before", value ?? .nan), .value("after", now ?? .nan)])
      else { return }
    }
    let neighbor = ValidationPlayer(other, .soft(request.seed &+ 1))
    try neighbor.begin(isCompared: true)
    startNote(player)
    startNote(neighbor)
    var beside = [[Float]](repeating: [], count: player.channelCount)
    while beside.first.map({ $0.count < Self.length }) ?? false {
      guard let part = player.sound(512), neighbor.sound(512) != nil else { return }
      beside = zip(beside, part).map(+)
    }
    let difference = SoundDifference(first, beside, above: 1e-6)
    guard try isOther(difference, beyond: 1e-6, than: first) else { return }
    fault(
      .instances,
      "beside another instance it differs by \(difference.greatest), from frame \(difference.frame) "
        + "on", difference.evidence)
  }

  private func checkReset(_ player: ValidationPlayer, _ first: [[Float]]) throws(AuricleError) {
    if playsNotes { _ = player.send(0xB0, 123, 0, at: 0) }
    do throws(AuricleError) {
      try player.reset()
    } catch {
      return fault(.reset, "it cannot be reset: \(error.message)")
    }
    player.restart(.soft(request.seed))
    // A unit that changes parameters sounds otherwise.
    guard !isBroken(.keptByReset), let again = sound(player) else { return }
    let difference = SoundDifference(first, again, above: 1e-6)
    guard try isOther(difference, beyond: 1e-6, than: first) else { return }
    fault(
      .resets,
      "after Reset it differs from a fresh instance by \(difference.greatest), from frame "
        + "\(difference.frame) on", difference.evidence)
  }

  private func checkSlices(_ first: [[Float]]) throws(AuricleError) {
    // A unit that asks for another number of frames gets other input in other slices: that is reported already.
    guard !unit.wantsWholeSlices, keepsRate, !isBroken(.pull) else { return }
    var random = random(3)
    let slices = [512, 64, 1, 137] + (0..<12).map { _ in Int.random(in: 1...512, using: &random) }
    guard let cut = sound(try begin(fresh()), slices: slices) else { return }
    let difference = SoundDifference(first, cut, above: 1e-3)
    guard try isOther(difference, beyond: 1e-3, than: first) else { return }
    fault(
      .anySlices,
      "in slices of \(slices.prefix(5).map(String.init).joined(separator: ", ")) and more frames it "
        + "differs by \(difference.greatest), from frame \(difference.frame) on",
      difference.evidence)
  }

  private func checkPlaces(_ first: [[Float]]) throws(AuricleError) {
    guard isFed else { return }
    let id = kAudioUnitProperty_InPlaceProcessing
    for isInPlace in [true, false] {
      let unit = try fresh()
      if (try? unit.propertyInfo(id))?.isWritable == true {
        try? unit.setProcessesInPlace(isInPlace)
      } else if !isInPlace {
        return
      }
      guard let sound = sound(try begin(unit), hasMemory: !isInPlace) else { return }
      let difference = SoundDifference(first, sound, above: 1e-6)
      guard try isOther(difference, beyond: 1e-6, than: first) else { continue }
      return fault(
        .anyPlace,
        (isInPlace ? "without memory of the caller" : "out of place")
          + " it differs by \(difference.greatest), from frame \(difference.frame) on",
        difference.evidence)
    }
  }

  /// A fresh instance with the state of another sounds like that one.
  private func checkStateSound(_ first: [[Float]]) throws(AuricleError) {
    guard request.wants(.stateSound), !isBroken(.stateRestore), !isBroken(.stateSet),
      !isBroken(.classInfo), !isBroken(.repeatable)
    else { return }
    let one = try fresh()
    let other = try fresh()
    var random = random(4)
    setAny(settable(of: one), of: one, &random)
    guard let state = unsafe Self.state(of: one) else { return }
    defer { unsafe CFRelease(UnsafeRawPointer(state)) }
    do throws(AuricleError) {
      unsafe try other.setProperty(kAudioUnitProperty_ClassInfo, state as CFDictionaryRef?)
    } catch { return }
    guard let saved = sound(try begin(one)), let restored = sound(try begin(other)) else { return }
    let difference = SoundDifference(saved, restored, above: 1e-4)
    guard try isOther(difference, beyond: 1e-4, than: first) else { return }
    fault(
      .stateSound,
      "a fresh instance with its state differs by \(difference.greatest), from frame "
        + "\(difference.frame) on", difference.evidence)
  }
}
