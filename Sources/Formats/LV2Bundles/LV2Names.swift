// The URIs of the LV2 vocabulary this module speaks.
// SPDX-License-Identifier: Apache-2.0

/// Names from the LV2 specifications, spelt once.
package enum LV2Names {
  /// The name of the format in lists.
  package static let format = "lv2"
  /// Prefix of the names of ns.
  package static let lv2 = "http://lv2plug.in/ns/"
  /// Prefix of the names of lv2core.
  package static let core = lv2 + "lv2core#"
  /// The class of plug-ins.
  package static let plugin = core + "Plugin"
  static let inputPort = core + "InputPort"
  /// The class of ports that a plug-in writes.
  package static let outputPort = core + "OutputPort"
  static let audioPort = core + "AudioPort"
  static let controlPort = core + "ControlPort"
  static let cvPort = core + "CVPort"

  static let atomPort = "http://lv2plug.in/ns/ext/atom#AtomPort"
  /// Prefix of the names of atom.
  package static let atom = "http://lv2plug.in/ns/ext/atom#"
  static let eventPort = "http://lv2plug.in/ns/ext/event#EventPort"
  /// The URI of MidiEvent.
  package static let midiEvent = "http://lv2plug.in/ns/ext/midi#MidiEvent"
  /// The URI of Preset.
  package static let preset = "http://lv2plug.in/ns/ext/presets#Preset"
  /// Prefix of the names of units.
  package static let units = "http://lv2plug.in/ns/extensions/units#"
  /// Prefix of the names of port-props.
  package static let portProps = "http://lv2plug.in/ns/ext/port-props#"
  static let portGroups = "http://lv2plug.in/ns/ext/port-groups#"
  /// Prefix of the names of resize-port.
  package static let resizePort = "http://lv2plug.in/ns/ext/resize-port#"
  /// Prefix of the names of buf-size.
  package static let bufSize = "http://lv2plug.in/ns/ext/buf-size#"
  static let draftUnits = "http://lv2plug.in/ns/extension/units#"
  static let draftPortProps = "http://lv2plug.in/ns/dev/extportinfo#"
  static let draftPortGroups = "http://lv2plug.in/ns/dev/port-groups#"
  /// Prefix of the names of options.
  package static let options = "http://lv2plug.in/ns/ext/options#"
  /// Prefix of the names of parameters.
  package static let parameters = "http://lv2plug.in/ns/ext/parameters#"
  /// Prefix of the names of state.
  package static let state = "http://lv2plug.in/ns/ext/state#"
  /// Prefix of the names of worker.
  package static let worker = "http://lv2plug.in/ns/ext/worker#"
  /// Prefix of the names of ui.
  package static let userInterfaces = "http://lv2plug.in/ns/extensions/ui#"
  /// Prefix of the names of log.
  package static let log = "http://lv2plug.in/ns/ext/log#"
  /// Prefix of the names of urid.
  package static let urid = "http://lv2plug.in/ns/ext/urid#"

  /// Prefix of the names of patch.
  package static let patch = "http://lv2plug.in/ns/ext/patch#"
  /// Prefix of the names of time.
  package static let time = "http://lv2plug.in/ns/ext/time#"
  /// Prefix of the names of midi.
  package static let midi = "http://lv2plug.in/ns/ext/midi#"
  /// The URI of event.
  package static let event = "http://lv2plug.in/ns/ext/event"
  /// The URI of uri-map.
  package static let uriMap = "http://lv2plug.in/ns/ext/uri-map"
  /// The URI of instance-access.
  package static let instanceAccess = "http://lv2plug.in/ns/ext/instance-access"
  /// The URI of data-access.
  package static let dataAccess = "http://lv2plug.in/ns/ext/data-access"
  /// Prefix of the names of programs.
  package static let programs = "http://kxstudio.sf.net/ns/lv2ext/programs#"

  static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  /// Prefix of the names of rdf-schema.
  package static let rdfs = "http://www.w3.org/2000/01/rdf-schema#"
  static let doap = "http://usefulinc.com/ns/doap#"
  static let foaf = "http://xmlns.com/foaf/0.1/"
}
