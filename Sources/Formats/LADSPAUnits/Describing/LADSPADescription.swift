// The description of a plug-in: its ports, and the additions of data files.
// SPDX-License-Identifier: Apache-2.0

internal import ForeignPlugIns

/// A named value of a control port, or a setting's value for a port.
struct LADSPAPoint: Equatable, Sendable {
  var value: Float
  var name: String
}

/// Values for ports under one name.
struct LADSPASetting: Equatable, Sendable {
  /// A port and its value.
  struct Value: Equatable, Sendable {
    var port: UInt32
    var value: Float
  }

  var name: String
  var values: [Value] = []
}

/// One port.
struct LADSPAPort: Equatable, Sendable {
  /// Bits of kLADSPAPort_….
  var kind: Int32 = 0
  var name = ""
  /// Bits of kLADSPAHint_….
  var hint: Int32 = 0
  /// The bounds as written; meaningless where the hint does not say so.
  var lower: Float = 0
  var upper: Float = 0
  /// The unit of measure that a data file names; empty for none.
  var unit = ""
  /// The values that a data file names, ascending.
  var points: [LADSPAPoint] = []
}

/// All known facts on one plug-in.
struct LADSPADescription: Equatable, Sendable {
  var label = ""
  var uniqueID: UInt64 = 0
  var name = ""
  /// Bits of kLADSPAProperty_….
  var properties: Int32 = 0
  var ports: [LADSPAPort] = []
  var settings: [LADSPASetting] = []
}

extension ByteCoder {
  mutating func description(_ description: inout LADSPADescription) {
    text(&description.label)
    number(&description.uniqueID)
    text(&description.name)
    number(&description.properties)
    list(&description.ports, of: LADSPAPort()) { coder, port in
      coder.number(&port.kind)
      coder.text(&port.name)
      coder.number(&port.hint)
      coder.float(&port.lower)
      coder.float(&port.upper)
      coder.text(&port.unit)
      coder.list(&port.points, of: LADSPAPoint(value: 0, name: "")) {
        $0.float(&$1.value)
        $0.text(&$1.name)
      }
    }
    list(&description.settings, of: LADSPASetting(name: "")) { coder, setting in
      coder.text(&setting.name)
      coder.list(&setting.values, of: LADSPASetting.Value(port: 0, value: 0)) {
        $0.number(&$1.port)
        $0.float(&$1.value)
      }
    }
  }
}

extension LADSPADescription {
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
