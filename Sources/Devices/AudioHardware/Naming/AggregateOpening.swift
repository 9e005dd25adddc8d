// From the parts of an aggregate device to an engine over the ports of all.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import CAudioToolbox

/// The ports of an aggregate device while they are opened.
package struct AggregateOpening {
  /// One device with its ports.
  package struct Member {
    /// The device's part of the aggregate.
    package var part: AggregateDescription.Part
    /// To the listener; nil for none.
    package var playback: (any PCMPort)?
    /// From the microphone; nil for none.
    package var capture: (any PCMPort)?
    /// Describes one.
    package init(
      _ part: AggregateDescription.Part, playback: (any PCMPort)?, capture: (any PCMPort)?
    ) {
      self.part = part
      self.playback = playback
      self.capture = capture
    }
  }

  private var followers: [DriftPort] = []

  /// Opens all devices and negotiates with them.
  ///
  /// - Parameter continues: Whether frames are appended to the files of the devices, instead of
  ///   replacing them.
  /// - Throws: The refusal of a device; `.unavailable` for an aggregate without any.
  ///
  /// Context: control.
  package static func engine(
    _ description: AggregateDescription,
    _ sides: (AggregateDescription.Part) -> DeviceSides,
    _ request: PCMRequest, deviceID: AudioObjectID = 0, clients: IOClients = IOClients(),
    continues: Bool = false
  ) throws(AuricleError) -> DeviceEngine {
    var members: [Member] = []
    var clock: (any DeviceClock)?
    for part in description.mainFirst {
      let wanted = sides(part)
      guard !wanted.isEmpty else { continue }
      let ports = try DeviceOpening.ports(part.uid, wanted, continues: continues)
      members.append(Member(part, playback: ports.playback, capture: ports.capture))
      clock = clock ?? ports.clock
    }
    let order = description.parts.map(\.uid)
    return try engine(
      members, order: order, clock: clock ?? SystemClock(), request, deviceID: deviceID,
      clients: clients)
  }

  /// Joins ports, those of the device whose clock counts first.
  ///
  /// - Parameter order: The devices' UIDs in the order of their channels.
  package static func engine(
    _ members: [Member], order: [String], clock: any DeviceClock, _ request: PCMRequest,
    deviceID: AudioObjectID = 0, clients: IOClients = IOClients()
  ) throws(AuricleError) -> DeviceEngine {
    guard let first = members.first, let main = first.playback ?? first.capture else {
      throw AuricleError(.unavailable, "the aggregate device has no device that is there")
    }
    var opening = AggregateOpening()
    var sides: [(uid: String, playback: (any PCMPort)?, capture: (any PCMPort)?)] = [
      (first.part.uid, first.playback, first.capture)
    ]
    for member in members.dropFirst() {
      sides.append(
        (
          member.part.uid,
          opening.follow(member.playback, main, clock, member.part, member.part.extraOutputLatency),
          opening.follow(member.capture, main, clock, member.part, member.part.extraInputLatency)
        ))
    }
    sides.sort { (order.firstIndex(of: $0.uid) ?? 0) < (order.firstIndex(of: $1.uid) ?? 0) }
    let engine = DeviceEngine(
      playback: join(sides.compactMap(\.playback)), capture: join(sides.compactMap(\.capture)),
      clock: clock, deviceID: deviceID, clients: clients)
    for follower in opening.followers {
      follower.onOverrun = { [unowned engine] in engine.followerRanOut() }
    }
    try engine.configure(output: request)
    return engine
  }

  private mutating func follow(
    _ port: (any PCMPort)?, _ main: any PCMPort, _ clock: any DeviceClock,
    _ part: AggregateDescription.Part, _ extraFrames: Double
  ) -> (any PCMPort)? {
    guard let port else { return nil }
    var traits = DriftPort.Traits()
    traits.compensates = part.compensatesDrift
    traits.quality = part.quality
    traits.extraFrames = max(0, extraFrames)
    let follower = DriftPort(port, following: main, clock: clock, traits: traits)
    followers.append(follower)
    return follower
  }

  private static func join(_ ports: [any PCMPort]) -> (any PCMPort)? {
    ports.count > 1 ? GroupPort(ports) : ports.first
  }
}
