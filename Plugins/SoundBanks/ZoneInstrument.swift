// An instrument of sounds, as it is rendered: regions in memory that never changes.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// A region as voices read it. Context: render.
@safe struct ZoneRegion: BitwiseCopyable {
  let settings: RegionSettings
  /// The first frames of both channels, the same for a sound of one.
  let left: UnsafePointer<Float>
  let right: UnsafePointer<Float>
  let isStereo: Bool
  let sampleRate: Double
  /// The frames that are played, and the looped ones; an empty range for none.
  let end: Int
  let loopStart: Int
  let loopEnd: Int
  let root: Double
  let lowKey: Int
  let highKey: Int
  let lowVelocity: Int
  let highVelocity: Int
  /// The linear gain of its level.
  let gain: Float
  /// The gains of each channel of the sound in each of the output.
  let leftToLeft: Float
  let rightToLeft: Float
  let leftToRight: Float
  let rightToRight: Float
  /// Its conditions among those of the instrument.
  let firstCondition: Int
  let conditionCount: Int
}

/// The regions of an instrument. Context: any.
///
/// @unchecked Sendable because nothing changes after init.
@safe final class ZoneInstrument: @unchecked Sendable {
  let regions: UnsafeMutablePointer<ZoneRegion>
  let count: Int
  let conditions: UnsafeMutablePointer<ControllerCondition>
  /// The values of controllers at the start.
  let controllers: [UInt8]
  /// The keys that any region names as switches.
  let switches: KeyRange?
  /// A line for each region or setting that is not played as its file says.
  let notes: [String]
  private let sounds: [SoundData]

  /// Lays out an instrument. Context: control.
  ///
  /// - Parameters:
  ///   - zones: Its sounds, with roots and keys.
  ///   - conditions: For each zone, the controllers that must lie in a range.
  ///   - controllers: Values of controllers at the start, by their numbers.
  ///   - notes: Sentences about parts that are left out.
  init(
    _ zones: [SampleZone], conditions: [[ControllerCondition]] = [],
    controllers: [Int: Int] = [:], notes: [String] = []
  ) {
    // The weights are made before anything renders.
    _ = ZoneKernel.shared
    count = zones.count
    self.notes = notes
    sounds = zones.map(\.sound)
    var start = [UInt8](repeating: 0, count: 128)
    (start[7], start[10], start[11]) = (127, 64, 127)
    for (number, value) in controllers where start.indices.contains(number) {
      start[number] = UInt8(min(max(value, 0), 127))
    }
    self.controllers = start
    let all = conditions.flatMap(\.self)
    unsafe self.conditions = .allocate(capacity: max(all.count, 1))
    unsafe _ = UnsafeMutableBufferPointer(start: self.conditions, count: all.count)
      .initialize(from: all)
    unsafe regions = .allocate(capacity: max(zones.count, 1))
    var first = 0
    for (index, zone) in zones.enumerated() {
      let count = conditions.indices.contains(index) ? conditions[index].count : 0
      unsafe (regions + index).initialize(to: Self.region(zone, first, count))
      first += count
    }
    let named = zones.compactMap(\.settings.lastSwitch)
    let low = named.map(\.low).min(), high = named.map(\.high).max()
    switches = if let low, let high { KeyRange(low: low, high: high) } else { nil }
  }

  deinit {
    unsafe regions.deallocate()
    unsafe conditions.deallocate()
  }

  private static func region(_ zone: SampleZone, _ first: Int, _ count: Int) -> ZoneRegion {
    let settings = zone.settings
    let isStereo = zone.sound.channelCount > 1
    let keys = zone.keys ?? 0...127
    let (left, right) = ZoneRegion.balance(settings.pan)
    // The width mixes the channels, the balance scales the result.
    let own = Float((1 + settings.width) / 2), other = Float((1 - settings.width) / 2)
    let end = min(max(settings.end ?? zone.sound.frameCount, 0), zone.sound.frameCount)
    let loop = zone.loop.map { $0.clamped(to: 0..<zone.sound.frameCount) } ?? 0..<0
    return unsafe ZoneRegion(
      settings: settings, left: zone.sound.channel(0),
      right: zone.sound.channel(isStereo ? 1 : 0), isStereo: isStereo,
      sampleRate: zone.sound.sampleRate, end: end, loopStart: loop.lowerBound,
      loopEnd: loop.upperBound, root: Double(zone.root ?? 60), lowKey: keys.lowerBound,
      highKey: keys.upperBound, lowVelocity: zone.velocities.lowerBound,
      highVelocity: zone.velocities.upperBound,
      gain: RealtimeMath.gain(decibels: Float(settings.decibels)),
      leftToLeft: isStereo ? left * own : left, rightToLeft: isStereo ? left * other : 0,
      leftToRight: isStereo ? right * other : 0, rightToRight: isStereo ? right * own : right,
      firstCondition: first, conditionCount: count)
  }
}

extension ZoneRegion {
  /// The gains of both sides at a place from −1 to 1: one falls to silence, the other stays.
  @_noLocks static func balance(_ pan: Double) -> (left: Float, right: Float) {
    let angle = (min(max(pan, -1), 1) + 1) * Double.pi / 4
    let half = RealtimeMath.sqrt(2.0)
    return (
      Float(pan >= 1 ? 0 : min(1, half * RealtimeMath.cos(angle))),
      Float(pan <= -1 ? 0 : min(1, half * RealtimeMath.sin(angle)))
    )
  }
}
