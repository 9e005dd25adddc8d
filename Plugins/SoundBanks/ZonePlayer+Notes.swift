// The notes of an instrument of sounds: which regions an event starts, and which it ends.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

extension ZonePlayer {
  /// An event that may start regions.
  struct Event: BitwiseCopyable {
    var isStart: Bool
    /// Whether the key itself was released, and not a pedal behind it.
    var isKey: Bool
    var key: Int
    var velocity: Int
    var channel: Int
    /// A number from 0 on to below 1.
    var random: Float
    /// Whether another key is down.
    var isLegato = false
  }

  /// The next random number, from 0 on to below 1.
  @_noLocks mutating func nextRandom() -> Float {
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return Float(random >> 40) / 16_777_216
  }

  /// Strikes a key. Context: render.
  @_noLocks mutating func strike(_ key: Int, _ velocity: Int, _ channel: Int) {
    for index in 0..<Self.voiceCount
    where unsafe voices[index].isActive && voices[index].key == key && voices[index].isKeyDown {
      unsafe voices[index].isKeyDown = false
      if let region = unsafe regions?[voices[index].region] {
        unsafe voices[index].release(region, sampleRate: sampleRate)
      }
    }
    var event = Event(
      isStart: true, isKey: true, key: key, velocity: velocity, channel: channel,
      random: nextRandom())
    for other in 0..<128 where unsafe other != key && keys[other].isDown { event.isLegato = true }
    unsafe keys[key].isDown = true
    unsafe keys[key].velocity = velocity
    unsafe keys[key].time = time
    unsafe keys[key].waitsForPedal = false
    turnSwitches(key)
    play(event)
    lastKey = key
  }

  /// Releases a key. Context: render.
  @_noLocks mutating func letGo(_ key: Int, _ channel: Int) {
    guard unsafe keys[key].isDown else { return }
    unsafe keys[key].isDown = false
    let isPedalDown = unsafe controllers[64] >= 64
    for index in 0..<Self.voiceCount
    where unsafe voices[index].isActive && voices[index].key == key && voices[index].isKeyDown {
      unsafe voices[index].isKeyDown = false
      guard let region = unsafe regions?[voices[index].region] else { continue }
      if isPedalDown, region.settings.obeysSustain { continue }
      if unsafe voices[index].isSostenuto { continue }
      unsafe voices[index].release(region, sampleRate: sampleRate)
    }
    let velocity = unsafe keys[key].velocity
    var event = Event(
      isStart: false, isKey: true, key: key, velocity: velocity, channel: channel,
      random: nextRandom())
    play(event)
    event.isKey = false
    if isPedalDown {
      unsafe keys[key].waitsForPedal = true
    } else {
      play(event)
    }
  }

  /// Releases notes that no pedal holds any more. Context: render.
  @_noLocks mutating func liftPedal(_ channel: Int) {
    for index in 0..<Self.voiceCount
    where unsafe voices[index].isActive && !voices[index].isKeyDown && voices[index].isHeld
      && !voices[index].isSostenuto
    {
      guard let region = unsafe regions?[voices[index].region] else { continue }
      unsafe voices[index].release(region, sampleRate: sampleRate)
    }
    for key in 0..<128 where unsafe keys[key].waitsForPedal {
      unsafe keys[key].waitsForPedal = false
      let velocity = unsafe keys[key].velocity
      play(
        Event(
          isStart: false, isKey: false, key: key, velocity: velocity, channel: channel,
          random: nextRandom()))
    }
  }

  /// Turns the switches that a key is.
  @_noLocks private func turnSwitches(_ key: Int) {
    for index in 0..<regionCount {
      guard let region = unsafe regions?[index], let last = region.settings.lastSwitch,
        let all = region.settings.switches ?? namedSwitches, all.contains(key)
      else { continue }
      unsafe isSwitched[index] = last.contains(key)
    }
  }

  /// Starts the regions of an event, and ends the ones that they exclude.
  @_noLocks private mutating func play(_ event: Event) {
    noteCount += 1
    for index in 0..<regionCount {
      guard let region = unsafe regions?[index], matches(region, index, event) else { continue }
      // Each region counts the notes that are its own.
      let turn = unsafe turns[index]
      unsafe turns[index] = (turn + 1) % max(1, region.settings.turns)
      guard turn == region.settings.turn - 1 else { continue }
      if region.settings.keyBefore >= 0, region.settings.keyBefore != lastKey { continue }
      exclude(region)
      start(region, index, event)
    }
    makeRoom()
  }

  @_noLocks private func matches(_ region: ZoneRegion, _ index: Int, _ event: Event) -> Bool {
    let settings = region.settings
    let isTriggered =
      switch settings.trigger {
      case .attack: event.isStart
      case .first: event.isStart && !event.isLegato
      case .legato: event.isStart && event.isLegato
      case .release: !event.isStart && !event.isKey
      case .releaseKey: !event.isStart && event.isKey
      }
    guard isTriggered, event.key >= region.lowKey, event.key <= region.highKey,
      event.velocity >= region.lowVelocity, event.velocity <= region.highVelocity,
      unsafe isSwitched[index], event.random >= settings.random.low,
      event.random < settings.random.high || settings.random.high >= 1,
      settings.channels.contains(Float(event.channel + 1)),
      settings.bends.contains(Float(parameters.bend - 8192)),
      settings.pressures.contains(pressure), settings.keyPressures.contains(keyPressure),
      settings.programs.contains(program)
    else { return false }
    if settings.keyDown >= 0, unsafe !keys[settings.keyDown].isDown { return false }
    if settings.keyUp >= 0, unsafe keys[settings.keyUp].isDown { return false }
    return meetsConditions(region)
  }

  @_noLocks private mutating func start(_ region: ZoneRegion, _ index: Int, _ event: Event) {
    var chosen = -1
    for place in 0..<Self.voiceCount where unsafe chosen < 0 && !voices[place].isActive {
      chosen = place
    }
    guard chosen >= 0 else { return }
    let begun = voice(region, index, event)
    unsafe voices[chosen] = begun
  }
}
