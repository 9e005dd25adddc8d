// The description of a plug-in: its ports, parameters and extensions.
// SPDX-License-Identifier: Apache-2.0

internal import ForeignPlugIns

/// An audio port: a bus of the unit.
struct CLAPBus: Equatable, Sendable {
  var id: UInt32 = 0
  var name = ""
  var channelCount: UInt32 = 0
  /// Whether it is the main port of its direction.
  var isMain = false
  /// The channel layout, a kAudioChannelLayoutTag_… code; 0 where the port says no more than a number of channels.
  var layoutTag: UInt32 = 0
  /// The port of the other direction that may have its memory; kCLAPPort_None for none.
  var pair: UInt32 = 0xFFFF_FFFF
}

/// One of the layouts of ports that a plug-in offers.
struct CLAPPorts: Equatable, Sendable {
  /// Its identifier; nil for the layout of a plug-in that offers no others.
  var id: UInt32?
  var inputs: [CLAPBus] = []
  var outputs: [CLAPBus] = []
}

/// The name of a key; -1 means any port, channel or key.
struct CLAPKeyName: Equatable, Sendable {
  var name = ""
  var port: Int16 = -1
  var channel: Int16 = -1
  var key: Int16 = -1
}

/// A preset that the file's own provider found.
struct CLAPPreset: Equatable, Sendable {
  var name = ""
  /// kCLAPLocation_….
  var kind: UInt32 = 0
  /// The file; empty for a preset inside of the plug-in.
  var location = ""
  /// The preset in its container; nil for the only one of a file.
  var key: String?
}

/// A port for notes.
struct CLAPNotePort: Equatable, Sendable {
  var name = ""
  /// The dialects that it knows, bits of kCLAPDialect_….
  var dialects: UInt32 = 0
  /// The dialect that it likes best.
  var preferred: UInt32 = 0
}

/// A parameter.
struct CLAPParameter: Equatable, Sendable {
  var id: UInt32 = 0
  /// Bits of kCLAPParameter_….
  var flags: UInt32 = 0
  var name = ""
  /// The path of its group; empty for none.
  var module = ""
  var minimum = 0.0
  var maximum = 0.0
  var defaultValue = 0.0
  /// The value of a fresh instance, which some plug-ins have another of.
  var initialValue = 0.0
  /// The default as text.
  var text = ""
  /// The texts of all values of a stepped parameter of few values; else empty.
  var valueNames: [String] = []
}

/// All known facts on one plug-in.
struct CLAPDescription: Equatable, Sendable {
  var id = ""
  var features: [String] = []
  /// The layout of ports of a fresh instance.
  var ports = CLAPPorts()
  /// All layouts of a plug-in that offers several; else empty.
  var configurations: [CLAPPorts] = []
  var noteInputs: [CLAPNotePort] = []
  var noteOutputs: [CLAPNotePort] = []
  var parameters: [CLAPParameter] = []
  /// Its extensions, as far as this host knows them.
  var extensions: [String] = []
  var keyNames: [CLAPKeyName] = []
  /// The most voices that it plays at a time; nil when it has no answer.
  var voiceCapacity: UInt32?
  var presets: [CLAPPreset] = []

  /// Whether it has an extension, under the name of the standard.
  func has(_ name: String) -> Bool { extensions.contains(name) }
}

extension ByteCoder {
  mutating func description(_ description: inout CLAPDescription) {
    text(&description.id)
    texts(&description.features)
    ports(&description.ports)
    list(&description.configurations, of: CLAPPorts()) { $0.ports(&$1) }
    for port in [\CLAPDescription.noteInputs, \.noteOutputs] {
      list(&description[keyPath: port], of: CLAPNotePort()) {
        $0.text(&$1.name)
        $0.number(&$1.dialects)
        $0.number(&$1.preferred)
      }
    }
    list(&description.parameters, of: CLAPParameter()) { coder, parameter in
      coder.number(&parameter.id)
      coder.number(&parameter.flags)
      coder.text(&parameter.name)
      coder.text(&parameter.module)
      coder.double(&parameter.minimum)
      coder.double(&parameter.maximum)
      coder.double(&parameter.defaultValue)
      coder.double(&parameter.initialValue)
      coder.text(&parameter.text)
      coder.texts(&parameter.valueNames)
    }
    texts(&description.extensions)
    list(&description.keyNames, of: CLAPKeyName()) { coder, entry in
      coder.text(&entry.name)
      coder.number(&entry.port)
      coder.number(&entry.channel)
      coder.number(&entry.key)
    }
    optional(&description.voiceCapacity, of: 0) { $0.number(&$1) }
    list(&description.presets, of: CLAPPreset()) { coder, preset in
      coder.text(&preset.name)
      coder.number(&preset.kind)
      coder.text(&preset.location)
      coder.optional(&preset.key, of: "") { $0.text(&$1) }
    }
  }

  private mutating func ports(_ ports: inout CLAPPorts) {
    optional(&ports.id, of: 0) { $0.number(&$1) }
    for buses in [\CLAPPorts.inputs, \.outputs] {
      list(&ports[keyPath: buses], of: CLAPBus()) { coder, bus in
        coder.number(&bus.id)
        coder.text(&bus.name)
        coder.number(&bus.channelCount)
        coder.flag(&bus.isMain)
        coder.number(&bus.layoutTag)
        coder.number(&bus.pair)
      }
    }
  }
}

extension CLAPDescription {
  /// The bytes of the description.
  var encoded: [UInt8] {
    var copy = self
    var coder = ByteCoder()
    coder.description(&copy)
    return Array(coder.bytes)
  }

  /// The description in bytes; nil when they are damaged.
  init?(_ bytes: ArraySlice<UInt8>) {
    self.init()
    var coder = ByteCoder(bytes)
    coder.description(&self)
    guard coder.isComplete else { return nil }
  }
}
