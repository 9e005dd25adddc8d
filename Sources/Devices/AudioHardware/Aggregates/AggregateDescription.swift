// The parts of an aggregate device.
// SPDX-License-Identifier: Apache-2.0

/// Several devices that are used as one.
package struct AggregateDescription: Sendable, Equatable {
  /// One of the devices.
  package struct Part: Sendable, Equatable {
    /// The device's UID.
    package var uid: String
    /// A name within the aggregate; nil for the device's own name.
    package var name: String?
    /// Whether its speed follows the clock of the main device.
    package var compensatesDrift = false
    /// The filter for that, 0 to 127.
    package var quality: UInt32 = 64
    /// Further frames to be held back.
    package var extraInputLatency = 0.0
    /// Further frames to be held back.
    package var extraOutputLatency = 0.0

    /// Names a device that is not compensated for.
    package init(uid: String) { self.uid = uid }
  }

  /// The UID; empty for one that is made up.
  package var uid: String
  /// The name of the aggregate.
  package var name: String
  /// The devices in the order of their channels.
  package var parts: [Part]
  /// The UID of the device whose clock counts; nil for the first.
  package var mainUID: String?
  /// Whether its maker alone is to see it: kept, since no other process sees any.
  package var isPrivate = false

  /// Describes one.
  package init(uid: String, name: String, parts: [Part], mainUID: String? = nil) {
    self.uid = uid
    self.name = name
    self.parts = parts
    self.mainUID = mainUID
  }

  /// A device to play on and one to record from, the first of which is the clock.
  package static func pair(output: String, input: String) -> AggregateDescription {
    var second = Part(uid: input)
    second.compensatesDrift = true
    return AggregateDescription(
      uid: "", name: "\(input) to \(output)", parts: [Part(uid: output), second])
  }

  /// The parts, the one whose clock counts first.
  package var mainFirst: [Part] {
    let main = parts.firstIndex { $0.uid == mainUID } ?? parts.startIndex
    guard parts.indices.contains(main) else { return [] }
    return [parts[main]] + parts.indices.filter { $0 != main }.map { parts[$0] }
  }
}
