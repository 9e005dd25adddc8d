// The properties of a sending unit.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleSDK
import CAudioToolbox
import NetworkSound

extension NetSend {
  static var properties: [CustomProperty<Self>] {
    CustomProperty<Self>.settings(settings) + formats + [
      .bytes(
        kAUNetSendProperty_PortNum, size: 4, get: { [$0.state.control.settings.port].bytes },
        set: { (access, bytes) throws(UnitRefusal) in
          try setPort(UInt32(bytes) ?? 0, access)
        }),
      .text(
        kAUNetSendProperty_ServiceName, get: { $0.state.control.settings.serviceName },
        set: { (access, text) throws(UnitRefusal) in
          guard !text.isEmpty, text.utf8.count <= 63 else {
            throw UnitRefusal(
              status: kAudioUnitErr_InvalidPropertyValue,
              reason: "the name of a service has 1 to 63 bytes")
          }
          access.state.control.change(\.serviceName, text)
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
      .text(
        kAUNetSendProperty_Password, get: { $0.state.control.settings.password },
        set: { (access, text) throws(UnitRefusal) in
          access.state.control.change(\.password, text)
        }),
      .text(NetworkProperty.statistics, get: { $0.state.control.board.text }),
      .text(NetworkProperty.description, get: { $0.state.control.description }),
    ]
  }

  private static var formats: [CustomProperty<Self>] {
    [
      .bytes(
        kAUNetSendProperty_TransmissionFormat,
        size: MemoryLayout<AudioStreamBasicDescription>.size,
        get: { [description($0)].bytes },
        set: { (access, bytes) throws(UnitRefusal) in
          guard bytes.count == MemoryLayout<AudioStreamBasicDescription>.size,
            let index = unsafe bytes.withUnsafeBytes({
              unsafe SendFormats.index(
                of: $0.loadUnaligned(as: AudioStreamBasicDescription.self),
                present: access.state.control.settings.formatIndex)
            })
          else {
            throw UnitRefusal(
              status: kAudioUnitErr_FormatNotSupported,
              reason: "the transmission format is none of float, 24 and 16 bits, Apple lossless, "
                + "µ-law, IMA4 and AAC")
          }
          try setFormat(index, access)
        }),
      .bytes(
        kAUNetSendProperty_TransmissionFormatIndex, size: 4,
        get: { [UInt32($0.state.control.settings.formatIndex)].bytes },
        set: { (access, bytes) throws(UnitRefusal) in
          try setFormat(Int(UInt32(bytes) ?? .max), access)
        }),
    ]
  }

  private static var settings: [NamedSetting<Self>] {
    [
      .number(
        "port", name: "port", 1...65_535, initial: Double(HostAndPort.usualPort), isWhole: true,
        get: { Double($0.state.control.settings.port) },
        set: { (access, port) throws(UnitRefusal) in try setPort(UInt32(port), access) }),
      .choice(
        "format", name: "format", SendFormats.words, initial: 0,
        get: { $0.state.control.settings.formatIndex },
        set: { (access, index) throws(UnitRefusal) in try setFormat(index, access) }),
      text("name", "service name", \.serviceName),
      text("listen", "address to listen at", \.listens),
      text("to", "hosts for plain RTP", \.destinations),
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
    _ path: any WritableKeyPath<SendControl.Settings, String> & Sendable
  ) -> NamedSetting<Self> {
    NamedSetting(
      symbol, name: name, isPath: false, get: { $0.state.control.settings[keyPath: path] },
      set: { (access, text) throws(UnitRefusal) in access.state.control.change(path, text) })
  }

  private static func description(_ access: UnitAccess<Self>) -> AudioStreamBasicDescription {
    let index = access.state.control.settings.formatIndex
    guard
      let format = try? SendFormats.format(index, sampleRate: access.sampleRate, channelCount: 2)
    else { return AudioStreamBasicDescription() }
    return format.description
  }

  private static func setPort(_ port: UInt32, _ access: UnitAccess<Self>) throws(UnitRefusal) {
    guard (1...65_535).contains(port) else {
      throw UnitRefusal(
        status: kAudioUnitErr_InvalidPropertyValue, reason: "a port is 1 to 65535, not \(port)")
    }
    access.state.control.change(\.port, port)
  }

  private static func setFormat(_ index: Int, _ access: UnitAccess<Self>) throws(UnitRefusal) {
    let format = try SendFormats.format(
      index, sampleRate: access.sampleRate, channelCount: 2)
    if let reason = format.absence {
      throw UnitRefusal(status: kAudioUnitErr_FormatNotSupported, reason: reason)
    }
    access.state.control.change(\.formatIndex, index)
  }

  /// Connects or disconnects; a kernel with the new link takes over at the next slice.
  private static func setDisconnected(
    _ isDisconnected: Bool, _ access: UnitAccess<Self>
  ) throws(UnitRefusal) {
    try access.state.control.setDisconnected(isDisconnected)
    try access.setState(access.state)
  }
}
