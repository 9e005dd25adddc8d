// The configuration file of a user: defaults of options, of the sound device, and of colours.
// SPDX-License-Identifier: Apache-2.0

public import ChainPresets
import Glibc

/// The defaults in `$XDG_CONFIG_HOME/auricle/config.yaml`.
///
/// They complete a command line: its options, a variable of the environment, and the plan of a run that goes on count
/// before them. Runs record the values, as if they had been typed.
public struct UserConfiguration: Sendable {
  /// A setting of the file.
  public enum Key: String, CaseIterable, Sendable {
    /// Files at once, 1 to 1024.
    case jobs
    /// The integrated loudness of results without a preset, in LUFS.
    case loudness
    /// The chain where none is named.
    case preset
    /// The sound device.
    case device
    /// Whether terminals are written to in colours.
    case colours

    /// The purpose of the setting, for people.
    public var purpose: String {
      switch self {
      case .jobs: "files at once (process, convert, render, watch)"
      case .loudness:
        "integrated loudness of results without --preset, in LUFS (process, watch, plan)"
      case .preset: "the chain where none is named (process, watch, plan, live)"
      case .device: "the sound device (play, record, live, say)"
      case .colours: "colours on terminals: true or false"
      }
    }

    /// The commands whose words it completes.
    fileprivate var commands: [String] {
      switch self {
      case .jobs: ["process", "convert", "render", "watch"]
      case .loudness: ["process", "watch", "plan"]
      case .preset: ["process", "watch", "plan", "live"]
      case .device, .colours: []
      }
    }

    /// The options that count before it.
    fileprivate var rivals: [String] {
      switch self {
      case .jobs: ["--jobs", "-j"]
      case .loudness: ["--loudness", "--normalize", "--preset", "-p"]
      case .preset: ["--preset", "-p", "--unit"]
      case .device, .colours: []
      }
    }

    /// The variable of the environment that counts before it.
    fileprivate var variable: String? {
      switch self {
      case .device: "AURICLE_DEVICE"
      case .colours: "NO_COLOR"
      case .jobs, .loudness, .preset: nil
      }
    }

    /// The sentence about a value that it refuses; nil for an accepted one.
    fileprivate func refusal(of value: String) -> String? {
      switch self {
      case .jobs:
        return Int(value).map((1...1024).contains) == true
          ? nil : "jobs takes a whole number from 1 to 1024"
      case .loudness:
        return Double(value).map((-70.0...0).contains) == true
          ? nil : "loudness takes LUFS from -70 to 0, such as -16"
      case .preset, .device:
        return value.isEmpty ? "\(rawValue) takes a name" : nil
      case .colours:
        return ["true", "false"].contains(value) ? nil : "colours takes true or false"
      }
    }
  }

  /// A setting as it applies.
  public struct Entry: Encodable, Sendable {
    /// The setting's name.
    public var key: String
    /// The value; nil where the program decides.
    public var value: String?
    /// The place of the value: `FILE:LINE`, a variable's name, or `default`.
    public var origin: String
    /// The purpose of the setting.
    public var purpose: String
  }

  /// The file, whether it is there or not; nil without a home folder.
  public let path: String?
  private var values: [Key: Located<String>] = [:]

  /// Reads the user's file.
  ///
  /// - Throws: All mistakes in it at once; a file that is not there has none.
  ///
  /// Context: control.
  public init() throws(PresetErrors) { try self.init(path: Self.standardPath) }

  /// Reads a file.
  ///
  /// - Throws: All mistakes in it at once; a file that is not there has none.
  ///
  /// Context: control.
  public init(path: String?) throws(PresetErrors) {
    self.path = path
    guard let path, unsafe access(path, F_OK) == 0 else { return }
    let source = try PresetSource(path: path)
    var faults: [PresetDiagnostic] = []
    for (name, value) in try YAMLMapping.read(source) {
      guard let key = Key(rawValue: name.value) else {
        let names = Key.allCases.map(\.rawValue)
        let near = suggestion(for: name.value, in: names)
        let hint = near.isEmpty ? "; there are \(names.joined(separator: ", "))" : near
        faults.append(
          PresetDiagnostic(
            "there is no setting '\(name.value)'\(hint)", at: name.position, in: source))
        continue
      }
      if let refusal = key.refusal(of: value.value) {
        faults.append(
          PresetDiagnostic("\(refusal), not '\(value.value)'", at: value.position, in: source))
      }
      values[key] = value
      if key == .preset, value.value.hasPrefix("~/"), let home = Self.variable("HOME") {
        values[key]?.value = home + value.value.dropFirst()
      }
    }
    guard faults.isEmpty else { throw PresetErrors(faults) }
  }

  /// `$XDG_CONFIG_HOME/auricle/config.yaml`, else that in `~/.config`; nil without a home folder.
  private static var standardPath: String? {
    if let folder = variable("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      return folder + "/auricle/config.yaml"
    }
    guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.config/auricle/config.yaml"
  }

  private static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Completes the words of a command line by the options that it does not have.
  ///
  /// A run that goes on has the values of its plan alone.
  ///
  /// Context: any.
  public func completed(_ words: [String]) -> [String] {
    guard let command = words.first else { return words }
    let options = words.prefix { $0 != "--" }.dropFirst()
    func has(_ name: String) -> Bool {
      let isShort = !name.hasPrefix("--")
      return options.contains { word in
        word == name || word.hasPrefix(isShort ? name : name + "=")
      }
    }
    guard !has("--resume") else { return words }
    var added: [String] = []
    for key in Key.allCases where key.commands.contains(command) {
      guard let value = values[key]?.value, !key.rivals.contains(where: has) else { continue }
      added.append("--\(key.rawValue)=\(value)")
    }
    return [command] + added + words.dropFirst()
  }

  /// The sentence about the options that `completed` adds to a command line; nil where it adds none.
  ///
  /// Context: any.
  public func note(on words: [String]) -> String? {
    let count = completed(words).count - words.count
    guard count > 0, let path else { return nil }
    let added = completed(words).dropFirst().prefix(count).joined(separator: " ")
    return "\(added) is from \(path), which --no-config ignores"
  }

  /// The sentence about the device that a command line does not name; nil where the file sets none.
  ///
  /// Context: any.
  package func note(onDeviceOf words: [String]) -> String? {
    guard let path, let device = values[.device]?.value, Self.variable("AURICLE_DEVICE") == device
    else { return nil }
    let names = ["--device", "--input", "--output"]
    let isNamed = words.contains { word in
      names.contains { word == $0 || word.hasPrefix($0 + "=") }
    }
    return isNamed ? nil : "the device \(device) is from \(path), which --no-config ignores"
  }

  /// Whether a command reads the file at all: the parts of a planned run have the values of the plan.
  ///
  /// Context: any.
  public static func isRead(by command: String) -> Bool {
    !["help", "config", "shard", "unfinished", "retry", "merge", "submit"].contains(command)
  }

  /// Whether a command stops at mistakes in the file, which has defaults of its options or its device.
  ///
  /// Context: any.
  public static func isNeeded(by command: String) -> Bool {
    ["play", "record", "live", "say", "devices"].contains(command)
      || Key.allCases.contains { $0.commands.contains(command) }
  }

  /// Sets the variables of the environment that are not set, for the device and for colours.
  ///
  /// Context: control, before other threads are started.
  public func setVariables() {
    for (key, value) in [
      (Key.device, values[.device]?.value),
      (.colours, values[.colours]?.value == "false" ? "1" : nil),
    ] {
      guard let value, let name = key.variable, Self.variable(name)?.isEmpty != false else {
        continue
      }
      unsafe setenv(name, value, 1)
    }
  }

  /// Every setting as it applies, with the place of its value. Context: any.
  public var entries: [Entry] {
    Key.allCases.map { key in
      var entry = Entry(key: key.rawValue, value: nil, origin: "default", purpose: key.purpose)
      if let name = key.variable, let value = Self.variable(name), !value.isEmpty {
        entry.value = key == .colours ? "false" : value
        entry.origin = name
      } else if let value = values[key] {
        entry.value = value.value
        entry.origin = "\(path ?? ""):\(value.position?.line ?? 1)"
      }
      return entry
    }
  }
}
