// The rules of LV2 plug-ins beyond those of all units: their data files, and their binaries against these.
// SPDX-License-Identifier: Apache-2.0

internal import UnitValidation

/// The rules.
enum LV2Checks {
  static let name = ValidationCheck(
    "lv2.name", level: 1, .warning, "The data names the plug-in.", remedy: "write doap:name")
  static let license = ValidationCheck(
    "lv2.license", level: 1, .warning, "The data names a licence.", remedy: "write doap:license")
  static let symbol = ValidationCheck(
    "lv2.symbol", level: 1, .error, "Symbols of ports are their own, and names as in C.",
    remedy: "use letters, digits and _, no digit first, and each symbol once")
  static let bounds = ValidationCheck(
    "lv2.bounds", level: 1, .warning, "Control inputs have a default, a minimum and a maximum.",
    remedy: "write lv2:default, lv2:minimum and lv2:maximum")
  static let range = ValidationCheck(
    "lv2.range", level: 1, .error, "The minimum of a port is less than its maximum.",
    remedy: "correct lv2:minimum and lv2:maximum")
  static let defaultValue = ValidationCheck(
    "lv2.default", level: 1, .error, "The default of a port lies in its range.",
    remedy: "correct lv2:default, or the range")
  static let toggled = ValidationCheck(
    "lv2.toggled", level: 1, .warning, "A switch goes from 0 to 1.",
    remedy: "write 0 and 1 as the range of lv2:toggled ports")
  static let points = ValidationCheck(
    "lv2.scale-points", level: 1, .warning,
    "Named values lie in the range, and an enumeration has some.",
    remedy: "write an lv2:scalePoint for each value of the range")
  static let map = ValidationCheck(
    "lv2.map", level: 1, .warning, "A plug-in with messages or state requires urid:map.",
    remedy: "write lv2:requiredFeature urid:map")
  static let worker = ValidationCheck(
    "lv2.worker", level: 1, .error,
    "A plug-in with a worker takes worker:schedule, and one that does has a worker.",
    remedy: "write both lv2:extensionData work:interface and the feature work:schedule")
  static let extensionMissing = ValidationCheck(
    "lv2.extension-missing", level: 1, .error,
    "The binary answers every interface that the data names.",
    remedy: "return the interface from extension_data, or remove lv2:extensionData")
  static let extensionUntold = ValidationCheck(
    "lv2.extension-untold", level: 1, .warning,
    "The data names the interfaces that the binary answers: state, worker, options.",
    remedy: "write lv2:extensionData for it")
  static let kind = ValidationCheck(
    "lv2.class", level: 6, .warning, "The data says what kind of plug-in it is.",
    remedy: "write a class besides lv2:Plugin, such as lv2:ReverbPlugin")
  static let version = ValidationCheck(
    "lv2.version", level: 6, .warning, "The data has a version.",
    remedy: "write lv2:minorVersion and lv2:microVersion")

  static let direction = ValidationCheck(
    "lv2.port-class", level: 1, .error, "Each port is an input or an output, of one kind.",
    remedy: "write lv2:InputPort or lv2:OutputPort, and one of the kinds that hosts know")
  static let property = ValidationCheck(
    "lv2.port-property", level: 1, .warning, "Port properties of LV2's own names exist.",
    remedy: "check the name in the specification: hosts ignore unknown names")
  static let designation = ValidationCheck(
    "lv2.designation", level: 1, .warning,
    "A designation is that of one port, and of a port that can have it.",
    remedy:
      "leave it at one port: latency at an output, enabled and freeWheeling at inputs of control")
  static let integer = ValidationCheck(
    "lv2.integer", level: 1, .warning, "The range and default of a whole number are whole.",
    remedy: "correct them, or remove lv2:integer")
  static let logarithmic = ValidationCheck(
    "lv2.logarithmic", level: 1, .warning, "A logarithmic range lies on one side of 0.",
    remedy: "begin above 0, or remove pprops:logarithmic")
  static let feature = ValidationCheck(
    "lv2.feature", level: 1, .warning,
    "Features of LV2's own names exist, and are either required or optional.",
    remedy: "check the name in the specification, and write it once")
  static let interface = ValidationCheck(
    "lv2.extension-unknown", level: 1, .warning, "Interfaces of LV2's own names exist.",
    remedy: "check the name in the specification")
  static let options = ValidationCheck(
    "lv2.options", level: 1, .warning, "A plug-in with options takes options:options.",
    remedy: "write lv2:requiredFeature options:options")
  static let window = ValidationCheck(
    "lv2.ui", level: 1, .warning, "Each user interface has a type.",
    remedy: "write the class of its toolkit, such as ui:X11UI")
  static let className = ValidationCheck(
    "lv2.class-unknown", level: 1, .warning, "Classes of LV2's own names exist.",
    remedy: "check the name in the specification")
  static let replaced = ValidationCheck(
    "lv2.replaced", level: 6, .warning, "Nothing is used that another part of LV2 replaced.",
    remedy: "use atom ports instead of event ports, and urid:map instead of uri-map")
  static let maker = ValidationCheck(
    "lv2.maker", level: 6, .warning, "The data names who made it, or its project.",
    remedy: "write doap:maintainer or lv2:project, with a foaf:name or doap:name")
  static let exports = ValidationCheck(
    "lv2.exports", level: 6, .warning,
    "The binary defines nothing for others but the functions of LV2.",
    remedy: "compile with -fvisibility=hidden: symbols of one plug-in can replace those of another")

  /// All of them.
  static let all = [
    name, license, symbol, bounds, range, defaultValue, toggled, points, integer, logarithmic,
    direction, property, designation, map, worker, options, feature, interface, extensionMissing,
    extensionUntold, window, className, kind, version, replaced, maker, exports,
  ]
}
