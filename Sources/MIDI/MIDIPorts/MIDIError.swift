// The errors of MIDI objects, by Core MIDI's numbers.
// SPDX-License-Identifier: Apache-2.0

/// A refusal, with Core MIDI's number for it.
package struct MIDIError: Error, Equatable {
  /// The number.
  package let status: Int32

  private init(_ status: Int32) { self.status = status }

  /// A wrong argument: `paramErr`.
  package static let argument = MIDIError(-50)
  /// Not a client.
  package static let client = MIDIError(-10830)
  /// Not a port, or one of the other direction.
  package static let port = MIDIError(-10831)
  /// A source where a destination is needed, or the reverse.
  package static let endpointType = MIDIError(-10832)
  /// Not connected.
  package static let noConnection = MIDIError(-10833)
  /// Not an endpoint.
  package static let endpoint = MIDIError(-10834)
  /// A property that is not set.
  package static let property = MIDIError(-10835)
  /// A value of another type.
  package static let propertyType = MIDIError(-10836)
  /// A message could not be handed over.
  package static let send = MIDIError(-10838)
  /// The folder of ports cannot be used.
  package static let start = MIDIError(-10839)
  /// A setup that cannot be read.
  package static let setupFormat = MIDIError(-10840)
  /// No such object.
  package static let object = MIDIError(-10842)
  /// The unique number is in use.
  package static let notUnique = MIDIError(-10843)
  /// Somebody else's object.
  package static let notPermitted = MIDIError(-10844)
  /// Anything else.
  package static let unknown = MIDIError(-10845)
}
