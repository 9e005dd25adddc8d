// Notifications with objects, and sessions over the network.
// SPDX-License-Identifier: Apache-2.0

import CoreAudioTypes

extension MIDINotificationMessageID {
  /// The set-up is being made; sent on a Mac as a client starts.
  public static var msgInternalStart: MIDINotificationMessageID {
    unsafeBitCast(Int32(0x1000), to: MIDINotificationMessageID.self)
  }
}

extension MIDIObjectPropertyChangeNotification {
  /// The name of the property that changed, valid during the notification.
  public var propertyName: Unmanaged<CFString> {
    auricleUnmanaged(__propertyName) ?? .passUnretained("" as NSString)
  }
}

/// Notification of a changed session.
public let MIDINetworkNotificationSessionDidChange = "MIDINetworkNotificationSessionDidChange"
/// Notification of changed contacts.
public let MIDINetworkNotificationContactsDidChange = "MIDINetworkNotificationContactsDidChange"

/// The hosts that may connect to a session.
public enum MIDINetworkConnectionPolicy: UInt, Sendable {
  /// Nobody.
  case noOne = 0
  /// Hosts among the contacts.
  case hostsInContactList = 1
  /// Anybody.
  case anyone = 2
}

/// The session over the network of this machine; sessions are made by `auricle midi session`.
open class MIDINetworkSession: NSObject {
  nonisolated(unsafe) private static let shared = MIDINetworkSession()
  /// The session of this process.
  open class func `default`() -> MIDINetworkSession { shared }
  /// Whether the session is part of the network.
  open var isEnabled = false
  /// The hosts that may connect.
  open var connectionPolicy = MIDINetworkConnectionPolicy.noOne
  /// The source of a session that the program `auricle midi session` made, by its name; 0 without one.
  open func sourceEndpoint() -> MIDIEndpointRef {
    (0..<MIDIGetNumberOfSources()).map(MIDIGetSource).first { endpointName($0) == "Network" } ?? 0
  }
  /// The destination of a session that the program `auricle midi session` made, by its name; 0 without one.
  open func destinationEndpoint() -> MIDIEndpointRef {
    (0..<MIDIGetNumberOfDestinations()).map(MIDIGetDestination).first {
      endpointName($0) == "Network"
    } ?? 0
  }

  private func endpointName(_ endpoint: MIDIEndpointRef) -> String {
    var name: Unmanaged<CFString>?
    guard MIDIObjectGetStringProperty(endpoint, kMIDIPropertyName, &name) == noErr else {
      return ""
    }
    return name.map { String(describing: $0.takeRetainedValue()) } ?? ""
  }
}
