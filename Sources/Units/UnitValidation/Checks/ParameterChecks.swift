// The rules of parameters, notes and channels.
// SPDX-License-Identifier: Apache-2.0

extension ValidationCheck {
  static let parameterList = ValidationCheck(
    "parameters.list", level: 1, .error, "A scope lists each parameter once.",
    remedy: "give each parameter an id of its own")
  static let parameterInfo = ValidationCheck(
    "parameters.info", level: 1, .error, "Each parameter of the list is described.",
    remedy: "answer ParameterInfo for every id of ParameterList")
  static let parameterName = ValidationCheck(
    "parameters.name", level: 1, .error, "Each parameter has a name.",
    remedy: "fill name, or cfNameString with its flag")
  static let parameterRange = ValidationCheck(
    "parameters.range", level: 1, .error,
    "The minimum is less than the maximum, and both are finite.",
    remedy: "correct minValue and maxValue")
  static let parameterDefault = ValidationCheck(
    "parameters.default", level: 1, .error, "The default lies in the range.",
    remedy: "correct defaultValue")
  static let parameterInitial = ValidationCheck(
    "parameters.initial", level: 2, .warning, "A fresh unit has the defaults that it reports.",
    remedy: "begin with defaultValue")
  static let valueNames = ValidationCheck(
    "parameters.value-names", level: 1, .error,
    "An indexed parameter that names its values names each of them.",
    remedy: "return as many value strings as there are whole numbers in the range")
  static let clump = ValidationCheck(
    "parameters.clump", level: 1, .error, "A group of parameters has a name.",
    remedy: "answer ParameterClumpName for every clumpID")
  static let text = ValidationCheck(
    "parameters.text", level: 1, .error, "A value that the unit writes is not empty.",
    remedy: "write the value, or leave ParameterStringFromValue out")
  static let textRead = ValidationCheck(
    "parameters.text-read", level: 1, .error, "The unit reads the values that it writes.",
    remedy: "let ParameterValueFromString read what ParameterStringFromValue writes")
  static let parameterSet = ValidationCheck(
    "parameters.set", level: 2, .error, "Each parameter can be set to all of its range.",
    remedy: "accept every value from minValue to maxValue")
  static let parameterValue = ValidationCheck(
    "parameters.value", level: 2, .warning, "A parameter keeps the value that it is set to.",
    remedy: "store the value as it is; mark what goes in steps as indexed")
  static let parameterFinite = ValidationCheck(
    "parameters.finite", level: 2, .error, "Values are finite.",
    remedy: "never store what is no finite number")
  static let meta = ValidationCheck(
    "parameters.meta", level: 2, .error, "A parameter that changes others has a flag that says so.",
    remedy: "set kAudioUnitParameterFlag_IsGlobalMeta")
  static let keptByInitialize = ValidationCheck(
    "parameters.initialize", level: 2, .error, "Parameters keep their values over Initialize.",
    remedy: "set no parameter in Initialize")
  static let keptByReset = ValidationCheck(
    "parameters.reset", level: 2, .error, "Parameters keep their values over Reset.",
    remedy: "set no parameter in Reset")
  static let schedule = ValidationCheck(
    "parameters.schedule", level: 3, .error,
    "Changes and ramps can be scheduled, and rendering goes on with them.",
    remedy: "accept immediate events of every writable parameter, and ramps of those with CanRamp")
  static let scheduledValue = ValidationCheck(
    "parameters.scheduled-value", level: 3, .error,
    "A scheduled change leaves the value that it names.",
    remedy: "store the last value of a slice's events")
  static let offset = ValidationCheck(
    "parameters.offset", level: 6, .warning,
    "A change that is scheduled within a slice sounds as if a slice began at its frame.",
    remedy: "cut the slice where a scheduled value changes")
  static let curve = ValidationCheck(
    "parameters.curve", level: 7, .warning,
    "A curve of changes, one at each frame, sounds the same in slices of any length.",
    remedy: "apply each of a slice's events at its frame")

  static let ofParameters = [
    parameterList, parameterInfo, parameterName, parameterRange, parameterDefault, parameterInitial,
    valueNames, clump, text, textRead, parameterSet, parameterValue, parameterFinite, meta,
    keptByInitialize, keptByReset, schedule, scheduledValue, offset,
    curve,
  ]

  static let notesAnswer = ValidationCheck(
    "notes.answer", level: 1, .error, "A unit that plays notes answers MIDIEvent and SysEx.",
    remedy: "answer the selectors")
  static let notesRefuse = ValidationCheck(
    "notes.refuse", level: 1, .error, "An effect answers neither MIDIEvent nor SysEx.",
    remedy: "answer neither, or make it a music effect (aumf)")
  static let notesStatus = ValidationCheck(
    "notes.status", level: 3, .error, "Notes, controllers and bends are accepted while it renders.",
    remedy: "return noErr for every MIDI message; those it does not know do nothing")
  static let notesSound = ValidationCheck(
    "notes.sound", level: 3, .error, "Notes never make samples that are no finite numbers.",
    remedy: "bound what is computed of pitch and velocity")
  static let midiOutputs = ValidationCheck(
    "notes.outputs", level: 1, .error, "MIDI outputs have names.",
    remedy: "name each of MIDIOutputCallbackInfo")

  static let ofNotes = [notesAnswer, notesRefuse, notesStatus, notesSound, midiOutputs]

  static let channelsClaimed = ValidationCheck(
    "channels.claimed", level: 3, .error,
    "Every pair of channels that it names can be initialized.",
    remedy: "list no more in SupportedNumChannels than Initialize takes")
  static let channelsRender = ValidationCheck(
    "channels.render", level: 3, .error, "Every pair of channels that it names renders.",
    remedy: "render each pair of SupportedNumChannels")
  static let channelsUnclaimed = ValidationCheck(
    "channels.unclaimed", level: 3, .warning,
    "Pairs of channels that it does not name are refused.",
    remedy: "refuse them in SetProperty or Initialize, or list them in SupportedNumChannels")
  static let layout = ValidationCheck(
    "channels.layout", level: 3, .error, "The layout of a bus has as many channels as its format.",
    remedy: "change the layout with the format")
  static let layoutSet = ValidationCheck(
    "channels.layout-set", level: 3, .error,
    "A bus whose layout can be set takes each layout that it lists.",
    remedy: "accept every tag of SupportedChannelLayoutTags that has the channels of the format")
  static let layoutMissing = ValidationCheck(
    "channels.layout-missing", level: 3, .warning,
    "A source of more than two channels reports their layout.",
    remedy: "answer SupportedChannelLayoutTags on the output")

  static let ofChannels = [
    channelsClaimed, channelsRender, channelsUnclaimed, layout, layoutSet, layoutMissing,
  ]
}
