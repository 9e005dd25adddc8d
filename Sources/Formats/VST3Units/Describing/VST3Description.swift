// The description of a plug-in: its buses, layouts, parameters, units and programs.
// SPDX-License-Identifier: Apache-2.0

internal import ForeignPlugIns

/// An audio bus.
struct VST3Bus: Equatable, Sendable {
  var name = ""
  var channelCount: UInt32 = 0
  /// The arrangement of its speakers in a fresh instance.
  var arrangement: UInt64 = 0
}

/// Arrangements of the first input and the first output bus that go together.
struct VST3Layout: Hashable, Sendable {
  var input: UInt64 = 0
  var output: UInt64 = 0
}

/// A unit of the tree of units, or a group of parameters.
struct VST3Group: Equatable, Sendable {
  var id: Int32 = 0
  var parent: Int32 = 0
  var name = ""
}

/// A parameter.
struct VST3Parameter: Equatable, Sendable {
  /// The relation between plain and normalised values.
  enum Shape: UInt8 {
    /// A straight line from `low` to `high`.
    case line
    /// A curve that rises or falls all the way.
    case curve
    /// None that is of use: plain values are the normalised ones.
    case none
  }

  /// The kinds of measured ranges that are of no use.
  enum RangeDefect: Equatable {
    case number
    case empty
    case inverted
  }

  var id: UInt32 = 0
  /// Bits of kVST3Parameter_….
  var flags: UInt32 = 0
  var name = ""
  /// The unit of measure as text.
  var units = ""
  /// The group; 0 for none.
  var group: Int32 = 0
  /// The number of steps; 0 for a continuous one.
  var steps: Int32 = 0
  /// The default, normalised.
  var defaultValue = 0.0
  /// The plain values of 0 and 1.
  var low = 0.0
  var high = 1.0
  /// The plain value of the default.
  var plainDefault = 0.0
  /// One of `Shape`.
  var shape: UInt8 = 0
  /// The texts of all values of a stepped parameter of few values; else empty.
  var valueNames: [String] = []
  /// The defect that was found when it was measured; not kept.
  var rangeDefect: RangeDefect?
  /// The plain value of 0 that was measured; not kept.
  var measuredLow = 0.0
}

/// All known facts on one plug-in.
struct VST3Description: Equatable, Sendable {
  /// The class of the component, 32 hexadecimal digits.
  var classID = ""
  var vendor = ""
  var name = ""
  /// The kinds that it says it is, such as "Fx" and "Delay".
  var categories: [String] = []
  var inputs: [VST3Bus] = []
  var outputs: [VST3Bus] = []
  /// Names of the inputs and outputs of events.
  var eventInputs: [String] = []
  var eventOutputs: [String] = []
  /// The arrangements that the first buses can have, those of a fresh instance first.
  var layouts: [VST3Layout] = []
  var parameters: [VST3Parameter] = []
  var groups: [VST3Group] = []
  /// Names of the programs of the root unit, in the order of the parameter that chooses them.
  var programs: [String] = []
  /// The identifier of that parameter; none without programs.
  var programParameter: UInt32?
  /// Classes whose states it reads as its own, 32 hexadecimal digits.
  var formerClasses: [String] = []
  /// Names of its interfaces beyond the common ones.
  var interfaces: [String] = []
  /// Whether notes can have expression of their own.
  var hasNoteExpression = false
}

extension ByteCoder {
  mutating func description(_ description: inout VST3Description) {
    text(&description.classID)
    text(&description.vendor)
    text(&description.name)
    for texts in [
      \VST3Description.categories, \.eventInputs, \.eventOutputs, \.programs, \.formerClasses,
      \.interfaces,
    ] { self.texts(&description[keyPath: texts]) }
    for buses in [\VST3Description.inputs, \.outputs] {
      list(&description[keyPath: buses], of: VST3Bus()) {
        $0.text(&$1.name)
        $0.number(&$1.channelCount)
        $0.number(&$1.arrangement)
      }
    }
    list(&description.layouts, of: VST3Layout()) {
      $0.number(&$1.input)
      $0.number(&$1.output)
    }
    list(&description.parameters, of: VST3Parameter()) { $0.parameter(&$1) }
    list(&description.groups, of: VST3Group()) {
      $0.number(&$1.id)
      $0.number(&$1.parent)
      $0.text(&$1.name)
    }
    optional(&description.programParameter, of: 0) { $0.number(&$1) }
    flag(&description.hasNoteExpression)
  }

  private mutating func parameter(_ parameter: inout VST3Parameter) {
    number(&parameter.id)
    number(&parameter.flags)
    text(&parameter.name)
    text(&parameter.units)
    number(&parameter.group)
    number(&parameter.steps)
    double(&parameter.defaultValue)
    double(&parameter.low)
    double(&parameter.high)
    double(&parameter.plainDefault)
    number(&parameter.shape)
    texts(&parameter.valueNames)
  }
}

extension VST3Description {
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
