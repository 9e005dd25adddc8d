// The URIs of the LV2 vocabulary this module speaks.
// SPDX-License-Identifier: Apache-2.0

/// Names from the LV2 specifications, spelt once.
enum LV2Names {
  static let lv2 = "http://lv2plug.in/ns/"
  static let core = lv2 + "lv2core#"
  static let plugin = core + "Plugin"
  static let inputPort = core + "InputPort"
  static let outputPort = core + "OutputPort"
  static let audioPort = core + "AudioPort"
  static let controlPort = core + "ControlPort"
  static let cvPort = core + "CVPort"

  static let atomPort = "http://lv2plug.in/ns/ext/atom#AtomPort"
  static let atom = "http://lv2plug.in/ns/ext/atom#"
  static let eventPort = "http://lv2plug.in/ns/ext/event#EventPort"
  static let midiEvent = "http://lv2plug.in/ns/ext/midi#MidiEvent"
  static let preset = "http://lv2plug.in/ns/ext/presets#Preset"
  static let units = "http://lv2plug.in/ns/extensions/units#"
  static let portProps = "http://lv2plug.in/ns/ext/port-props#"
  static let portGroups = "http://lv2plug.in/ns/ext/port-groups#"
  static let resizePort = "http://lv2plug.in/ns/ext/resize-port#"
  static let bufSize = "http://lv2plug.in/ns/ext/buf-size#"
  static let draftUnits = "http://lv2plug.in/ns/extension/units#"
  static let draftPortProps = "http://lv2plug.in/ns/dev/extportinfo#"
  static let draftPortGroups = "http://lv2plug.in/ns/dev/port-groups#"
  static let options = "http://lv2plug.in/ns/ext/options#"
  static let parameters = "http://lv2plug.in/ns/ext/parameters#"
  static let state = "http://lv2plug.in/ns/ext/state#"
  static let worker = "http://lv2plug.in/ns/ext/worker#"
  static let log = "http://lv2plug.in/ns/ext/log#"
  static let urid = "http://lv2plug.in/ns/ext/urid#"

  static let patch = "http://lv2plug.in/ns/ext/patch#"
  static let time = "http://lv2plug.in/ns/ext/time#"
  static let midi = "http://lv2plug.in/ns/ext/midi#"
  static let event = "http://lv2plug.in/ns/ext/event"
  static let uriMap = "http://lv2plug.in/ns/ext/uri-map"
  static let instanceAccess = "http://lv2plug.in/ns/ext/instance-access"
  static let dataAccess = "http://lv2plug.in/ns/ext/data-access"
  static let programs = "http://kxstudio.sf.net/ns/lv2ext/programs#"

  static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  static let rdfs = "http://www.w3.org/2000/01/rdf-schema#"
  static let doap = "http://usefulinc.com/ns/doap#"
  static let foaf = "http://xmlns.com/foaf/0.1/"
}
