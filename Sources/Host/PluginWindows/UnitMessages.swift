// Messages of event ports to and from a unit's plug-in.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import AudioUnits
import LV2Units

extension AudioUnit {
  /// Sends a message to an event port of the plug-in.
  ///
  /// - Parameters:
  ///   - bytes: The body of the atom.
  ///   - type: The number of its type.
  ///   - port: The number of the port.
  /// - Throws: `.usage` where the plug-in takes no messages there, or has no room for it.
  ///
  /// Context: control.
  package func sendToPlugIn(_ bytes: [UInt8], type: UInt32, port: UInt32) throws(AuricleError) {
    var message: [UInt8] = []
    for number in [port, type] {
      unsafe withUnsafeBytes(of: number) { unsafe message.append(contentsOf: $0) }
    }
    message += bytes
    do throws(AuricleError) { try setPropertyArray(LV2UnitMessage.id, message) } catch {
      throw AuricleError(
        .usage, "\(name) takes no message of \(bytes.count) bytes at its port \(port)")
    }
  }

  /// The next message of the plug-in's event ports; nil for none.
  ///
  /// Context: control.
  package func nextPlugInMessage() -> (port: UInt32, type: UInt32, bytes: [UInt8])? {
    guard let message = try? propertyArray(LV2UnitMessage.id, of: UInt8.self),
      message.count >= LV2UnitMessage.headerSize
    else { return nil }
    return unsafe message.withUnsafeBytes { memory in
      unsafe (
        memory.loadUnaligned(as: UInt32.self),
        memory.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
        Array(memory.dropFirst(LV2UnitMessage.headerSize))
      )
    }
  }

  /// The number of a URI, which the plug-in's process knows from here on, and the one that replaces it.
  ///
  /// Context: control.
  package func plugInNumber(of uri: String) -> UInt32 {
    let number = LV2Numbers.number(of: uri)
    // One without event ports receives no message that the number may be in.
    try? setPropertyArray(LV2UnitMessage.uriID, element: number, Array(uri.utf8))
    return number
  }

  /// The URI of a number of the plug-in; nil for none.
  ///
  /// Context: control.
  package func plugInURI(of number: UInt32) -> String? {
    let bytes = try? propertyArray(LV2UnitMessage.uriID, element: number, of: UInt8.self)
    return bytes.flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
  }
}
