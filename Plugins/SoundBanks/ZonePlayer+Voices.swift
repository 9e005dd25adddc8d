// The voices of an instrument of sounds: level and pitch of a region that begins, exclusion, the limit.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

extension ZonePlayer {
  /// A voice for a region of an event.
  @_noLocks mutating func voice(_ region: ZoneRegion, _ index: Int, _ event: Event) -> ZoneVoice {
    let settings = region.settings
    var made = ZoneVoice()
    made.isActive = true
    made.region = index
    made.key = event.key
    made.channel = event.channel
    made.note = noteCount
    // A sound that a key's end starts is held by nothing.
    made.isKeyDown = event.isStart
    made.isHeld = event.isStart
    let distance = Double(event.key) - region.root
    let strength = Float(event.velocity) / 127
    made.cents =
      distance * settings.keyCents + settings.tuning
      + settings.velocityCents * Double(strength)
    if settings.randomCents != 0 { made.cents += settings.randomCents * Double(nextRandom()) }
    made.gain = level(region, event, strength)
    made.wantedFade = controllerGain(settings)
    made.fade = made.wantedFade
    var offset = settings.offset
    if settings.offsetRandom > 0 { offset += Int(Float(settings.offsetRandom) * nextRandom()) }
    made.begin(region, offset: min(offset, max(region.end - 1, 0)), sampleRate: sampleRate)
    return made
  }

  /// The linear level of a region for a note.
  @_noLocks private mutating func level(
    _ region: ZoneRegion, _ event: Event, _ strength: Float
  ) -> Float {
    let settings = region.settings
    let track = settings.velocityTrack
    let square = strength * strength
    let velocity =
      track >= 0 ? 1 - track * (1 - square) : 1 + track * square
    var decibels = settings.keyDecibels * Float(event.key - settings.levelCenter)
    if settings.randomDecibels != 0 { decibels += settings.randomDecibels * nextRandom() }
    if !event.isStart, settings.releaseDecay != 0 {
      let seconds = unsafe Double(time - keys[event.key].time) / sampleRate
      decibels -= settings.releaseDecay * Float(seconds)
    }
    let key = Float(event.key), hard = Float(event.velocity)
    return region.gain * velocity * settings.keyFade.gain(rising: key, falling: key)
      * settings.velocityFade.gain(rising: hard, falling: hard)
      * (decibels == 0 ? 1 : RealtimeMath.gain(decibels: decibels))
  }

  /// The gain of a region by its controllers as they are.
  @_noLocks func controllerGain(_ settings: RegionSettings) -> Float {
    let fade = settings.controllerFade
    let (up, down) = (fade.inController, fade.outController)
    guard up >= 0 || down >= 0 else { return 1 }
    return unsafe fade.gain(
      rising: up >= 0 ? Float(controllers[up]) : 0,
      falling: down >= 0 ? Float(controllers[down]) : 0)
  }

  /// Applies the controllers to the voices.
  @_noLocks func follow() {
    for index in 0..<Self.voiceCount where unsafe voices[index].isActive {
      guard let region = unsafe regions?[voices[index].region] else { continue }
      unsafe voices[index].wantedFade = controllerGain(region.settings)
    }
  }

  /// Whether the controllers lie where a region wants them.
  @_noLocks func meetsConditions(_ region: ZoneRegion) -> Bool {
    for index in 0..<region.conditionCount {
      guard let condition = unsafe conditions?[region.firstCondition + index] else { return false }
      let value = unsafe Float(controllers[condition.number])
      if value < condition.low || value > condition.high { return false }
    }
    return true
  }

  /// Ends notes that a starting region excludes: those of groups that it ends, and the oldest of a full group.
  @_noLocks func exclude(_ region: ZoneRegion) {
    let settings = region.settings
    var (count, oldest) = (0, -1)
    for index in 0..<Self.voiceCount where unsafe voices[index].isPlaying {
      guard let other = unsafe regions?[voices[index].region],
        unsafe voices[index].note != noteCount
      else { continue }
      if settings.group != 0, other.settings.endedBy == settings.group {
        if other.settings.endsByRelease {
          unsafe voices[index].letFall(other, sampleRate)
        } else {
          unsafe voices[index].fadeOut()
        }
        continue
      }
      guard settings.mostVoices > 0, other.settings.group == settings.group else { continue }
      count += 1
      if unsafe oldest < 0 || voices[index].note < voices[oldest].note { oldest = index }
    }
    if settings.mostVoices > 0, count >= settings.mostVoices, oldest >= 0 {
      unsafe voices[oldest].fadeOut()
    }
  }

  /// Fades notes out while more voices play than may: the oldest released one, else the oldest. The newest note stays.
  @_noLocks func makeRoom() {
    while true {
      var playing = 0
      var best = UInt64.max
      for index in 0..<Self.voiceCount where unsafe voices[index].isPlaying {
        playing += 1
        let voice = unsafe voices[index]
        guard voice.note != noteCount else { continue }
        best = min(best, voice.note + (voice.isHeld ? 1 << 62 : 0))
      }
      guard playing > voiceLimit, best < .max else { return }
      let note = best & (1 << 62 - 1)
      for index in 0..<Self.voiceCount
      where unsafe voices[index].isPlaying && voices[index].note == note {
        unsafe voices[index].fadeOut()
      }
    }
  }

  /// Ends all voices at once. Context: any.
  @_noLocks func silence() {
    for index in 0..<Self.voiceCount where unsafe voices[index].isPlaying {
      unsafe voices[index].fadeOut()
    }
    for key in 0..<128 { unsafe keys[key] = ZoneKey() }
  }
}
