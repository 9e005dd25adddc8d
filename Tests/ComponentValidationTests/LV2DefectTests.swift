// Each LV2 plug-in with one defect, in its data or its binary: the validator names that, and nothing else.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A plug-in of the fixture, the defect in its data, and the rule that it breaks.
struct LV2Defect: Sendable, CustomTestStringConvertible {
  var name: String
  var check: String
  /// Text of the data, and its replacement.
  var change: (from: String, to: String)?

  init(_ name: String, _ check: String, _ from: String? = nil, _ to: String = "") {
    self.name = name
    self.check = check
    change = from.map { ($0, to) }
  }

  var uri: String { "urn:auricle:defect:\(name)" }
  var testDescription: String { "\(name): \(check.isEmpty ? "sound" : check)" }

  /// The data, as a whole manifest.
  var data: String {
    let sound = """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      @prefix doap: <http://usefulinc.com/ns/doap#> .
      @prefix foaf: <http://xmlns.com/foaf/0.1/> .
      @prefix opts: <http://lv2plug.in/ns/ext/options#> .
      @prefix pprops: <http://lv2plug.in/ns/ext/port-props#> .
      @prefix ui: <http://lv2plug.in/ns/extensions/ui#> .
      @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
      @prefix urid: <http://lv2plug.in/ns/ext/urid#> .
      @prefix state: <http://lv2plug.in/ns/ext/state#> .
      @prefix work: <http://lv2plug.in/ns/ext/worker#> .
      <\(uri)> a lv2:Plugin, lv2:AmplifierPlugin ; lv2:binary <plugin.so> ;
        doap:name "Amplifier" ; doap:license <http://opensource.org/licenses/isc> ;
        doap:maintainer [ foaf:name "Demo" ] ;
        lv2:optionalFeature lv2:hardRTCapable ; lv2:minorVersion 2 ; lv2:microVersion 4 ;
        lv2:port [ a lv2:InputPort, lv2:AudioPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
        [ a lv2:OutputPort, lv2:AudioPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] ,
        [ a lv2:InputPort, lv2:ControlPort ; lv2:index 2 ; lv2:symbol "gain" ; lv2:name "Gain" ;
          lv2:default 1 ; lv2:minimum 0 ; lv2:maximum 2 ] .

      """
    return change.map { sound.replacingOccurrences(of: $0.from, with: $0.to) } ?? sound
  }
}

@Suite struct LV2DefectTests {
  private static let feature = "lv2:optionalFeature lv2:hardRTCapable ;"

  static let defects: [LV2Defect] = [
    .init("good", ""), .init("name", "lv2.name", "doap:name \"Amplifier\" ;"),
    .init("license", "lv2.license", "doap:license <http://opensource.org/licenses/isc> ;"),
    .init("symbol", "lv2.symbol", "\"gain\"", "\"the gain\""),
    .init("bounds", "lv2.bounds", "lv2:default 1 ;"),
    .init("range", "lv2.range", "lv2:maximum 2", "lv2:maximum 0"),
    .init("default", "lv2.default", "lv2:default 1 ;", "lv2:default 3 ;"),
    .init(
      "toggled", "lv2.toggled", "lv2:default 1 ;", "lv2:default 1 ; lv2:portProperty lv2:toggled ;"),
    .init(
      "points", "lv2.scale-points", "lv2:default 1 ;",
      "lv2:default 1 ; lv2:scalePoint [ rdfs:label \"Far\" ; <http://www.w3.org/1999/02/22-rdf-syntax-ns#value> 9 ] ;"
    ),
    .init("map", "lv2.map", feature, feature + " lv2:extensionData state:interface ;"),
    .init(
      "worker", "lv2.worker", feature, feature + " lv2:requiredFeature work:schedule ;"),
    .init(
      "missing", "lv2.extension-missing", feature,
      feature + " lv2:requiredFeature urid:map ; lv2:extensionData state:interface ;"),
    .init("class", "lv2.class", ", lv2:AmplifierPlugin"),
    .init("version", "lv2.version", "lv2:minorVersion 2 ; lv2:microVersion 4 ;"),
    .init("untold", "lv2.extension-untold"), .init("crash", "life.crash"),
    .init("nan", "rendering.finite"), .init("hang", "life.hang"),
    .init("memory", "realtime.memory"), .init("exit", "life.exit"),
    .init("blank", "", "lv2:default 1 ;", "lv2:default 1 ; lv2:scalePoint \(blank) ;"),
    .init(
      "button", "", "lv2:maximum 2 ]", "lv2:maximum 2 ] , \(port(3, "lv2:toggled, \(trigger)"))"),
    .init("switches", "", "lv2:maximum 2 ]", "lv2:maximum 2 ] , \(switches)"),
    .init("mixer", "", "lv2:AmplifierPlugin", "lv2:MixerPlugin"),
    .init(
      "direction", "lv2.port-class", "lv2:maximum 2 ]",
      "lv2:maximum 2 ] , [ a lv2:ControlPort ; lv2:index 3 ; lv2:symbol \"s\" ; lv2:name \"S\" ]"),
    .init(
      "property", "lv2.port-property", "lv2:default 1 ;",
      "lv2:default 1 ; lv2:portProperty pprops:logaritmic ;"),
    .init("twice", "lv2.designation", "lv2:maximum 2 ]", "lv2:maximum 2 ] , \(enabledTwice)"),
    .init(
      "latency", "lv2.designation", "lv2:default 1 ;",
      "lv2:default 1 ; lv2:designation lv2:latency ;"),
    .init(
      "integer", "lv2.integer", "lv2:default 1 ;",
      "lv2:default 0.5 ; lv2:portProperty lv2:integer ;"),
    .init(
      "log", "lv2.logarithmic", "lv2:default 1 ;",
      "lv2:default 1 ; lv2:portProperty pprops:logarithmic ;"),
    .init("feature", "lv2.feature", feature, "lv2:optionalFeature lv2:hardRtCapable ;"),
    .init("both", "lv2.feature", feature, feature + " lv2:requiredFeature lv2:hardRTCapable ;"),
    .init(
      "interface", "lv2.extension-unknown", feature, feature + " lv2:extensionData ui:idle ;"),
    .init(
      "options", "lv2.options", feature,
      feature + " lv2:requiredFeature urid:map ; opts:supportedOption <urn:auricle:option> ;"),
    .init("window", "lv2.ui", feature, feature + " ui:ui <urn:auricle:window> ;"),
    .init("kind", "lv2.class-unknown", "lv2:AmplifierPlugin", "lv2:AmplifierPlugn"),
    .init(
      "old", "lv2.replaced", feature,
      feature + " lv2:optionalFeature <http://lv2plug.in/ns/ext/uri-map> ;"),
    .init("maker", "lv2.maker", "doap:maintainer [ foaf:name \"Demo\" ] ;"),
    .init("exports", "lv2.exports"),
  ]

  private static let trigger = "<http://lv2plug.in/ns/ext/port-props#trigger>"
  private static let blank =
    "[ rdfs:label \" \" ; <http://www.w3.org/1999/02/22-rdf-syntax-ns#value> 1 ]"
  private static let switches = (3...8).map { port($0, "lv2:toggled") }.joined(separator: " , ")

  private static let enabledTwice = (3...4).map {
    port($0, "lv2:toggled ; lv2:designation lv2:enabled")
  }.joined(separator: " , ")

  /// A switch, in Turtle.
  private static func port(_ index: Int, _ properties: String) -> String {
    """
    [ a lv2:InputPort, lv2:ControlPort ; lv2:index \(index) ; lv2:symbol "s\(index)" ; lv2:name "S" ;
      lv2:default 0 ; lv2:minimum 0 ; lv2:maximum 1 ; lv2:portProperty \(properties) ]
    """
  }

  private static let found = Result<[String: [String]], any Error> {
    let folder = try TemporaryFolder("auricle-lv2-defects")
    let place = Places.inPackage("Tests/Fixtures/DefectLV2/plugin.c")
    for defect in defects {
      let bundle = "\(defect.name).lv2"
      try folder.makeFolder(bundle)
      try folder.write(defect.data, to: bundle + "/manifest.ttl")
    }
    try DefectUnitFixture.compile([place], to: folder("plugin.so"), ["-lm"])
    try DefectUnitFixture.compile([place], to: folder("exports.so"), ["-lm", "-DAURICLE_EXPORTS"])
    for defect in defects {
      try FileManager.default.copyItem(
        atPath: folder(defect.name == "exports" ? "exports.so" : "plugin.so"),
        toPath: folder("\(defect.name).lv2/plugin.so"))
    }
    let environment = ["LV2_PATH": folder.path, "XDG_CACHE_HOME": folder("cache")]
    let found = try ValidateCall.run(
      ["--lv2", "--level", "8", "--timeout", "40"], environment: environment)
    // The host's own remains would be blamed on the plug-in, at level 10.
    let lives = try ValidateCall.run(
      ["urn:auricle:defect:switches", "--level", "10"], environment: environment)
    return found.merging(lives) { $1 }
  }

  @Test("the one defect of a plug-in is named", arguments: defects)
  func names(_ defect: LV2Defect) throws {
    let found = try #require(Self.found.get()[defect.uri])
    #expect(found == (defect.check.isEmpty ? [] : [defect.check]))
  }
}
