// Contents of data files: layouts of channels, numbers of every kind, drafts, ports that make no sense.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import LV2Units
import TestSupport
import Testing

/// No binary is needed: describing opens none.
@Suite struct LV2DataTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("auricle-lv2-data") }

  private func discover(_ body: String) throws -> ComponentDiscovery {
    try folder.write(
      """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      @prefix doap: <http://usefulinc.com/ns/doap#> .
      @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
      @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
      @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
      @prefix pg: <http://lv2plug.in/ns/ext/port-groups#> .
      @prefix units: <http://lv2plug.in/ns/extensions/units#> .
      <urn:test:data> a lv2:Plugin ; doap:name "Data" ; \(body) .
      """, to: "data.lv2/manifest.ttl")
    return LV2ComponentSource(searchPath: folder.path, cacheFolder: "").discover()
  }

  private func unit(_ body: String) throws -> AudioUnit {
    let discovery = try discover("lv2:binary <plugin.so> ; \(body)")
    return try #require(discovery.components.first, "\(discovery.problems)").instantiate()
  }

  /// Audio inputs with designations, and an output.
  private func ports(_ channels: [String], group: String) -> String {
    var list = channels.enumerated().map { index, channel in
      "[ a lv2:InputPort , lv2:AudioPort ; lv2:index \(index) ; lv2:symbol \"i\(index)\" ; "
        + "lv2:name \"I\" ; lv2:designation \(channel) ; pg:group <urn:test:group> ]"
    }
    list.append(
      "[ a lv2:OutputPort , lv2:AudioPort ; lv2:index \(channels.count) ; lv2:symbol \"o\" ; "
        + "lv2:name \"O\" ]")
    return "pg:mainInput <urn:test:group> ; lv2:port \(list.joined(separator: " , ")) .\n"
      + "<urn:test:group> a pg:InputGroup \(group) ; lv2:name \"In\" ; lv2:symbol \"in\""
  }

  @Test(arguments: [
    (kAudioChannelLayoutTag_Mono, "center", ", pg:MonoGroup"),
    (kAudioChannelLayoutTag_Stereo, "left right", ", pg:StereoGroup"),
    (kAudioChannelLayoutTag_MidSide, "center side", ", pg:MidSideGroup"),
    (kAudioChannelLayoutTag_ITU_2_1, "left right rearCenter", ", pg:ThreePointZeroGroup"),
    (kAudioChannelLayoutTag_MPEG_4_0_A, "left center right rearCenter", ", pg:FourPointZeroGroup"),
    (kAudioChannelLayoutTag_MPEG_5_0_A, "left center right rearLeft rearRight", ""),
    (
      kAudioChannelLayoutTag_MPEG_5_1_A,
      "left center right rearLeft rearRight lowFrequencyEffects", ", pg:FivePointOneGroup"
    ),
    (
      kAudioChannelLayoutTag_MPEG_5_1_A,
      "left center right sideLeft sideRight lowFrequencyEffects", ""
    ),
    (
      kAudioChannelLayoutTag_MPEG_6_1_A,
      "left center right sideLeft sideRight rearCenter lowFrequencyEffects", ""
    ),
    (
      kAudioChannelLayoutTag_MPEG_7_1_C,
      "left center right sideLeft sideRight rearLeft rearRight lowFrequencyEffects",
      ", pg:SevenPointOneGroup"
    ),
    (
      kAudioChannelLayoutTag_MPEG_7_1_A,
      "left centerLeft center centerRight right rearLeft rearRight lowFrequencyEffects", ""
    ),
    (kAudioChannelLayoutTag_HOA_ACN_SN3D | 4, "ACN0 ACN1 ACN2 ACN3", ""),
    (kAudioChannelLayoutTag_DiscreteInOrder | 3, "left left left", ""),
  ]) func groupsAreLayouts(tag: UInt32, channels: String, group: String) throws {
    let names = channels.split(separator: " ").map { "pg:\($0)" }
    let unit = try unit(ports(names, group: group))
    #expect(
      try unit.streamFormat(scope: kAudioUnitScope_Input, element: 0).channelCount == names.count)
    #expect(
      try unit.property(
        kAudioUnitProperty_SupportedChannelLayoutTags, scope: kAudioUnitScope_Input, as: UInt32.self
      )
        == tag)
  }

  @Test func aGroupBesideAnotherIsASideChain() throws {
    let unit = try unit(
      ports(["pg:left", "pg:right"], group: ", pg:StereoGroup").replacing(
        "lv2:symbol \"o\"",
        with: "lv2:symbol \"o\" ] , [ a lv2:InputPort , lv2:AudioPort ; lv2:index 3 ; "
          + "lv2:symbol \"s\" ; lv2:name \"S\" ; pg:group <urn:test:side>")
        + " .\n<urn:test:side> a pg:InputGroup , pg:MonoGroup ; lv2:name \"Key\" ; "
        + "lv2:symbol \"key\" ; pg:sideChainOf <urn:test:group>")
    #expect(unit.busCount(scope: kAudioUnitScope_Input) == 2)
    #expect(try unit.streamFormat(scope: kAudioUnitScope_Input, element: 1).channelCount == 1)
  }

  /// As the compressors and vocoders of Calf have it.
  @Test(arguments: [true, false])
  func inputsBesideTheMainGroupAreASideChain(isMainTold: Bool) throws {
    let keys = (3...4).map { index in
      " ] , [ a lv2:InputPort , lv2:AudioPort ; lv2:index \(index) ; lv2:symbol \"s\(index)\" ; "
        + "lv2:name \"S\""
    }
    let body = ports(["pg:left", "pg:right"], group: ", pg:StereoGroup").replacing(
      "lv2:symbol \"o\"", with: "lv2:symbol \"o\"" + keys.joined())
    let unit = try unit(
      isMainTold ? body : body.replacing("pg:mainInput <urn:test:group> ; ", with: ""))
    #expect(unit.busCount(scope: kAudioUnitScope_Input) == (isMainTold ? 2 : 1))
    for bus in UInt32(0)..<(isMainTold ? 2 : 1) {
      #expect(
        try unit.streamFormat(scope: kAudioUnitScope_Input, element: bus).channelCount
          == (isMainTold ? 2 : 4))
    }
  }

  @Test func severalGroupsAreBuses() throws {
    let inputs = ["a", "b"].flatMap { group in
      ["left", "right"].map { "pg:group <urn:test:\(group)> ; lv2:designation pg:\($0)" }
    }
    let list = inputs.enumerated().map { index, text in
      "[ a lv2:InputPort , lv2:AudioPort ; lv2:index \(index) ; lv2:symbol \"i\(index)\" ; "
        + "lv2:name \"I\" ; \(text) ]"
    }
    let unit = try unit(
      "lv2:port \(list.joined(separator: " , ")) .\n"
        + "<urn:test:a> a pg:StereoGroup ; lv2:name \"First\" ; lv2:symbol \"a\" .\n"
        + "<urn:test:b> a pg:StereoGroup ; lv2:name \"Second\" ; lv2:symbol \"b\"")
    #expect(unit.busCount(scope: kAudioUnitScope_Input) == 2)
    for bus in UInt32(0)..<2 {
      #expect(try unit.streamFormat(scope: kAudioUnitScope_Input, element: bus).channelCount == 2)
    }
    #expect(
      try unit.stringProperty(
        kAudioUnitProperty_ElementName, scope: kAudioUnitScope_Input, element: 1) == "Second")
  }

  private func control(_ text: String) throws -> UnitParameter {
    let unit = try unit(
      "lv2:port [ a lv2:InputPort , lv2:ControlPort ; lv2:index 0 ; lv2:symbol \"c\" ; "
        + "lv2:name \"C\" \(text) ]")
    return try #require(try unit.parameters().first)
  }

  @Test(
    arguments: [
      ("", 0, 1, 0), ("; lv2:default 3", 0, 3, 3), ("; lv2:minimum 2 ; lv2:maximum 5", 2, 5, 2),
      ("; lv2:default \"NaN\"^^xsd:float ; lv2:minimum -1 ; lv2:maximum 1", -1, 1, 0),
      ("; lv2:default 1e300 ; lv2:maximum \"INF\"^^xsd:double ; lv2:minimum -1e999", 0, 1, 0),
      ("; lv2:minimum 5 ; lv2:maximum -5 ; lv2:default 1", -5, 5, 1),
      ("; lv2:minimum 0 ; lv2:maximum 1 ; lv2:default 2", 0, 2, 2),
      ("; lv2:portProperty lv2:toggled", 0, 1, 0),
      (
        "; lv2:scalePoint [ rdfs:label \"A\" ; rdf:value -4 ] , [ rdfs:label \"B\" ; rdf:value 9 ]",
        -4, 9, 0
      ),
    ] as [(String, Float, Float, Float)]) func rangesAreMadeWhole(
      text: String, low: Float, high: Float, start: Float
    ) throws
  {
    let parameter = try control(text)
    #expect(
      parameter.minimum == low && parameter.maximum == high && parameter.defaultValue == start)
  }

  /// Names of drafts that plug-ins still have.
  @Test func draftsAreUnderstood() throws {
    let parameter = try control(
      "; lv2:minimum 1 ; lv2:maximum 10 ; lv2:default 2 ; "
        + "<http://lv2plug.in/ns/extension/units#unit> <http://lv2plug.in/ns/extension/units#hz> ; "
        + "lv2:portProperty <http://lv2plug.in/ns/dev/extportinfo#logarithmic>")
    #expect(parameter.unit == kAudioUnitParameterUnit_Hertz)
    #expect(parameter.isLogarithmic)
    let draft = "http://lv2plug.in/ns/dev/port-groups#"
    let channels = ["rightChannel", "leftChannel"].map { "<\(draft)\($0)>" }
    let unit = try unit(
      ports(channels, group: ", <\(draft)StereoGroup>")
        .replacing("pg:group", with: "<\(draft)inGroup>")
        .replacing("lv2:designation", with: "<\(draft)role>"))
    #expect(
      try unit.property(
        kAudioUnitProperty_SupportedChannelLayoutTags, scope: kAudioUnitScope_Input, as: UInt32.self
      )
        == kAudioChannelLayoutTag_Stereo)
  }

  @Test(arguments: [
    (
      "lv2:port [ a lv2:InputPort , lv2:AudioPort ; lv2:index 0 ; lv2:symbol \"a\" ] , "
        + "[ a lv2:OutputPort , lv2:AudioPort ; lv2:index 2 ; lv2:symbol \"b\" ]",
      "has no port 1, and one with the index 2"
    ),
    (
      "lv2:port [ a lv2:InputPort , lv2:AudioPort ; lv2:symbol \"a\" ]",
      "has no whole number as the index of its port \"a\""
    ),
    (
      "lv2:port [ a lv2:InputPort , lv2:AudioPort ; lv2:index 0.5 ; lv2:symbol \"a\" ]",
      "has no whole number as the index of its port \"a\""
    ),
    ("lv2:port [ a lv2:InputPort , lv2:AudioPort ; lv2:index 0 ]", "has no symbol for its port 0"),
    (
      "lv2:port [ a lv2:InputPort , lv2:AudioPort ; lv2:index 0 ; lv2:symbol \"a\" ] , "
        + "[ a lv2:OutputPort , lv2:AudioPort ; lv2:index 0 ; lv2:symbol \"b\" ]",
      "has two ports with the index 0, \"a\" and \"b\""
    ),
  ]) func portsThatMakeNoSenseAreNamed(ports: String, message: String) throws {
    let discovery = try discover("lv2:binary <plugin.so> ; \(ports)")
    #expect(discovery.components.isEmpty)
    #expect(discovery.problems.map(\.message) == ["<urn:test:data> \(message)"])
  }

  @Test func aBinaryElsewhereIsNamed() throws {
    let discovery = try discover("lv2:binary <http://example.org/plugin.so>")
    #expect(discovery.components.isEmpty)
    #expect(
      discovery.problems.first?.message.contains("which is no file of this machine") == true)
  }
}
