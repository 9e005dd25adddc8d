// The properties of a receiving unit.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import NetworkSound

extension NetReceive {
  static var properties: [CustomProperty<Self>] {
    CustomProperty<Self>.settings(settings) + [
      .text(
        kAUNetReceiveProperty_Hostname, get: { $0.state.control.settings.host },
        set: { (access, text) throws(UnitRefusal) in access.state.control.change(\.host, text) }),
      .text(
        kAUNetReceiveProperty_Password, get: { $0.state.control.settings.password },
        set: { (access, text) throws(UnitRefusal) in
          access.state.control.change(\.password, text)
        }),
      .bytes(
        kAUNetSendProperty_Disconnect, size: 4,
        get: { [$0.state.control.settings.isDisconnected ? UInt32(1) : 0].bytes },
        set: { (access, bytes) throws(UnitRefusal) in
          guard let number = UInt32(bytes) else {
            throw UnitRefusal(
              status: kAudioUnitErr_InvalidPropertyValue,
              reason: "to connect is 0, to disconnect is 1")
          }
          try setDisconnected(number != 0, access)
        }),
      .text(NetworkProperty.statistics, get: { $0.state.control.board.text }),
    ]
  }

  private static var settings: [NamedSetting<Self>] {
    [
      text("host", "sender", \.host), text("listen", "address to listen at", \.listens),
      text("from", "computer that may send", \.sender),
      NamedSetting(
        "sdp", name: "description", isPath: true,
        get: { $0.state.control.settings.description },
        set: { (access, path) throws(UnitRefusal) in
          access.state.control.change(\.description, path)
        }),
      .number(
        "latency", name: "latency", 1...2000, initial: 60,
        unit: kAudioUnitParameterUnit_Milliseconds,
        get: { $0.state.control.settings.latency },
        set: { (access, value) throws(UnitRefusal) in
          access.state.control.change(\.latency, value)
        }),
      NamedSetting(
        "password-file", name: "password file", isPath: true,
        get: { $0.state.control.settings.passwordFile },
        set: { (access, path) throws(UnitRefusal) in
          access.state.control.change(\.passwordFile, path)
        }),
      .toggle(
        "connect", name: "connect",
        get: { !$0.state.control.settings.isDisconnected },
        set: { (access, isOn) throws(UnitRefusal) in try setDisconnected(!isOn, access) }),
    ]
  }

  private static func text(
    _ symbol: String, _ name: String,
    _ path: any WritableKeyPath<ReceiveControl.Settings, String> & Sendable
  ) -> NamedSetting<Self> {
    NamedSetting(
      symbol, name: name, isPath: false, get: { $0.state.control.settings[keyPath: path] },
      set: { (access, text) throws(UnitRefusal) in access.state.control.change(path, text) })
  }

  /// Connects or disconnects; a kernel with the new link takes over at the next slice.
  private static func setDisconnected(
    _ isDisconnected: Bool, _ access: UnitAccess<Self>
  ) throws(UnitRefusal) {
    try access.state.control.setDisconnected(isDisconnected)
    try access.setState(access.state)
  }
}
