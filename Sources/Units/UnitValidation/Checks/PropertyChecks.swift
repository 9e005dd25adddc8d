// The rules of properties, formats, state and presets.
// SPDX-License-Identifier: Apache-2.0

extension ValidationCheck {
  static let required = ValidationCheck(
    "properties.required", level: 1, .error, "It has every property that units of its type have.",
    remedy: "answer the property in GetPropertyInfo and GetProperty")
  static let recommended = ValidationCheck(
    "properties.recommended", level: 1, .warning,
    "An effect reports its latency and tail and can be bypassed; an instrument reports its latency and "
      + "InstrumentCount.",
    remedy: "answer the property; 0 is a latency, and 0 is a tail")
  static let inputs = ValidationCheck(
    "properties.inputs", level: 1, .error, "Each input can be given a callback, and a connection.",
    remedy: "let SetRenderCallback and MakeConnection be written on every input")
  static let unknown = ValidationCheck(
    "properties.unknown", level: 1, .error, "A property that nobody has is refused.",
    remedy: "return kAudioUnitErr_InvalidProperty for what the unit does not know")
  static let size = ValidationCheck(
    "properties.size", level: 1, .error, "Lists have whole entries.",
    remedy: "return the size of the entry times their number")
  static let slice = ValidationCheck(
    "properties.slice", level: 1, .error, "MaximumFramesPerSlice can be set, and keeps its value.",
    remedy: "store what is set while the unit is not initialized")
  static let contextNames = ValidationCheck(
    "properties.names", level: 1, .error, "Names that a host sets are kept, and can be taken away.",
    remedy: "retain the string that is set, and accept none of size 0")
  static let offline = ValidationCheck(
    "properties.offline", level: 1, .error, "OfflineRender keeps what is set.",
    remedy: "store the value, or leave the property out")
  static let presentation = ValidationCheck(
    "properties.presentation-latency", level: 1, .error,
    "PresentationLatency, where it is there, can be set.", remedy: "let it be written")
  static let bypass = ValidationCheck(
    "properties.bypass", level: 1, .error, "BypassEffect, where it is there, keeps what is set.",
    remedy: "store the value that is set")
  static let mixerInputs = ValidationCheck(
    "properties.mixer-inputs", level: 1, .error, "The number of a mixer's inputs can be set.",
    remedy: "let ElementCount be written on the input scope")
  static let midiMappings = ValidationCheck(
    "properties.midi-mappings", level: 1, .error,
    "A MIDI mapping that is added is listed until it is removed.",
    remedy: "keep what AddParameterMIDIMapping brings, or leave the property out")
  static let cocoaView = ValidationCheck(
    "views.cocoa", level: 1, .error, "CocoaUI holds a place and at least one class.",
    remedy: "fill AudioUnitCocoaViewInfo, or leave the property out")
  static let icon = ValidationCheck(
    "views.icon", level: 1, .error, "IconLocation is a URL.",
    remedy: "return a CFURLRef, or leave the property out")
  static let hostCallbacks = ValidationCheck(
    "host.callbacks", level: 4, .error,
    "The host's functions can be set and taken away, and do not disturb rendering.",
    remedy: "copy as many bytes of HostCallbackInfo as are given")
  static let hostTime = ValidationCheck(
    "host.time", level: 4, .error,
    "It calls the host's functions while it renders, and never else.",
    remedy: "call them from Render alone, and forget them when they are taken away")

  static let ofProperties = [
    required, recommended, inputs, unknown, size, slice, contextNames, offline, presentation,
    bypass, midiMappings,
    mixerInputs, formatIsReported, defaultRate, defaultChannels, cocoaView, icon, hostCallbacks,
    hostTime,
  ]

  static let formatIsReported = ValidationCheck(
    "formats.told", level: 1, .error, "Each bus reports its format.",
    remedy: "answer StreamFormat on every element")
  static let defaultRate = ValidationCheck(
    "formats.rate", level: 1, .warning, "A fresh unit goes at 44,100 Hz.",
    remedy: "begin with 44,100 Hz on every bus")
  static let defaultChannels = ValidationCheck(
    "formats.channels", level: 1, .error,
    "A new unit has channel counts that it declares.",
    remedy: "begin with a pair of SupportedNumChannels")

  static let classInfo = ValidationCheck(
    "state.class-info", level: 1, .error, "ClassInfo is a dictionary.",
    remedy: "return a dictionary with version, type, subtype, manufacturer and the parameters")
  static let stateIdentity = ValidationCheck(
    "state.identity", level: 1, .error, "ClassInfo names the component that it is of.",
    remedy: "write version 0, and type, subtype and manufacturer of the description")
  static let stateSet = ValidationCheck(
    "state.set", level: 1, .error, "ClassInfo can be set again.",
    remedy: "accept the dictionary that the unit made itself")
  static let stateRestore = ValidationCheck(
    "state.restore", level: 5, .error,
    "A state that is saved brings back every parameter, in a fresh instance too.",
    remedy: "write every parameter into ClassInfo, and set them all from it")
  static let stateSound = ValidationCheck(
    "state.sound", level: 6, .warning, "A fresh instance with the same state sounds the same.",
    remedy: "write what the sound depends on besides parameters into ClassInfo")
  static let stateSame = ValidationCheck(
    "state.same", level: 8, .warning, "A state that is set is saved the same again.",
    remedy: "save what was restored, and nothing that goes with the time or the instance")

  static let presetName = ValidationCheck(
    "presets.name", level: 2, .error, "Factory presets have names.", remedy: "name each of them")
  static let presetNumber = ValidationCheck(
    "presets.number", level: 2, .error, "Factory presets have numbers of their own, from 0 up.",
    remedy: "number them 0, 1, 2 and so on")
  static let presetSelect = ValidationCheck(
    "presets.select", level: 2, .error, "Every factory preset can be chosen.",
    remedy: "accept each preset of the list as PresentPreset")
  static let presetPresent = ValidationCheck(
    "presets.present", level: 2, .error, "PresentPreset is the preset that was chosen.",
    remedy: "keep the number and name of the preset that was set")
  static let presetRange = ValidationCheck(
    "presets.range", level: 2, .error, "Factory presets keep to the ranges of the parameters.",
    remedy: "correct the values of the preset, or the range")
  static let presetRestore = ValidationCheck(
    "presets.restore", level: 6, .warning,
    "A factory preset that was saved in a state comes back with it.",
    remedy: "save what a preset sets besides its number")
  static let presetRetain = ValidationCheck(
    "presets.retain", level: 2, .warning,
    "The name of PresentPreset is retained for the host, which releases it.",
    remedy: "CFRetain the name before it is returned")

  static let ofState = [
    classInfo, stateIdentity, stateSet, stateRestore, stateSound, stateSame, presetName,
    presetNumber, presetSelect, presetPresent, presetRange, presetRetain, presetRestore,
  ]
}
