// Matches side chains and outputs with a unit's buses, and finds files.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc
import HostSystem
import ResultSettings
import UnitPresets

/// The names of a scope's buses; empty if the unit has none.
func busNames(of unit: AudioUnit, scope: AudioUnitScope) -> [String] {
  (0..<unit.busCount(scope: scope)).map { bus in
    (try? unit.stringProperty(
      kAudioUnitProperty_ElementName, scope: scope, element: AudioUnitElement(bus))) ?? ""
  }
}

extension ChainResolver {
  /// Finds the input bus and the source of each side chain.
  mutating func sideChains(
    _ entry: UnitEntry, _ facts: UnitFacts, of component: AudioComponent
  ) -> [ResolvedSideChain] {
    var found: [ResolvedSideChain] = []
    for sideChain in entry.sideChains {
      guard let inputBus = sideBus(sideChain, facts, of: component),
        let source = source(sideChain)
      else { continue }
      if found.contains(where: { $0.bus == inputBus }) {
        add(
          "the input bus \(inputBus) of \(component.name) is fed twice", at: sideChain.bus?.position
        )
      }
      var output: Int?
      if let wanted = sideChain.output, case .stage(let name) = sideChain.source.value {
        let buses = outputBuses[name] ?? [""]
        output = bus(wanted, among: buses, from: 0, "output bus of \(quoted(name))")
      } else if let wanted = sideChain.output, sideChain.source.value == .input {
        output = bus(wanted, among: [""], from: 0, "output bus of the input")
      }
      found.append(
        ResolvedSideChain(
          source: source, bus: inputBus, output: output == 0 ? nil : output,
          gainDecibels: sideChain.gainDecibels, loops: sideChain.loops))
    }
    return found
  }

  /// Finds the main output bus.
  mutating func outputBus(
    _ entry: UnitEntry, _ facts: UnitFacts, of component: AudioComponent
  ) -> Int {
    guard let wanted = entry.output else { return 0 }
    return bus(wanted, among: facts.outputBuses, from: 0, "output bus of \(component.name)") ?? 0
  }

  private mutating func sideBus(
    _ sideChain: SideChainEntry, _ facts: UnitFacts, of component: AudioComponent
  ) -> Int? {
    guard facts.inputBuses.count > 1 else {
      let count = facts.inputBuses.isEmpty ? "no input bus" : "one input bus only"
      add(
        "\(component.name) has \(count), so nothing can feed a side chain",
        at: sideChain.source.position)
      return nil
    }
    guard let wanted = sideChain.bus else { return 1 }
    return bus(wanted, among: facts.inputBuses, from: 1, "side chain bus of \(component.name)")
  }

  /// Finds a bus by its number or name.
  private mutating func bus(
    _ wanted: Located<String>, among names: [String], from first: Int, _ what: String
  ) -> Int? {
    if let number = Int(wanted.value) {
      if (first..<max(first, names.count)).contains(number) { return number }
      let last = names.count - 1
      let range =
        last < first
        ? "there is none" : last == first ? "there is \(first)" : "there are \(first) to \(last)"
      add("there is no \(what) with the number \(number); \(range)", at: wanted.position)
      return nil
    }
    let alike = names.indices.filter {
      $0 >= first && comparableName(names[$0]) == comparableName(wanted.value)
    }
    if alike.count == 1 { return alike[0] }
    let known = names.indices.filter { $0 >= first && !names[$0].isEmpty }.map { names[$0] }
    if alike.count > 1 {
      let numbers = alike.map(String.init)
      add(
        "\(quoted(wanted.value)) is the name of \(alike.count) buses; give the number: "
          + alternatives(numbers), at: wanted.position)
      return nil
    }
    var hint = suggestion(for: wanted.value, in: known)
    if hint.isEmpty {
      hint =
        known.isEmpty
        ? "; give its number" : "; there are \(alternatives(known.map(quoted), joinedBy: "and"))"
    }
    add("there is no \(what) with the name \(quoted(wanted.value))\(hint)", at: wanted.position)
    return nil
  }

  private mutating func source(_ sideChain: SideChainEntry) -> ResolvedSideChain.Source? {
    switch sideChain.source.value {
    case .input: return .input
    case .stage(let name): return .stage(name)
    case .file(let path):
      guard let place = existingFile(path, at: sideChain.source.position) else { return nil }
      return .file(place)
    }
  }

  /// The user preset of a unit with a name, exactly or in any case; nil when there is none.
  func userPreset(_ name: String, of component: AudioComponent) -> String? {
    let presets = UserPresets().paths(ofUnit: component.name).map { path in
      (name: UserPresets.name(ofPreset: path), path: path)
    }
    let wanted = comparableName(name)
    return
      (presets.first { $0.name == name } ?? presets.first { comparableName($0.name) == wanted })?
      .path
  }

  /// An `.aupreset` file named in place of a preset.
  mutating func presetFile(
    _ wanted: Located<String>, of component: AudioComponent
  ) -> ResolvedPreset? {
    guard let path = existingFile(wanted.value, at: wanted.position) else { return nil }
    do throws(AuricleError) {
      let preset = try UnitPreset(contentsOf: path)
      guard preset.fits(component.description) else {
        add(
          "the preset \(quoted(wanted.value)) was made for the unit \(preset.description.triple), "
            + "not for \(component.description.triple) (\(component.name))", at: wanted.position)
        return nil
      }
      return ResolvedPreset(number: nil, name: wanted.value, path: path)
    } catch {
      add(error.message, at: wanted.position)
      return nil
    }
  }

  /// A preset's file of a plug-in's own format, named in place of a preset.
  mutating func presetDataFile(
    _ wanted: Located<String>, _ facts: UnitFacts, of component: AudioComponent
  ) -> ResolvedPreset? {
    guard let place = existingFile(wanted.value, at: wanted.position) else { return nil }
    guard facts.loadsPresetsByURI else {
      add(
        "\(quoted(wanted.value)) is a preset of another format; \(component.name) takes .aupreset files",
        at: wanted.position)
      return nil
    }
    guard let real = unsafe realpath(place, nil) else { return nil }
    defer { unsafe free(real) }
    var uri = "file://"
    for byte in unsafe String(cString: real).utf8 {
      let scalar = Unicode.Scalar(byte)
      if scalar.properties.isAlphabetic && byte < 0x80 || (0x30...0x39).contains(byte)
        || "/-._~".unicodeScalars.contains(scalar)
      {
        uri.unicodeScalars.append(scalar)
      } else {
        uri += "%" + hexadecimal(byte)
      }
    }
    return ResolvedPreset(number: nil, name: wanted.value, uri: uri)
  }

  /// The path of a file that a preset names; a relative path is relative to the preset's folder.
  mutating func existingFile(_ path: String, at position: SourcePosition?) -> String? {
    let place = placeOfFile(path)
    var status = stat()
    if unsafe stat(place, &status) != 0 {
      let reason = systemMessage(errno)
      let searched = place == path ? "" : " (looked for as \(quoted(place)))"
      add("cannot read the file \(quoted(path))\(searched): \(reason)", at: position)
      return nil
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      add("cannot read the file \(quoted(path)): it is a folder", at: position)
      return nil
    }
    return place
  }

  /// A path that a preset names, from here: a relative one counts from the preset's folder.
  func placeOfFile(_ path: String) -> String {
    guard !path.hasPrefix("/"), let name = preset.source?.name, let slash = name.lastIndex(of: "/")
    else { return path }
    return name[...slash] + path
  }
}
