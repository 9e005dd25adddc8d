// Routes to pictures of chains: responses, level curves, impulses, levels behind every stage.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
import Synchronization

extension Studio {
  func addViews(_ router: inout Router) {
    router.add("GET", "chains/*/plot") { [self] question, words in
      .json(try plot(words[0], question))
    }
    router.add("GET", "renders/*/meters") { [self] _, words in
      let render = try renders.render(words[0])
      if let known = render.state.withLock({ $0.meters }) { return .json(known) }
      let sound = try renders.sound(words[0])
      let input = try scratch.input(render.input)
      let meters = try meters(
        render.content, folder: Path.folder(of: render.input), input, 0..<input.frameCount,
        result: sound)
      render.state.withLock { $0.meters = meters }
      return .json(meters)
    }
    router.add("GET", "loops/*/meters") { [self] _, words in
      guard let loop = loops.loop(words[0]) else {
        throw StudioFault(.notFound, "there is no loop \(words[0])")
      }
      let document = try chains.document(loop.chain)
      return .json(
        try meters(
          document.content(of: loop.setting), folder: document.folder, loop.input, loop.range,
          result: nil))
    }
  }

  // MARK: Plots

  private func plot(_ id: String, _ question: Question) throws -> JSONValue {
    let document = try chains.document(id)
    let kind = question.query["kind"] ?? "response"
    guard ["response", "phase", "curve", "impulse", "step"].contains(kind) else {
      throw StudioFault(.usage, "kind takes response, phase, curve, impulse or step, not '\(kind)'")
    }
    var state = document.state
    if let stage = question.query["stage"], !stage.isEmpty {
      guard let found = state.stage(stage) else {
        throw StudioFault(.notFound, "the chain \(id) has no stage \(stage)")
      }
      state.entries = [found]
    }
    // A chain without units leaves everything unchanged.
    guard !state.entries.isEmpty else { return Self.straight(kind, document.revision) }
    for index in state.entries.indices { Self.leaveOutSideChains(&state.entries[index]) }
    let text = ChainText(
      state, ChainText.Options(folder: document.folder, leavesOutFiles: true))
    let preset = try scratch.write(text.text, ".yaml")
    defer { unsafe unlink(preset) }
    let end = ProgramCommand().run(
      program, ["plot", "--kind", kind, "--format", "json", "--", preset])
    guard end.code == 0, let figure = JSONValue(end.output) else {
      throw StageFinder.placed(end.fault, text, state)
    }
    return Self.json(figure, kind, document.revision)
  }

  /// Side chains from stages that are not in the picture would be faults.
  private static func leaveOutSideChains(_ stage: inout ChainStage) {
    guard case .unit(var unit) = stage.kind else { return }
    unit.sideChains.removeAll { $0["from"]?.text != "input" && $0["file"] == nil }
    stage.kind = .unit(unit)
  }

  /// The picture of a chain without units.
  private static func straight(_ kind: String, _ revision: Int) -> JSONValue {
    func axis(_ label: String, _ low: Double, _ high: Double, isLogarithmic: Bool = false)
      -> JSONValue
    {
      .members([
        ("label", .string(label)), ("low", JSONValue(low)), ("high", JSONValue(high)),
        ("isLogarithmic", .boolean(isLogarithmic)),
      ])
    }
    let (x, y, points): (JSONValue, JSONValue, [(Double, Double)])
    switch kind {
    case "curve":
      x = axis("Level in (dBFS)", -80, 0)
      y = axis("Level out (dBFS)", -80, 0)
      points = [(-80, -80), (0, 0)]
    case "impulse", "step":
      x = axis("Time (ms)", -1, 10)
      y = axis("Part of the \(kind)", 0, 1)
      points =
        kind == "impulse"
        ? [(-1, 0), (-0.01, 0), (0, 1), (0.01, 0), (10, 0)]
        : [(-1, 0), (-0.01, 0), (0, 1), (10, 1)]
    default:
      x = axis("Frequency (Hz)", 20, 20_000, isLogarithmic: true)
      y = axis(kind == "phase" ? "Phase (degrees)" : "Gain (dB)", -12, 12)
      points = [(20, 0), (20_000, 0)]
    }
    let curve = JSONValue.members([
      ("name", "unchanged"), ("x", .array(points.map { JSONValue($0.0) })),
      ("y", .array(points.map { JSONValue($0.1) })),
    ])
    let figure = JSONValue.members([
      ("title", "No units"), ("x", x), ("y", y), ("curves", .array([curve])),
    ])
    return json(figure, kind, revision)
  }

  private static func json(_ figure: JSONValue, _ kind: String, _ revision: Int) -> JSONValue {
    func points(_ curve: JSONValue) -> JSONValue {
      let (x, y) = (curve["x"]?.elements ?? [], curve["y"]?.elements ?? [])
      return .members([
        ("name", curve["name"] ?? ""), ("points", .array(zip(x, y).map { .array([$0, $1]) })),
      ])
    }
    let (x, y) = (figure["x"] ?? .object([]), figure["y"] ?? .object([]))
    return .members([
      ("kind", .string(kind)), ("revision", JSONValue(revision)), ("title", figure["title"] ?? ""),
      ("xLabel", x["label"] ?? ""), ("yLabel", y["label"] ?? ""),
      ("xLogarithmic", x["isLogarithmic"] ?? false),
      ("yLogarithmic", y["isLogarithmic"] ?? false),
      ("xRange", .array([x["low"] ?? 0, x["high"] ?? 1])),
      ("yRange", .array([y["low"] ?? 0, y["high"] ?? 1])),
      ("curves", .array((figure["curves"]?.elements ?? []).map(points))),
      ("reference", figure["reference"].map(points) ?? .null),
    ])
  }

  // MARK: Meters

  /// The most frames that are rendered for the levels behind each stage.
  private static let mostMeterFrames = 20 * 48_000

  /// Level and spectrum behind every entry of the main list.
  ///
  /// - Parameter result: The result of the whole chain, where that is rendered already.
  private func meters(
    _ content: ChainState, folder: String?, _ input: FloatSound, _ range: Range<Int>,
    result: FloatSound?
  ) throws -> JSONValue {
    let frames = range.lowerBound..<min(range.upperBound, range.lowerBound + Self.mostMeterFrames)
    var stages: [JSONValue] = [
      .members(
        [("stage", .null), ("title", "Input")]
          + SoundViews(input, frames: frames).levels())
    ]
    for entry in content.entries {
      let text = ChainText(
        content, ChainText.Options(folder: folder, lastStage: entry.id, leavesOutFiles: true))
      var title = entry.name ?? ""
      if title.isEmpty {
        if case .unit(let unit) = entry.kind {
          title = shelf.title(unit.unit).title
        } else {
          title = "Branches"
        }
      }
      let about: [(String, JSONValue?)] = [("stage", .string(entry.id)), ("title", .string(title))]
      do {
        let samples = try LoopSession.render(
          program, text.text, readable: folders.paths, input, frames)
        let path = scratch.newPath(".wav")
        defer { unsafe unlink(path) }
        let bytes = FloatSound.wave(
          samples, channelCount: input.channelCount, sampleRate: input.sampleRate)
        try scratch.store(bytes, at: path)
        let sound = try FloatSound(path)
        stages.append(.members(about + SoundViews(sound, frames: 0..<sound.frameCount).levels()))
      } catch {
        var fault = StageFinder.placed(StudioFault(error), text, content)
        if fault.place?["stage"] == nil { fault.place = .members([("stage", .string(entry.id))]) }
        stages.append(.members(about + [("error", fault.json)]))
        break
      }
    }
    return .members([("stages", .array(stages))])
  }
}
