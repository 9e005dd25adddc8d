// Reads a bundle's data files into a record. Opens no binary and prints nothing.
// SPDX-License-Identifier: Apache-2.0

internal import AudioComponents
internal import ForeignPlugIns
import HostSystem

/// The scan of one bundle: depends only on its files, so that it can run in a child process.
package struct LV2BundleScan {
  /// Whether the bundle's code may be run for a dynamic manifest: only in a child process.
  private let runsDynamicManifests: Bool
  private var record: LV2BundleRecord
  private var details: LV2BundleDetails
  private var facts = LV2Facts()
  private var documentCount = 0
  private var filesRead: Set<String> = []
  private var brokenFiles: Set<String> = []

  /// Reads the bundle in the folder `path`; defects become problems of the record.
  package static func scan(_ path: String, runsDynamicManifests: Bool = false) -> LV2ScanResult {
    var scan = LV2BundleScan(path, runsDynamicManifests: runsDynamicManifests)
    scan.run()
    scan.details.stamps = scan.record.stamps
    return LV2ScanResult(record: scan.record, details: scan.details)
  }

  /// Whether lilv may read a file: it waits for pipes, reads devices without end, and trusts any port index.
  /// A file that is no Turtle does no harm.
  package static func isSound(_ path: String) -> Bool {
    let facts = LV2Facts()
    do throws(TurtleError) {
      try TurtleReader.read(path, documentNumber: 1) { facts.insert($0) }
    } catch {
      return error.isSyntax || !LV2FileStamp(of: path).exists
    }
    return facts.wildIndex == nil
  }

  private init(_ path: String, runsDynamicManifests: Bool) {
    self.runsDynamicManifests = runsDynamicManifests
    record = LV2BundleRecord(path: path)
    details = LV2BundleDetails(path: path)
  }

  private mutating func run() {
    let manifest = record.path + "/manifest.ttl"
    record.stamps = [LV2FileStamp(of: record.path), LV2FileStamp(of: manifest)]
    guard read(manifest) else { return }
    for subject in facts.subjects(ofType: LV2DynamicManifest.type) { readDynamicManifest(subject) }
    let plugins = facts.subjects(ofType: LV2Names.plugin)
    var incomplete: [String] = []
    for plugin in plugins where !readFiles(about: plugin) { incomplete.append(plugin) }
    // An incomplete description does not define a plug-in: it is left out, and reported. Done after all
    // files, since those of another plug-in may describe it again.
    for plugin in incomplete { facts.remove(plugin) }
    let scan = LV2DescriptionScan(facts: facts, bundlePath: record.path)
    for plugin in plugins where !facts.objects(plugin, .type).isEmpty {
      do throws(LV2Failure) {
        details.plugins.append(try scan.details(plugin))
        record.plugins.append(describe(plugin))
      } catch {
        record.problems.append("<\(LV2Text.line(plugin))> \(error.reason)")
      }
    }
    for preset in facts.subjects(ofType: LV2Names.preset) { addPreset(preset) }
  }

  /// Reads the data files of a subject; false when one of them is broken.
  private mutating func readFiles(about subject: String) -> Bool {
    var isWhole = true
    for file in facts.objects(subject, .seeAlso) {
      guard let path = LV2Path.local(file) else { continue }
      if filesRead.insert(path).inserted {
        record.stamps.append(LV2FileStamp(of: path))
        // A file without the extension of Turtle may be something else, which lilv skips.
        if !read(path, mayBeOther: !path.hasSuffix(".ttl")) { brokenFiles.insert(path) }
      }
      if brokenFiles.contains(path) { isWhole = false }
    }
    return isWhole
  }

  /// Reads the dynamic manifest of the bundle, if its code may be run.
  private mutating func readDynamicManifest(_ subject: String) {
    guard let binary = facts.resources(subject, .binary).first.flatMap(LV2Path.local) else {
      record.problems.append("the dynamic manifest <\(LV2Text.line(subject))> names no binary")
      return
    }
    record.stamps.append(LV2FileStamp(of: binary))
    guard runsDynamicManifests else {
      // A stamp that is never current: a process that may run the code reads it again.
      record.stamps.append(
        LV2FileStamp(
          path: record.path, device: 0, inode: 0, size: -1, seconds: 0, nanoseconds: 0))
      record.problems.append(
        "its plug-ins are described by its code (a dynamic manifest), which `auricle scan` runs in a separate process"
      )
      return
    }
    do throws(LV2Failure) {
      let text = try LV2DynamicManifest.read(binary, bundle: record.path)
      details.dynamicManifest += text
      documentCount += 1
      let store = facts
      try Self.insert(text, record.path, documentCount, into: store)
    } catch {
      record.problems.append("\(binary): \(error.reason)")
    }
  }

  private static func insert(
    _ text: String, _ bundle: String, _ number: Int, into facts: LV2Facts
  ) throws(LV2Failure) {
    do throws(TurtleError) {
      try TurtleReader.read(Array(text.utf8), at: bundle + "/manifest.ttl", documentNumber: number)
      {
        facts.insert($0)
      }
    } catch {
      throw LV2Failure(
        reason: "line \(error.line) of its dynamic manifest: \(error.message)")
    }
  }

  private mutating func addPreset(_ uri: String) {
    let plugins = facts.resources(uri, .appliesTo)
    guard readFiles(about: uri) else { return }
    var preset = LV2PresetRecord(uri: uri)
    preset.label = LV2Text.line(facts.text(uri, .label) ?? "")
    if let bank = facts.resources(uri, .bank).first {
      preset.bank = LV2Text.line(facts.text(bank, .label) ?? LV2Text.tail(ofURI: bank))
    }
    for plugin in plugins.isEmpty ? facts.resources(uri, .appliesTo) : plugins {
      preset.plugin = plugin
      record.presets.append(preset)
    }
  }

  private mutating func read(_ path: String, mayBeOther: Bool = false) -> Bool {
    documentCount += 1
    let store = facts
    facts.wildIndex = nil
    do throws(TurtleError) {
      try TurtleReader.read(path, documentNumber: documentCount) { store.insert($0) }
    } catch {
      guard mayBeOther, !error.isHostile, error.isSyntax || !LV2FileStamp(of: path).exists else {
        record.problems.append(error.description)
        return false
      }
    }
    guard let index = facts.wildIndex else { return true }
    record.problems.append(
      "\(path): the port index \(LV2Text.line(index)) is not between 0 and \(LV2Facts.indexLimit - 1)"
    )
    return false
  }

  private func describe(_ uri: String) -> LV2PluginRecord {
    var plugin = LV2PluginRecord()
    plugin.uri = uri
    plugin.name = LV2Text.line(facts.text(uri, .doapName) ?? LV2Text.tail(ofURI: uri))
    plugin.maker = maker(of: uri)
    plugin.summary = LV2Text.line(
      facts.text(uri, .shortdesc) ?? facts.text(uri, .comment) ?? "", limit: 240)
    plugin.classes = facts.objects(uri, .type).filter { $0 != LV2Names.plugin }
    plugin.requiredFeatures = facts.objects(uri, .requiredFeature)
    plugin.minorVersion = UInt16(facts.text(uri, .minorVersion) ?? "") ?? 0
    plugin.microVersion = UInt16(facts.text(uri, .microVersion) ?? "") ?? 0
    for port in facts.objects(uri, .port) { plugin.ports.add(port, facts) }
    return plugin
  }

  private func maker(of uri: String) -> String {
    let projects = facts.objects(uri, .project)
    for subject in [uri] + projects {
      let makers = [TurtleVocabulary.maker, .maintainer, .developer].flatMap {
        facts.objects(subject, $0)
      }
      for maker in makers {
        if let name = facts.text(maker, .foafName) ?? facts.text(maker, .doapName) {
          return PlugInText.maker(name)
        }
      }
    }
    for project in projects {
      if let name = facts.text(project, .doapName) { return PlugInText.maker(name) }
    }
    return LV2Text.host(ofURI: uri)
  }
}

extension LV2PortCounts {
  /// Counts the port whose description is `node`.
  fileprivate mutating func add(_ node: String, _ facts: LV2Facts) {
    let types = facts.objects(node, .type)
    let isInput = types.contains(LV2Names.inputPort)
    guard isInput || types.contains(LV2Names.outputPort) else { return }
    func count(
      _ input: WritableKeyPath<Self, UInt16>, _ output: WritableKeyPath<Self, UInt16>
    ) {
      self[keyPath: isInput ? input : output] &+= 1
    }
    if types.contains(LV2Names.audioPort) {
      count(\.audioIn, \.audioOut)
    } else if types.contains(LV2Names.cvPort) {
      count(\.cvIn, \.cvOut)
    } else if types.contains(LV2Names.controlPort) {
      count(\.controlIn, \.controlOut)
    } else if types.contains(LV2Names.atomPort) || types.contains(LV2Names.eventPort) {
      count(\.atomIn, \.atomOut)
      let events = facts.objects(node, .supports) + facts.objects(node, .supportsEvent)
      if events.contains(LV2Names.midiEvent) { count(\.midiIn, \.midiOut) }
    }
  }
}
