// The rules of VST3 plug-ins beyond those of all units: what they say, what they call, and what they do.
// SPDX-License-Identifier: Apache-2.0

internal import UnitValidation

/// The rules.
enum VST3Checks {
  // What a plug-in says.

  static let category = ValidationCheck(
    "vst3.category", level: 1, .warning,
    "The sub-categories begin with a main kind.",
    remedy: "begin with Fx, Instrument, Spatial, Analyzer or Ambisonics, as in \"Fx|Delay\"")
  static let factory = ValidationCheck(
    "vst3.factory", level: 1, .error, "The factory makes no class that it does not list.",
    remedy: "compare all 16 bytes in createInstance, and return kNoInterface for other classes")
  static let query = ValidationCheck(
    "vst3.query", level: 1, .error,
    "A question for an interface that no standard has is refused, and the pointer is null.",
    remedy: "set *obj to NULL and return kNoInterface at the end of queryInterface")
  static let indices = ValidationCheck(
    "vst3.indices", level: 1, .warning, "Buses and parameters beyond the last are refused.",
    remedy: "return kInvalidArgument for an index below zero or beyond the count")
  static let buses = ValidationCheck(
    "vst3.buses", level: 1, .error,
    "The first bus of a direction is the main one, and its arrangement has its channels.",
    remedy: "put the main bus first, and name the same channels in getBusInfo and getBusArrangement"
  )
  static let identifiers = ValidationCheck(
    "vst3.ids", level: 1, .error, "The id of a parameter is below 2147483648.",
    remedy: "choose another id: the upper half is the host's")
  static let titles = ValidationCheck(
    "vst3.titles", level: 1, .warning, "Each parameter has a title.",
    remedy: "write ParameterInfo.title")
  static let range = ValidationCheck(
    "vst3.range", level: 1, .error,
    "The range of a parameter is neither empty nor inverted, and its default is between 0 and 1.",
    remedy: "correct normalizedParamToPlain, or defaultNormalizedValue")
  static let initial = ValidationCheck(
    "vst3.default", level: 1, .warning, "A fresh instance has the defaults of its parameters.",
    remedy: "return defaultNormalizedValue from getParamNormalized until another value arrives")
  static let list = ValidationCheck(
    "vst3.list", level: 1, .warning, "A parameter that is a list has steps.",
    remedy: "write stepCount, or leave kIsList out")
  static let bypass = ValidationCheck(
    "vst3.bypass", level: 1, .warning,
    "One parameter at most is the bypass; it is a switch, and can be automated.",
    remedy: "write stepCount 1 and kCanAutomate at the parameter with kIsBypass")
  static let groups = ValidationCheck(
    "vst3.groups", level: 1, .error,
    "The unit of a parameter, and the parent of a unit, are units that there are.",
    remedy: "list the unit in IUnitInfo, or write kRootUnitId")
  static let conversion = ValidationCheck(
    "vst3.conversion", level: 2, .error,
    "A normalised value survives the way to a plain one and back.",
    remedy: "have plainParamToNormalized be the inverse of normalizedParamToPlain")
  static let texts = ValidationCheck(
    "vst3.texts", level: 2, .warning, "A value that is written as text is read back from it.",
    remedy: "have getParamValueByString read what getParamStringByValue writes")
  static let controller = ValidationCheck(
    "vst3.controller", level: 2, .warning, "The controller returns the value that it was set to.",
    remedy: "keep the value of setParamNormalized for getParamNormalized")
  static let clamp = ValidationCheck(
    "vst3.clamp", level: 2, .warning, "A value beyond 0 or 1 is bounded.",
    remedy: "bound the value of setParamNormalized")
  static let arrangements = ValidationCheck(
    "vst3.arrangements", level: 2, .error,
    "An arrangement that is accepted is the one that the bus then has.",
    remedy: "return kResultFalse for what is not supported, and getBusArrangement's truth after it")

  // What a plug-in calls.

  static let threads = ValidationCheck(
    "vst3.threads", level: 3, .error, "The handler is called on the main thread alone.",
    remedy: "send values by outputParameterChanges, and restarts from the controller")
  static let messages = ValidationCheck(
    "vst3.messages", level: 3, .warning, "Messages are sent on the main thread alone.",
    remedy: "put what process has to say into a queue, which a timer of the run loop empties")
  static let edits = ValidationCheck(
    "vst3.edits", level: 3, .warning,
    "An edit is of a parameter that there is, between 0 and 1, after beginEdit and before endEdit.",
    remedy: "call beginEdit, performEdit and endEdit with the id of a parameter")
  static let restarts = ValidationCheck(
    "vst3.restarts", level: 3, .error, "A restart has flags that there are.",
    remedy: "or RestartFlags together, and nothing else")
  static let latency = ValidationCheck(
    "vst3.latency", level: 3, .error, "A latency that changes is reported by kLatencyChanged.",
    remedy: "call restartComponent(kLatencyChanged) from the controller")

  // What a plug-in does.

  static let modes = ValidationCheck(
    "vst3.modes", level: 3, .error,
    "It can be set up for sound in real time and offline, unless its sub-categories say otherwise.",
    remedy: "accept kRealtime and kOffline in setupProcessing, or say OnlyRT or OnlyOfflineProcess")
  static let cycles = ValidationCheck(
    "vst3.cycles", level: 3, .error,
    "It can be stopped, set up for another rate and slice, and started again.",
    remedy: "free in setActive(0) what setActive(1) made, and nothing more")
  static let outputs = ValidationCheck(
    "vst3.outputs", level: 3, .error,
    "Values and events that it sends are of parameters and buses that there are, within the slice.",
    remedy: "send ids of parameters, values between 0 and 1, and offsets below numSamples")
  static let silence = ValidationCheck(
    "vst3.silence", level: 3, .error, "A channel that is marked as silent holds zeros.",
    remedy: "clear the bit in silenceFlags, or the channel")
  static let inputs = ValidationCheck(
    "vst3.inputs", level: 3, .warning, "The samples of inputs are left as they are.",
    remedy: "write to the outputs alone")
  static let inPlace = ValidationCheck(
    "vst3.in-place", level: 3, .error, "The sound in place is that in memory apart.",
    remedy: "read a frame of all inputs before it is written: a host may use one memory for both")
  static let flush = ValidationCheck(
    "vst3.flush", level: 3, .warning, "A value arrives by a call without frames and buses as well.",
    remedy: "read inputParameterChanges in process before numSamples is looked at")

  // States.

  static let foreignState = ValidationCheck(
    "vst3.state-foreign", level: 4, .warning, "A state of foreign bytes is refused.",
    remedy: "begin the state with a mark, and return kResultFalse from setState without it")
  static let stateSame = ValidationCheck(
    "vst3.state-same", level: 4, .error, "A state that is loaded is saved as the same bytes.",
    remedy: "save all that setState sets, and nothing that differs each time")
  static let statePieces = ValidationCheck(
    "vst3.state-pieces", level: 4, .warning, "A state is read from a stream in pieces of any size.",
    remedy: "read and write in a loop: a stream may move fewer bytes than it is asked for")
  static let stateValues = ValidationCheck(
    "vst3.state-values", level: 4, .error,
    "A value that a slice brought is in the state, and the controller reads it there.",
    remedy: "save the processor's values, and read them in setComponentState")

  /// All of them.
  static let all = [
    category, factory, query, indices, buses, identifiers, titles, range, initial, list, bypass,
    groups, conversion, texts, controller, clamp, arrangements, threads, messages, edits, restarts,
    latency, modes, cycles, outputs, silence, inputs, inPlace, flush, foreignState, stateSame,
    statePieces, stateValues,
  ]
}
