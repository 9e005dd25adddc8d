// A unit of this process that other programs can host, and the table of those that there are.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox
package import CUnitLink
import Synchronization

/// An output unit whose device may be a host in another process.
package protocol PublishedUnit: AnyObject, Sendable {
  /// Initializes the unit for a host, which is its device from here on; listeners learn of it.
  ///
  /// Context: control.
  func connect(to host: NodeHost) -> OSStatus

  /// Stops the unit, and returns it to its device.
  ///
  /// Context: control, when nothing renders for the host any more.
  func disconnect(from host: NodeHost)

  /// Prepares the thread that renders for hosts. Context: that thread, once.
  func beginRendering()

  /// Plays the MIDI of a slice. Context: the thread that renders for the host.
  func play(_ event: AuricleLinkEvent, _ bytes: UnsafePointer<UInt8>, frameCount: UInt32)

  /// Renders a slice; the samples are in the memory of the host.
  ///
  /// Context: the thread that renders for the host.
  func render(_ turn: AuricleLinkTurn, for host: NodeHost) -> (status: OSStatus, isSilent: Bool)

  /// Notifies listeners of a property that the host changed. Context: control.
  func hostChanged(_ property: AudioUnitPropertyID)

  /// The file of the present host's icon; nil without a host, or an icon.
  var hostIcon: String? { get }

  /// Passes a remote-control event of the host to the program. Context: control.
  func receive(_ event: UInt32)
}

/// The units of this process that can be published, by their handles.
package enum PublishedUnits {
  /// A unit that its owner keeps.
  private struct Entry {
    weak var unit: (any PublishedUnit)?
  }

  private static let units = Mutex<[UInt: Entry]>([:])

  /// Makes a unit known by its handle. Context: control.
  package static func add(_ unit: any PublishedUnit, handle: UInt) {
    units.withLock { $0[handle] = Entry(unit: unit) }
  }

  /// Forgets a unit, and ends what it is published as. Context: control.
  package static func remove(handle: UInt) {
    guard let unit = units.withLock({ $0.removeValue(forKey: handle) })?.unit else { return }
    NodeServer.shared.withdraw(unit)
  }

  /// The unit of a handle; nil for one that cannot be published. Context: control.
  package static func unit(handle: UInt) -> (any PublishedUnit)? {
    units.withLock { $0[handle]?.unit }
  }
}
