// How chains serve one file after the other in a process, as it was found out.
// SPDX-License-Identifier: Apache-2.0

/// The sound that a chain is made for.
struct ChainFormat: Hashable, Sendable {
  /// Frames a second.
  var sampleRate: Double
  /// Channels in and out.
  var channelCount: Int

  init(sampleRate: Double, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  init(_ request: ChainRequest) {
    self.init(sampleRate: request.sampleRate, channelCount: request.channelCount)
  }

  var members: [(String, JSONValue?)] {
    [("sampleRate", JSONValue(sampleRate)), ("channels", JSONValue(channelCount))]
  }

  init?(json: JSONValue) {
    guard let rate = json["sampleRate"]?.number, rate > 0, rate < 1e9,
      let channels = json["channels"]?.integer, (1...4096).contains(channels)
    else { return nil }
    self.init(sampleRate: rate, channelCount: channels)
  }
}

/// What is done with a chain so that no file hears the one before it.
public enum ChainHabit: String, Sendable, CaseIterable {
  /// It is reset between files.
  case reset
  /// It is closed, and made anew for every file.
  case reopen
  /// Every file is done by a process of its own.
  case process
}

/// What chains leave in the static memory of the libraries that their plug-ins live in.
public enum ChainMemory: String, Sendable, CaseIterable {
  /// It is as it was when they were loaded: nothing is remembered.
  case untouched
  /// The first use of a process has changed it, tables that are filled once for example, and none after it.
  case settled
  /// It changes from chain to chain.
  case changing
}

/// What was found out about the chains of one format, kept in the ledger of the run.
public struct ChainFinding: Sendable, Equatable {
  /// Frames a second.
  public var sampleRate: Double
  /// Channels in and out.
  public var channelCount: Int
  /// What is done between files.
  public var habit: ChainHabit
  /// Whether a new chain sounds as the first one of a fresh process did.
  public var reopensCleanly: Bool
  /// Whether the chain sounds different in every process: units that use chance, or the time.
  public var isRandom = false
  /// Seconds of work that making a chain takes, and that finding out whether resetting it would do
  /// would take; 0 where that is not known.
  var costs = (making: 0.0, looking: 0.0)
  /// The checksum of what the first chain of a fresh process makes of the opening of the test
  /// signal; nil where none was heard.
  var opening: UInt64?
  /// What they leave in static memory.
  public internal(set) var memory = ChainMemory.changing

  var format: ChainFormat { ChainFormat(sampleRate: sampleRate, channelCount: channelCount) }

  init(_ format: ChainFormat, _ habit: ChainHabit, reopensCleanly: Bool, isRandom: Bool = false) {
    sampleRate = format.sampleRate
    channelCount = format.channelCount
    self.habit = habit
    self.reopensCleanly = reopensCleanly
    self.isRandom = isRandom
  }

  /// Whether two findings say the same; what looking cost them does not count.
  ///
  /// Context: any.
  public static func == (left: Self, right: Self) -> Bool {
    left.format == right.format && left.habit == right.habit
      && left.reopensCleanly == right.reopensCleanly && left.isRandom == right.isRandom
      && left.memory == right.memory
  }

  /// The members of the finding as JSON: `sampleRate`, `channels`, `between`, `opensClean`,
  /// `memory`, `random`; `making` and `looking`, in seconds of work, where resetting may pay;
  /// `opening`, the checksum that chains of this format are known by.
  public var members: [(String, JSONValue?)] {
    format.members + [
      ("between", .string(habit.rawValue)), ("opensClean", .boolean(reopensCleanly)),
      ("memory", .string(memory.rawValue)), ("random", .boolean(isRandom)),
      ("making", costs.making > 0 ? JSONValue(costs.making) : nil),
      ("looking", costs.making > 0 ? JSONValue(costs.looking) : nil),
      ("opening", opening.map { .string(Hexadecimal.text($0)) }),
    ]
  }

  /// Reads a finding back; nil when something is missing.
  init?(json: JSONValue) {
    guard let format = ChainFormat(json: json),
      let habit = json["between"]?.text.flatMap(ChainHabit.init)
    else { return nil }
    self.init(
      format, habit, reopensCleanly: json["opensClean"]?.boolean ?? (habit == .reopen),
      isRandom: json["random"]?.boolean ?? false)
    opening = json["opening"]?.text.flatMap(Hexadecimal.number)
    memory = json["memory"]?.text.flatMap(ChainMemory.init) ?? .changing
    // Without it, it could not be told whether chains of another format disturb these.
    if reopensCleanly, !isRandom, memory != .untouched, opening == nil { return nil }
    if let making = json["making"]?.number, let looking = json["looking"]?.number,
      making > 0, looking >= 0
    {
      costs = (making, looking)
    }
  }
}
