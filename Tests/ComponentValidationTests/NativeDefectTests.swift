// Each native unit with one defect: the validator names that, and nothing else.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A unit, and the one rule that it breaks; "" for none.
struct NativeDefect: Sendable, CustomTestStringConvertible {
  var subtype: String
  var check: String
  var type = "aufx"

  init(_ subtype: String, _ check: String, type: String = "aufx") {
    self.subtype = subtype
    self.check = check
    self.type = type
  }

  var unit: String { "\(type):\(subtype):\(subtype == "mnfc" ? "aute" : "AuTe")" }
  var testDescription: String { "\(subtype): \(check.isEmpty ? "sound" : check)" }
}

@Suite struct NativeDefectTests {
  static let defects: [NativeDefect] = [
    .init("good", ""), .init("goom", "", type: "aumf"), .init("goog", "", type: "augn"),
    .init("gooi", "", type: "aumi"), .init("goof", "", type: "auol"),
    .init("pcon", ""),
    .init("crsh", "life.crash"), .init("crrn", "life.crash"), .init("crla", "life.crash"),
    .init("exit", "life.exit"),
    .init("flod", "life.output"), .init("onul", "life.open"), .init("oerr", "life.open"),
    .init("auth", "life.initialize"), .init("ierr", "life.initialize"),
    .init("twic", "life.again"), .init("reer", "life.reset"), .init("locl", "life.process"),
    .init("umsk", "life.process"), .init("clfd", "life.process"), .init("fpcw", "life.process"),
    .init("umld", "life.process"), .init("full", "sound.full-scale"),
    .init("thrd", "life.threads"), .init("leak", "life.leaks"), .init("hang", "life.hang"),
    .init("eatm", "life.memory"), .init("jump", "sound.jumps"), .init("glob", "sound.instances"),
    .init("type", "component.type", type: "Aufx"), .init("mnfc", "component.manufacturer"),
    .init("noco", "component.name"),
    .init("nolr", "properties.required"), .init("nopp", "properties.required"),
    .init("tail", "properties.recommended"), .init("norc", "properties.inputs"),
    .init("nomc", "properties.inputs"), .init("knwn", "properties.unknown"),
    .init("maps", "properties.size"), .init("slic", "properties.slice"),
    .init("nick", "properties.names"), .init("offl", "properties.offline"),
    .init("prlt", "properties.presentation-latency"), .init("byps", "properties.bypass"),
    .init("mmap", "properties.midi-mappings"), .init("finz", "formats.initialized"),
    .init("ssam", "state.same"), .init("psav", "presets.restore"), .init("thrs", "threads.state"),
    .init("lset", "channels.layout-set"), .init("auto", "sound.automation"),
    .init("mxin", "properties.mixer-inputs", type: "aumx"), .init("fnon", "formats.told"),
    .init("fs48", "formats.rate"), .init("view", "views.cocoa"), .init("vcls", "views.cocoa"),
    .init("icon", "views.icon"), .init("hcbk", "host.callbacks"), .init("hout", "host.time"),
    .init("hkep", "host.time"),
    .init("noci", "state.class-info"), .init("ciar", "state.class-info"),
    .init("ciot", "state.identity"), .init("cird", "state.set"), .init("rest", "state.restore"),
    .init("ssnd", "state.sound"), .init("pnon", "presets.name"), .init("pnum", "presets.number"),
    .init("psel", "presets.select"), .init("ptol", "presets.present"),
    .init("pran", "presets.range"), .init("pret", "presets.retain"),
    .init("dupl", "parameters.list"), .init("pinf", "parameters.info"),
    .init("pnam", "parameters.name"), .init("prng", "parameters.range"),
    .init("pdef", "parameters.default"), .init("frsh", "parameters.initial"),
    .init("vcnt", "parameters.value-names"), .init("clmp", "parameters.clump"),
    .init("vnon", "parameters.text"), .init("vstr", "parameters.text-read"),
    .init("pset", "parameters.set"), .init("keep", "parameters.value"),
    .init("pnan", "parameters.finite"), .init("meta", "parameters.meta"),
    .init("pini", "parameters.initialize"), .init("prst", "parameters.reset"),
    .init("schd", "parameters.schedule"), .init("sval", "parameters.scheduled-value"),
    .init("offs", "parameters.offset"), .init("curv", "parameters.curve"),
    .init("nono", "notes.answer", type: "aumf"),
    .init("midi", "notes.refuse"), .init("nerr", "notes.status", type: "aumf"),
    .init("nnan", "notes.sound", type: "aumf"), .init("mido", "notes.outputs"),
    .init("chan", "channels.claimed"), .init("pair", "channels.render"),
    .init("mono", "channels.unclaimed"), .init("layt", "channels.layout"),
    .init("lmis", "channels.layout-missing", type: "augn"),
    .init("unin", "rendering.uninitialized"), .init("rend", "rendering.status"),
    .init("nans", "rendering.finite"), .init("unwr", "rendering.unwritten"),
    .init("over", "rendering.overrun"), .init("bufs", "rendering.buffers"),
    .init("sflg", "rendering.silence-flag"), .init("pull", "rendering.pull"),
    .init("r96k", "rendering.rates"), .init("lowr", "rendering.low-rates"),
    .init("wide", "rendering.wide"), .init("swal", "rendering.input-error"),
    .init("many", "rendering.too-many"), .init("push", "rendering.too-many-pulled"),
    .init("recv", "rendering.recovers"), .init("nout", "rendering.null-output"),
    .init("conn", "connections.pull"), .init("cerr", "connections.error"),
    .init("disc", "connections.end"), .init("plac", "place.claim"),
    .init("rnan", "sound.any-values"), .init("rand", "sound.repeatable"),
    .init("rset", "sound.reset"), .init("blck", "sound.slices"), .init("inpl", "sound.in-place"),
    .init("hiss", "sound.tail"), .init("tlie", "sound.tail"), .init("bypl", "sound.bypass"),
    .init("late", "sound.latency"), .init("nanm", "sound.extreme-input"),
    .init("subn", "sound.subnormal"), .init("thrc", "threads.parameters"),
    .init("mall", "realtime.memory"), .init("lock", "realtime.locks"),
    .init("file", "realtime.files"), .init("prtc", "realtime.files"),
    .init("prtf", "realtime.files"),
    .init("slow", "realtime.cost"),
  ]

  /// Defects that much else could seem to follow from.
  private static let farReaching: Set = ["auth", "ierr", "ciar", "pull"]

  /// The findings in each of them: all are checked in as many calls as there are levels.
  private static let found = Result<[String: [String]], any Error> {
    let folder = try TemporaryFolder("auricle-defects")
    let bundle = try DefectUnitFixture.make(
      in: folder, subtypes: defects.map(\.subtype),
      types: Dictionary(uniqueKeysWithValues: defects.map { ($0.subtype, $0.type) }))
    let levels = try ValidateCall.levels()
    var found: [String: [String]] = [:]
    // A level beyond that of the defect is checked where it costs little; 10 for one that is sound or far-reaching.
    let groups = Dictionary(grouping: defects) { defect in
      let isThorough = defect.check.isEmpty || farReaching.contains(defect.subtype)
      return isThorough ? 10 : max(5, levels[defect.check] ?? 5)
    }
    for (level, group) in groups {
      let units = group.map(\.unit)
      let result = try ValidateCall.run(
        units + ["--level", "\(level)", "--timeout", "40"],
        environment: ["AURICLE_COMPONENT_PATH": ParentFolder.of(bundle)])
      found.merge(result) { $1 }
    }
    return found
  }

  @Test("the one defect of a unit is named", arguments: defects)
  func names(_ defect: NativeDefect) throws {
    let found = try #require(Self.found.get()[defect.unit])
    #expect(found == (defect.check.isEmpty ? [] : [defect.check]))
  }
}

/// The folder that a path names something in.
enum ParentFolder {
  static func of(_ path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }
}

/// Calls of the command, and their findings.
enum ValidateCall {
  /// The level of each rule.
  static func levels() throws -> [String: Int] {
    let result = try runAuricle(["validate", "--list-checks", "--format", "json"])
    let list = try #require(
      JSONSerialization.jsonObject(with: Data(result.standardOutput.utf8)) as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: list.compactMap { check in
        guard let id = check["check"] as? String, let level = check["level"] as? Int else {
          return nil
        }
        return (id, level)
      })
  }

  /// The rules that each unit breaks, once each, in order.
  static func run(
    _ arguments: [String], environment: [String: String?]
  ) throws -> [String: [String]] {
    let result = try runAuricle(
      ["validate", "--format", "json"] + arguments, environment: environment)
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(result.standardOutput.utf8)) as? [String: Any],
      "\(result.summary)")
    var found: [String: [String]] = [:]
    for unit in document["units"] as? [[String: Any]] ?? [] {
      guard let name = unit["unit"] as? String, let faults = unit["faults"] as? [[String: Any]]
      else { continue }
      found[name] = Set(faults.compactMap { $0["check"] as? String }).sorted()
    }
    return found
  }
}
