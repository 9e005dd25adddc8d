// The description of a plug-in: its ports, parameters and extensions.
// SPDX-License-Identifier: Apache-2.0

internal import ForeignPlugIns

/// An audio port: a bus of the unit.
struct CLAPBus: Equatable, Sendable {
  var name = ""
  var channelCount: UInt32 = 0
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
  /// The default as text.
  var text = ""
  /// The texts of all values of a stepped parameter of few values; else empty.
  var valueNames: [String] = []
}

/// All that is known of one plug-in.
struct CLAPDescription: Equatable, Sendable {
  var id = ""
  var features: [String] = []
  var inputs: [CLAPBus] = []
  var outputs: [CLAPBus] = []
  var noteInputs: [CLAPNotePort] = []
  var noteOutputs: [CLAPNotePort] = []
  var parameters: [CLAPParameter] = []
  var hasState = false
  var hasTail = false
}

extension ByteCoder {
  mutating func description(_ description: inout CLAPDescription) {
    text(&description.id)
    texts(&description.features)
    for bus in [\CLAPDescription.inputs, \.outputs] {
      list(&description[keyPath: bus], of: CLAPBus()) {
        $0.text(&$1.name)
        $0.number(&$1.channelCount)
      }
    }
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
      coder.text(&parameter.text)
      coder.texts(&parameter.valueNames)
    }
    flag(&description.hasState)
    flag(&description.hasTail)
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
  init?(_ bytes: [UInt8]) {
    self.init()
    var coder = ByteCoder(bytes[...])
    coder.description(&self)
    guard coder.isComplete else { return nil }
  }
}
