// The effect of wheels, pedals and controllers on the notes, channel by channel or note by note.
// SPDX-License-Identifier: Apache-2.0

extension NoteBoard {
  /// Returns the channel that speaks for all notes of a channel's zone; the channel itself where it is of none.
  @_noLocks private func master(_ channel: Int) -> Int {
    if unsafe channel > 0 && channel <= zones.pointee.lower { return 0 }
    if unsafe channel < 15 && channel >= 15 - zones.pointee.upper { return 15 }
    return channel
  }

  /// Returns whether a channel is the master of another, or the same.
  @_noLocks private func speaks(_ channel: Int, for other: Int) -> Bool {
    channel == other || master(other) == channel
  }

  /// Returns whether a pedal holds the notes of a channel.
  @_noLocks func pedalHolds(_ channel: Int) -> Bool {
    unsafe channels[channel].pedalIsDown || channels[master(channel)].pedalIsDown
  }

  /// Brings the expression of a channel's notes up to date.
  @_noLocks func express(channel: Int) {
    for index in 0..<count
    where unsafe slots[index].isActive && speaks(channel, for: slots[index].note.channel) {
      express(index)
    }
  }

  /// Brings the expression of a voice's note up to date.
  @_noLocks func express(_ index: Int) {
    let number = unsafe slots[index].note.channel
    let channel = unsafe channels[number]
    let masterNumber = master(number)
    var bend = channel.wheel * channel.bendRange
    var pressure = max(channel.pressure, unsafe slots[index].keyPressure)
    if masterNumber != number {
      let all = unsafe channels[masterNumber]
      bend += all.wheel * all.bendRange
      pressure = max(pressure, all.pressure)
    }
    unsafe slots[index].note.bend = bend
    unsafe slots[index].note.pressure = pressure
    unsafe slots[index].note.timbre = channel.timbre
  }

  /// Applies a controller.
  @_noLocks func control(_ channel: Int, _ controller: Int, _ value: Int) {
    switch controller {
    case 6: enterData(channel, value)
    case 64: movePedal(channel, isDown: value >= 64)
    case 74:
      unsafe channels[channel].timbre = Float(value) / 127
      express(channel: channel)
    case 98, 99: unsafe channels[channel].parameter = 0x3FFF
    case 100:
      unsafe channels[channel].parameter = channels[channel].parameter & 0x3F80 | value
    case 101:
      unsafe channels[channel].parameter = channels[channel].parameter & 0x7F | value << 7
    case 120:
      for index in 0..<count where unsafe speaks(channel, for: slots[index].note.channel) {
        unsafe slots[index] = NoteSlot()
      }
    case 121:
      let range = unsafe channels[channel].bendRange
      movePedal(channel, isDown: false)
      unsafe channels[channel] = NoteChannel()
      unsafe channels[channel].bendRange = range
      express(channel: channel)
    case 123...127:
      for index in 0..<count
      where unsafe slots[index].isKeyDown && speaks(channel, for: slots[index].note.channel) {
        unsafe slots[index].isKeyDown = false
        if unsafe !pedalHolds(slots[index].note.channel) { release(index) }
      }
    default: break
    }
  }

  @_noLocks private func movePedal(_ channel: Int, isDown: Bool) {
    unsafe channels[channel].pedalIsDown = isDown
    guard !isDown else { return }
    for index in 0..<count
    where unsafe slots[index].isActive && !slots[index].isKeyDown
      && speaks(channel, for: slots[index].note.channel)
      && !pedalHolds(slots[index].note.channel)
    {
      release(index)
    }
  }

  /// Data for the registered parameter that was chosen: 0 the range of the wheel, 6 the zones of MPE.
  @_noLocks private func enterData(_ channel: Int, _ value: Int) {
    switch unsafe channels[channel].parameter {
    case 0:
      // The members of a zone share their range.
      for other in 0..<16
      where other == channel
        || (master(channel) != channel && master(other) == master(channel)
          && master(other) != other)
      {
        unsafe channels[other].bendRange = Float(value)
      }
      for other in 0..<16 { express(channel: other) }
    case 6:
      guard channel == 0 || channel == 15 else { return }
      setZone(isLower: channel == 0, members: min(value, 15))
    default: break
    }
  }

  @_noLocks private func setZone(isLower: Bool, members: Int) {
    // The zone that was declared last wins the channels that both want.
    if isLower {
      unsafe zones.pointee.lower = members
      unsafe zones.pointee.upper = max(0, min(zones.pointee.upper, 14 - members))
    } else {
      unsafe zones.pointee.upper = members
      unsafe zones.pointee.lower = max(0, min(zones.pointee.lower, 14 - members))
    }
    for channel in 0..<16 {
      unsafe channels[channel].bendRange = master(channel) == channel ? 2 : 48
    }
  }
}
