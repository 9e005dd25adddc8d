// The progress of a run and the duration of the rest, by the sound that its files hold.
// SPDX-License-Identifier: Apache-2.0

/// The progress of a run, as far as its plan and its ledger show it.
public struct RunForecast: Sendable {
  /// A file that is being worked at.
  public struct Work: Sendable {
    /// Its path.
    public var input: String
    /// Its length in bytes.
    public var byteCount: Int
    /// Its seconds of sound, where its header declares them.
    public var inputSeconds: Double?
    /// The part of it that is done, 0 to 1.
    public var fraction: Double

    /// Names a file.
    public init(input: String, byteCount: Int, inputSeconds: Double?, fraction: Double) {
      self.input = input
      self.byteCount = byteCount
      self.inputSeconds = inputSeconds
      self.fraction = fraction
    }
  }

  /// The part of the run that is done, 0 to 1.
  public let fraction: Double
  /// Seconds that are left; nil while too little is done for a forecast.
  public let secondsLeft: Double?

  /// The figures of a kind count as much as this weight of the mean of all kinds.
  private static let meanWeight = 20.0

  /// - Parameters:
  ///   - plan: The content of the inputs of the whole run.
  ///   - settled: The inputs that are accounted for, of this session and of earlier ones.
  ///   - session: The work done by this session.
  ///   - work: The work in progress.
  ///   - elapsed: Seconds since this session began.
  public init(
    plan: InputAmounts, settled: [InputAmounts], session: RunTally, work: [Work], elapsed: Double
  ) {
    let scale = InputScale(plan)
    let all = scale.weights(plan)
    let settled = settled.map(scale.weights).reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    let done = scale.weights(session.doneInputs)
    // A second of sound of one kind may cost more than of another: a codec, a rate, more channels.
    let mean = session.workSeconds / max(done.values.reduce(0, +), 1e-9)
    func cost(_ kind: String) -> Double {
      guard mean > 0 else { return 1 }
      let (seconds, weight) = (session.workByKind[kind] ?? 0, done[kind] ?? 0)
      return (seconds + mean * Self.meanWeight) / (weight + Self.meanWeight)
    }
    var underWay: [String: Double] = [:]
    var longest = 0.0
    for file in work {
      let kind = InputAmounts.kind(of: file.input)
      let weight = scale.weight(
        file.input, byteCount: file.byteCount, seconds: file.inputSeconds)
      let share = min(max(file.fraction, 0), 1)
      underWay[kind, default: 0] += weight * share
      longest = max(longest, weight * (1 - share) * cost(kind))
    }
    var (whole, through, spent, left) = (0.0, 0.0, 0.0, 0.0)
    for (kind, weight) in all {
      let gone = min((settled[kind] ?? 0) + (underWay[kind] ?? 0), weight)
      whole += weight
      through += gone
      left += (weight - gone) * cost(kind)
    }
    for (kind, weight) in done.merging(underWay, uniquingKeysWith: +) {
      spent += weight * cost(kind)
    }
    fraction = whole > 0 ? min(through / whole, 1) : 0
    // One file is processed by one worker, however many there are: costs are seconds of a worker.
    let least = mean > 0 ? longest : 0
    secondsLeft = spent > 0 && elapsed > 1 ? max(left / spent * elapsed, least) : nil
  }
}
