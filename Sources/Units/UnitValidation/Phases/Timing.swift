// Times in the sound: the latency, and changes of parameters within a slice.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc

extension UnitValidation {
  /// The sound is as late as the unit says, where that can be measured.
  ///
  /// A delay is no latency where it is the unit's purpose: units with a time among their parameters, or a
  /// delay in their name, are left alone.
  func checkLatency() throws(AuricleError) {
    guard isEffect, isFed, keepsRate, !isDelay else { return }
    let player = ValidationPlayer(unit, .soft(request.seed))
    try player.begin(isCompared: true)
    let (window, most) = (2048, 6144)
    // Changes of the sound at the beginning are to be over.
    let start = 4096
    guard let sound = player.sound(start + window + most)?.first else { return }
    let reported = Int((unit.latency * 44_100).rounded())
    let input = (0..<window).map {
      player.source.signal.sample(start + $0, channel: 0, bus: 0)
    }
    let energy = input.reduce(0) { $0 + $1 * $1 }
    var best: (lag: Int, likeness: Float) = (0, 0)
    unsafe sound.withUnsafeBufferPointer { sound in
      unsafe input.withUnsafeBufferPointer { input in
        for lag in 0..<most {
          var product: Float = 0
          var power: Float = 0
          for frame in 0..<window {
            let value = unsafe sound[start + lag + frame]
            product += unsafe value * input[frame]
            power += value * value
          }
          let likeness = power > 0 ? abs(product) / (power * energy).squareRoot() : 0
          if likeness > best.likeness { best = (lag, likeness) }
        }
      }
    }
    guard best.likeness > 0.9, reported < most else { return }
    expect(
      abs(best.lag - reported) <= 1, .latency,
      "it reports a latency of \(reported) frames, and has \(best.lag)",
      [
        .count("reported", reported), .count("measured", best.lag),
        .value("likeness", best.likeness),
      ])
  }

  private var isDelay: Bool {
    let name = unit.name.lowercased()
    guard !["delay", "echo", "chorus", "flang", "comb"].contains(where: name.contains) else {
      return true
    }
    let times = [
      kAudioUnitParameterUnit_Seconds, kAudioUnitParameterUnit_Milliseconds,
      kAudioUnitParameterUnit_SampleFrames, kAudioUnitParameterUnit_Beats,
    ]
    return settable(of: unit).contains {
      times.contains($0.unit) && $0.name.lowercased().contains("delay")
    }
      || settable(of: unit).contains { $0.unit == kAudioUnitParameterUnit_SampleFrames }
  }

  /// Parameters whose scheduled changes can be compared: a few with an even, linear range.
  private var scheduled: ArraySlice<UnitParameter> {
    guard unit.implements(Int16(kAudioUnitScheduleParametersSelect)), !unit.wantsWholeSlices,
      !isBroken(.schedule), !isBroken(.repeatable), !isBroken(.anySlices), !isBroken(.pull),
      keepsRate
    else { return [] }
    return settable(of: unit).filter {
      $0.scope == kAudioUnitScope_Global && $0.minimum < $0.maximum && !$0.isIndexed
    }.prefix(3)
  }

  /// A value far from the default.
  private static func target(_ parameter: UnitParameter) -> Float {
    parameter.defaultValue == parameter.minimum ? parameter.maximum : parameter.minimum
  }

  /// A change for a frame within a slice sounds like one for the first frame of a slice.
  func checkOffsets() throws(AuricleError) {
    let offsets = request.level < 9 ? [1, 29, 63] : Array(1...63)
    for parameter in scheduled {
      for offset in offsets {
        guard try checkOffset(parameter, offset) else { return }
      }
    }
  }

  /// Checks that a change at an offset is in the sound at the right frame.
  private func checkOffset(_ parameter: UnitParameter, _ offset: Int) throws(AuricleError) -> Bool {
    let target = Self.target(parameter)
    var sounds: [[[Float]]] = []
    for isWithin in [true, false] {
      let player = ValidationPlayer(try fresh(), .soft(request.seed))
      try player.begin(isCompared: true)
      startNote(player)
      guard player.sound(256, slices: [64]) != nil else { return false }
      // Once in the midst of a slice, once at the beginning of the next.
      let event = Self.event(parameter, target, isRamp: false, at: isWithin ? offset : 0)
      var sound: [[Float]] = Array(repeating: [], count: player.channelCount)
      let slices = isWithin ? [64] : [offset, 64 - offset]
      for (index, frames) in slices.enumerated() {
        if index == slices.count - 1 { try player.unit.scheduleParameters([event]) }
        guard let part = player.sound(frames, slices: [frames]) else { return false }
        sound = zip(sound, part).map(+)
      }
      sounds.append(sound)
    }
    let difference = SoundDifference(sounds[0], sounds[1], above: 1e-3)
    return expect(
      difference.greatest <= 1e-3, .offset,
      "\(parameter.id), \"\(parameter.name)\", was scheduled for frame \(offset), and from frame "
        + "\(difference.frame) on it sounds otherwise than when a slice begins there",
      [.count("offset", offset)] + difference.evidence)
  }

  /// A smooth curve of changes, one at each frame, sounds in slices as it does frame by frame.
  func checkCurves() throws(AuricleError) {
    guard !isBroken(.offset) else { return }
    for parameter in scheduled {
      guard let smooth = try curve(of: parameter, slice: 1),
        let sliced = try curve(of: parameter, slice: 64)
      else { return }
      let difference = SoundDifference(smooth, sliced, above: 1e-3)
      guard
        expect(
          difference.greatest <= 1e-3, .curve,
          "\(parameter.id), \"\(parameter.name)\", was scheduled to change at every frame, and in slices "
            + "of 64 frames it leaves the smooth curve from frame \(difference.frame) on",
          [.count("parameter", Int(parameter.id))] + difference.evidence)
      else { return }
    }
  }

  /// The sound while a parameter goes from its default to its target, in slices of a length; nil when a
  /// slice fails.
  private func curve(
    of parameter: UnitParameter, slice: Int
  ) throws(AuricleError) -> [[Float]]? {
    let length = 256
    let (start, target) = (parameter.defaultValue, Self.target(parameter))
    let player = ValidationPlayer(try fresh(), .soft(request.seed))
    try player.begin(isCompared: true)
    startNote(player)
    guard player.sound(256, slices: [64]) != nil else { return nil }
    var sound: [[Float]] = Array(repeating: [], count: player.channelCount)
    for first in stride(from: 0, to: length, by: slice) {
      let events = (0..<slice).map { offset in
        let part = (1 - cosf(.pi * Float(first + offset) / Float(length))) / 2
        return Self.event(parameter, start + (target - start) * part, isRamp: false, at: offset)
      }
      do throws(AuricleError) {
        try player.unit.scheduleParameters(events)
      } catch {
        fault(
          .curve,
          "\(slice) changes of \(parameter.id) in a slice cannot be scheduled: \(error.message)",
          [.count("changes", slice)])
        return nil
      }
      guard let part = player.sound(slice, slices: [slice]) else { return nil }
      sound = zip(sound, part).map(+)
    }
    return sound
  }
}
