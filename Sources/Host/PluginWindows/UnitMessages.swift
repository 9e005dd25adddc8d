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
  ///   - type: Its type, as the plug-in's process numbers URIs.
  ///   - port: The number of the port.
  /// - Throws: `.usage` where the plug-in takes no messages there, or has no room for it.
  ///
  /// Context: control.
  package func sendToPlugIn(_ bytes: [UInt8], type: UInt32, port: UInt32) throws(AuricleError) {
    var message = LV2UnitMessage()
    (message.port, message.type, message.count) = (port, type, UInt32(bytes.count))
    let failure = unsafe bytes.withUnsafeBytes { memory -> AuricleError? in
      message.bytes = unsafe memory.baseAddress.map { UInt(bitPattern: $0) } ?? 0
      do throws(AuricleError) {
        try setProperty(LV2UnitMessage.id, message)
        return nil
      } catch { return error }
    }
    guard failure == nil else {
      throw AuricleError(
        .usage, "\(name) takes no message of \(bytes.count) bytes at its port \(port)")
    }
  }

  /// The next message of the plug-in's event ports; nil for none.
  ///
  /// Context: control.
  package func nextPlugInMessage() -> (port: UInt32, type: UInt32, bytes: [UInt8])? {
    guard let message = try? property(LV2UnitMessage.id, initial: LV2UnitMessage()),
      message.port != .max
    else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(
      start: UnsafeRawPointer(bitPattern: message.bytes), count: Int(message.count))
    return unsafe (message.port, message.type, Array(bytes))
  }
}
