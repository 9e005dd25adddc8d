// The lines of the control socket: one command a line, one answer a line.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import ChainPresets

/// Something to do while a chain is live.
enum LiveCommand {
  /// Sets a parameter of a stage.
  case set(stage: String, parameter: String, value: String)
  /// Reports a parameter of a stage.
  case get(stage: String, parameter: String)
  /// Moves a parameter to a value in a time (s).
  case ramp(stage: String, parameter: String, value: String, seconds: Double)
  /// Passes the chain over, or not.
  case bypass(Bool)
  /// Passes a stage over, or not.
  case bypassStage(String, Bool)
  /// Switches to another preset.
  case preset(String)
  /// Sets the gain (dB).
  case gain(Double)
  /// Maps a controller to a parameter, between two optional values.
  case map(ControllerName, String, String, (String, String)?)
  /// Lets a controller go to the units again.
  case unmap(ControllerName)
  /// Has the next controller that moves be one of a parameter.
  case learn(String, String)
  /// Reports the parameters that controllers move.
  case maps
  /// Ends all notes.
  case panic
  /// Reports the stages and their parameters.
  case list
  /// Has a window of a unit read and move its parameters: a verb of `windowVerbs` and its words.
  case window([String])
  /// A command without quotation marks or without a stage, which the names of the chain complete.
  case unquoted([String])
  /// Lists the forms of commands.
  case help
  /// Reports the figures of the run.
  case stats
  /// Ends it.
  case quit

  /// Reads a line.
  ///
  /// - Throws: `.usage` with the valid forms of a line.
  init(line: String) throws(AuricleError) { try self.init(words: Self.words(line)) }

  /// Reads the words of a line.
  ///
  /// - Throws: `.usage` with the form of the command.
  init(words: [String]) throws(AuricleError) {
    switch (words.first ?? "", words.count) {
    case ("set", 4): self = .set(stage: words[1], parameter: words[2], value: words[3])
    case ("get", 3): self = .get(stage: words[1], parameter: words[2])
    case ("ramp", 5):
      let seconds = try Self.number(words[4], "the seconds of a ramp")
      guard seconds >= 0, seconds <= 3600 else {
        throw AuricleError(.usage, "a ramp takes 0 to 3600 seconds, not \(words[4])")
      }
      self = .ramp(
        stage: words[1], parameter: words[2], value: words[3], seconds: seconds)
    case ("bypass", 2): self = .bypass(try Self.isOn(words[1]))
    case ("bypass", 3): self = .bypassStage(words[1], try Self.isOn(words[2]))
    case ("preset", 2...): self = .preset(words.dropFirst().joined(separator: " "))
    case ("gain", 2):
      let decibels = try Self.number(words[1], "the gain in dB")
      guard (-60...24).contains(decibels) else {
        throw AuricleError(.usage, "gain takes -60 to 24 dB, not \(words[1])")
      }
      self = .gain(decibels)
    case ("map", 4): self = .map(try ControllerName(words[1]), words[2], words[3], nil)
    case ("map", 6):
      self = .map(try ControllerName(words[1]), words[2], words[3], (words[4], words[5]))
    case ("unmap", 2): self = .unmap(try ControllerName(words[1]))
    case ("learn", 3): self = .learn(words[1], words[2])
    case ("maps", 1): self = .maps
    case ("panic", 1): self = .panic
    case ("list", 1): self = .list
    case ("stats", 1): self = .stats
    case ("help", 1): self = .help
    case ("quit", 1): self = .quit
    case (let verb, let count) where Self.windowVerbs[verb] == count: self = .window(words)
    case ("set", 3...), ("get", 2...), ("ramp", 4...), ("bypass", 4...), ("learn", 2...),
      ("map", 3...):
      self = .unquoted(words)
    default: throw Self.unknown(words.first)
    }
  }

  /// The verbs by which `auricle show` has a window at a unit, and the number of their words.
  static let windowVerbs = [
    "unit": 2, "values": 2, "put": 4, "number": 3, "uri": 3, "message": 5, "messages": 2,
  ]

  /// The forms of commands.
  static let forms = [
    "set STAGE PARAMETER VALUE", "get STAGE PARAMETER", "ramp STAGE PARAMETER VALUE SECONDS",
    "bypass [STAGE] on|off", "preset NAME", "gain DB", "map CONTROLLER STAGE PARAMETER [FROM TO]",
    "unmap CONTROLLER", "learn STAGE PARAMETER", "maps", "panic", "list", "stats", "unit STAGE",
    "values STAGE", "put STAGE ID VALUE", "number STAGE URI", "uri STAGE NUMBER",
    "message STAGE PORT TYPE BASE64", "messages STAGE", "help", "quit",
  ]

  /// The error about a line that is no command.
  static func unknown(_ word: String?) -> AuricleError {
    if let form = form(of: word) {
      return AuricleError(.usage, "'\(word ?? "")' is written so: \(form)")
    }
    guard let word else {
      return AuricleError(.usage, "the line is empty: help lists all commands")
    }
    let names = forms.map { String($0.prefix { $0 != " " }) }
    let near = suggestion(for: word, in: names)
    return AuricleError(
      .usage,
      "there is no command '\(word)'" + (near.isEmpty ? ": help lists all commands" : near))
  }

  /// The error about words of which none name a parameter.
  static func unmatched(_ words: [String]) -> AuricleError {
    let names = words.dropFirst().joined(separator: " ")
    let noun = words.first == "bypass" ? "stage" : "parameter"
    return AuricleError(
      .usage, "'\(names)' names no \(noun) of the chain: \(form(of: words.first) ?? "list")")
  }

  /// The form of a command; nil where there is none.
  private static func form(of word: String?) -> String? {
    forms.first { $0.prefix { $0 != " " } == word ?? "" }.map {
      $0.contains("STAGE") ? "\($0); list shows stages and parameters" : $0
    }
  }

  private static func number(_ word: String, _ what: String) throws(AuricleError) -> Double {
    guard let number = Double(word), number.isFinite else {
      throw AuricleError(.usage, "\(what) is a number, not '\(word)'")
    }
    return number
  }

  private static func isOn(_ word: String) throws(AuricleError) -> Bool {
    switch word {
    case "on": return true
    case "off": return false
    default: throw AuricleError(.usage, "bypass takes on or off, not '\(word)'")
    }
  }

  /// Splits a line at spaces; a text in quotation marks is one word.
  static func words(_ line: String) throws(AuricleError) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if isQuoted, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
        word = word ?? ""
      } else if !isQuoted, character == " " || character == "\t" || character == "\r" {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard !isQuoted, !isEscaped else {
      throw AuricleError(.usage, "a quotation mark is open at the end of the line")
    }
    if let word { words.append(word) }
    return words
  }

  /// A word as a line has it.
  static func quoted(_ word: String) -> String {
    guard word.isEmpty || word.contains(where: { " \t\"\\".contains($0) }) else { return word }
    let escaped = word.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    return "\"\(escaped)\""
  }

  /// The line that brings a new process to the same state; nil for a command that changes nothing.
  var stateLine: (key: String, line: String)? {
    func line(_ words: [String]) -> String { words.map(Self.quoted).joined(separator: " ") }
    switch self {
    case .set(let stage, let parameter, let value), .ramp(let stage, let parameter, let value, _):
      return (line(["set", stage, parameter]), line(["set", stage, parameter, value]))
    case .bypass(let isOn): return ("bypass", line(["bypass", isOn ? "on" : "off"]))
    case .bypassStage(let stage, let isOn):
      return (line(["bypass", stage]), line(["bypass", stage, isOn ? "on" : "off"]))
    case .preset(let name): return ("preset", line(["preset", name]))
    case .gain(let decibels): return ("gain", line(["gain", "\(decibels)"]))
    case .map(let name, let stage, let parameter, let ends):
      let words = ["map", name.text, stage, parameter] + (ends.map { [$0.0, $0.1] } ?? [])
      return (line(["map", name.text]), line(words))
    case .unmap(let name): return (line(["map", name.text]), line(["unmap", name.text]))
    case .get, .learn, .maps, .panic, .list, .stats, .window, .unquoted, .help, .quit: return nil
    }
  }
}
