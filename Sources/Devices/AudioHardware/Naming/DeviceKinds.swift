// The kinds of devices, by the names that they have.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes

/// The kinds of devices.
package enum DeviceKinds {
  /// Those with a word in front of their names.
  private static let prefixed: [any DeviceBackend.Type] = [FileDevice.self, NetworkDevice.self]

  /// Reads the name of a device of any kind: `hw:1,0`, `net:HOST`, `file:OUT.wav`.
  ///
  /// - Throws: `.usage` for a name without meaning.
  ///
  /// Context: any.
  package static func device(named name: String) throws(AuricleError) -> any DeviceBackend {
    for kind in prefixed {
      if let prefix = kind.prefix, name.hasPrefix(prefix) { return try kind.init(name) }
    }
    return try ALSADevice(name)
  }
}

extension DeviceProbe {
  /// Opens a device and reads its abilities.
  ///
  /// - Throws: The reason why it cannot be opened.
  ///
  /// Context: control; a sound server may need a second to answer.
  package init(_ name: String, _ direction: PCMDirection) throws(AuricleError) {
    self = try DeviceKinds.device(named: name).probe(direction)
  }
}
