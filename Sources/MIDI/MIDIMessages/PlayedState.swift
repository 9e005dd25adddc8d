// State of played messages: held notes, and values of each channel, for an end or for a new chain.
// SPDX-License-Identifier: Apache-2.0

/// Follows channel messages.
package struct PlayedState: Sendable {
  fileprivate struct Channel: Sendable {
    var held: Set<UInt8> = []
    var controllers: [UInt8: UInt8] = [:]
    var program: UInt8?
    var pressure: UInt8?
    var bend: (low: UInt8, high: UInt8)?
    /// Values of registered parameters, by number: coarse and fine.
    var parameters: [UInt16: (UInt8, UInt8)] = [:]
  }

  private var channels: [Int: Channel] = [:]

  /// Nothing yet.
  package init() {}

  /// Controllers that hold notes: the sustain and the sostenuto pedal.
  private static let pedals: [UInt8] = [64, 66]
  /// Controllers that stay as they are where all are reset.
  package static let lasting: Set<UInt8> = [0, 7, 10, 32]
  /// Controllers that set a parameter, and controllers that name one.
  private static let ofParameters: Set<UInt8> = [6, 38, 96, 97, 98, 99, 100, 101]

  /// Applies a message.
  package mutating func follow(_ message: [UInt8]) {
    guard message.count > 1 else { return }
    let number = Int(message[0] & 0xF)
    let first = message[1]
    let second = message.count > 2 ? message[2] : 0
    var channel = channels[number] ?? Channel()
    switch message[0] >> 4 {
    case 0x9 where second > 0: channel.held.insert(first)
    case 0x8, 0x9: channel.held.remove(first)
    case 0xB: channel.control(first, second)
    case 0xC: channel.program = first
    case 0xD: channel.pressure = first
    case 0xE: channel.bend = (first, second)
    default: return
    }
    channels[number] = channel
  }

  /// The number of notes that are held.
  package var heldCount: Int { channels.values.reduce(0) { $0 + $1.held.count } }

  /// Whether a note is held, on a channel from 0.
  package func isHeld(_ channel: Int, _ key: UInt8) -> Bool {
    channels[channel]?.held.contains(key) ?? false
  }

  /// The value of a controller, of a channel's program and pressure; nil where it was never said.
  package func controller(_ channel: Int, _ number: UInt8) -> UInt8? {
    channels[channel]?.controllers[number]
  }
  package func program(_ channel: Int) -> UInt8? { channels[channel]?.program }
  package func pressure(_ channel: Int) -> UInt8? { channels[channel]?.pressure }

  /// The two bytes of a channel's bend; none where it was never said.
  package func wheel(_ channel: Int) -> [UInt8] {
    (channels[channel]?.bend).map { [$0.low, $0.high] } ?? []
  }

  /// Messages that end the present sound: notes, pedals, bends.
  package var endings: [[UInt8]] {
    channels.sorted { $0.key < $1.key }.flatMap { number, channel -> [[UInt8]] in
      let low = UInt8(number)
      var messages = channel.held.sorted().map { [0x80 | low, $0, 64] }
      for pedal in Self.pedals where channel.controllers[pedal, default: 0] >= 64 {
        messages.append([0xB0 | low, pedal, 0])
      }
      if let bend = channel.bend, bend != (0, 64) { messages.append([0xE0 | low, 0, 64]) }
      return messages
    }
  }

  /// Messages that bring a new chain to the same state; notes begin anew.
  package var settings: [[UInt8]] {
    channels.sorted { $0.key < $1.key }.flatMap { number, channel in
      channel.settings(UInt8(number), without: Self.ofParameters)
    }
  }
}

extension PlayedState.Channel {
  fileprivate mutating func control(_ number: UInt8, _ value: UInt8) {
    switch number {
    case 120, 123...127: held = []
    case 121:
      controllers = controllers.filter { PlayedState.lasting.contains($0.key) }
      (bend, pressure) = (nil, nil)
    default: break
    }
    guard number < 120 else { return }
    controllers[number] = value
    // Another kind of parameter is named from now on.
    if number == 98 || number == 99 { controllers[101] = 127 }
    let coarse = controllers[101] ?? 127
    let fine = controllers[100] ?? 127
    guard coarse < 127 else { return }
    let parameter = UInt16(coarse) << 7 | UInt16(fine)
    let before = parameters[parameter] ?? (0, 0)
    if number == 6 { parameters[parameter] = (value, before.1) }
    if number == 38 { parameters[parameter] = (before.0, value) }
  }

  fileprivate func settings(_ low: UInt8, without others: Set<UInt8>) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    for (number, value) in parameters.sorted(by: { $0.key < $1.key }) {
      messages += [
        [0xB0 | low, 101, UInt8(number >> 7)], [0xB0 | low, 100, UInt8(number & 0x7F)],
        [0xB0 | low, 6, value.0], [0xB0 | low, 38, value.1],
      ]
    }
    // Banks come before the program.
    for (number, value) in controllers.sorted(by: { $0.key < $1.key })
    where !others.contains(number) {
      messages.append([0xB0 | low, number, value])
    }
    if let program { messages.append([0xC0 | low, program]) }
    if let pressure { messages.append([0xD0 | low, pressure]) }
    if let bend { messages.append([0xE0 | low, bend.low, bend.high]) }
    return messages
  }
}
