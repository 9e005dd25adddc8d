// Routes to pictures of chains: responses, level curves, impulses, levels behind every stage.
// SPDX-License-Identifier: Apache-2.0

import ChainPlots
import Foundation
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
      // Once it is done: a rendering that failed has no levels.
      _ = try renders.sound(words[0])
      let input = try scratch.input(render.input)
      let meters = try meters(
        render.content, folder: Path.folder(of: render.input), input, 0..<input.frameCount)
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
          document.audible(loop.setting), folder: document.folder, loop.input, loop.range))
    }
  }

  // MARK: Plots

  private func plot(_ id: String, _ question: Question) throws -> JSONValue {
    let document = try chains.document(id)
    let word = question.query["kind"] ?? "response"
    guard let kind = PlotKind(rawValue: word), kind != .spectrogram else {
      throw StudioFault(.usage, "kind takes response, phase, curve, impulse or step, not '\(word)'")
    }
    var state = document.state
    if let stage = question.query["stage"], !stage.isEmpty {
      guard let found = state.stage(stage) else {
        throw StudioFault(.notFound, "the chain \(id) has no stage \(stage)")
      }
      state.entries = [found]
    }
    // A chain without units leaves everything unchanged.
    guard !state.entries.isEmpty else {
      let figure = try PlotFigure(PlotRequest(kind, of: []), of: NoUnits())
      return Self.json(figure, kind, document.revision)
    }
    for index in state.entries.indices { Self.leaveOutSideChains(&state.entries[index]) }
    let options = ChainText.Options(folder: document.folder, leavesOutFiles: true)
    let name = state.name.isEmpty ? "Untitled" : state.name
    let plain = state.withoutTexts
    let job = PlotSession.Job(
      kind: kind, name: name, chain: plain, text: ChainText(plain, options))
    do {
      let figure = try plots.figure(of: "\(id) \(question.query["stage"] ?? "")", job)
      return Self.json(figure, kind, document.revision)
    } catch {
      let fault = StageFinder.placed(StudioFault(error), job.text, plain)
      // A unit that crashed would crash again.
      if fault.kind == .software { throw fault }
      return try measured(kind, ChainText(state, options), state, document.revision)
    }
  }

  /// The picture as the command makes it: of chains that need whole sounds; and the faults of others.
  private func measured(
    _ kind: PlotKind, _ text: ChainText, _ state: ChainState, _ revision: Int
  ) throws -> JSONValue {
    let preset = try scratch.write(text.text, ".yaml")
    defer { unsafe unlink(preset) }
    let end = ProgramCommand().run(
      program, ["plot", "--kind", kind.rawValue, "--format", "json", "--", preset])
    guard end.code == 0,
      let figure = try? JSONDecoder().decode(PlotFigure.self, from: Data(end.output))
    else { throw StageFinder.placed(end.fault, text, state) }
    return Self.json(figure, kind, revision)
  }

  /// Side chains from stages that are not in the picture would be faults.
  private static func leaveOutSideChains(_ stage: inout ChainStage) {
    guard case .unit(var unit) = stage.kind else { return }
    unit.sideChains.removeAll { $0["from"]?.text != "input" && $0["file"] == nil }
    stage.kind = .unit(unit)
  }

  private static func json(_ figure: PlotFigure, _ kind: PlotKind, _ revision: Int) -> JSONValue {
    func range(_ axis: PlotFigure.Axis) -> JSONValue {
      .array([JSONValue(axis.low), JSONValue(axis.high)])
    }
    func points(_ curve: PlotFigure.Curve) -> JSONValue {
      .members([
        ("name", .string(curve.name)),
        (
          "points", .array(zip(curve.x, curve.y).map { .array([JSONValue($0), JSONValue($1)]) })
        ),
      ])
    }
    return .members([
      ("kind", .string(kind.rawValue)), ("revision", JSONValue(revision)),
      ("title", .string(figure.title)),
      ("xLabel", .string(figure.x.label)), ("yLabel", .string(figure.y.label)),
      ("xLogarithmic", .boolean(figure.x.isLogarithmic)),
      ("yLogarithmic", .boolean(figure.y.isLogarithmic)),
      ("xRange", range(figure.x)), ("yRange", range(figure.y)),
      ("curves", .array(figure.curves.map(points))),
      ("reference", figure.reference.map(points) ?? .null),
    ])
  }

  // MARK: Meters

  /// The most frames that are rendered for the levels behind each stage.
  private static let mostMeterFrames = 20 * 48_000

  /// Level and spectrum behind every stage, those of branches among them, in the order of the signal.
  private func meters(
    _ content: ChainState, folder: String?, _ input: FloatSound, _ range: Range<Int>
  ) throws -> JSONValue {
    let frames = range.lowerBound..<min(range.upperBound, range.lowerBound + Self.mostMeterFrames)
    var stages: [JSONValue] = [
      .members(
        [("stage", .null), ("title", "Input")]
          + SoundViews(input, frames: frames).levels())
    ]
    var failed: [String] = []
    let options = ChainText.Options(folder: folder, leavesOutFiles: true)
    let plain = content.withoutTexts
    let whole = (plain, ChainText(plain, options))
    var session = levels.session(input)
    for stage in content.stagesInOrder {
      guard let part = content.cut(behind: stage.id)?.withoutTexts,
        !failed.contains(where: { part.stage($0) != nil })
      else { continue }
      let text = ChainText(part, options)
      let about: [(String, JSONValue?)] = [
        ("stage", .string(stage.id)), ("title", .string(title(stage))),
      ]
      do {
        let found = try levels.behind((part, text), of: whole, input, frames, &session)
        stages.append(.members(about + found))
      } catch {
        var fault = StageFinder.placed(StudioFault(error), text, part)
        if fault.place?["stage"] == nil { fault.place = .members([("stage", .string(stage.id))]) }
        stages.append(.members(about + [("error", fault.json)]))
        failed.append(stage.id)
      }
    }
    return .members([("stages", .array(stages))])
  }

  private func title(_ stage: ChainStage) -> String {
    if let name = stage.name, !name.isEmpty { return name }
    switch stage.kind {
    case .unit(let unit): return shelf.title(unit.unit).title
    case .parallel: return "Branches"
    case .noise: return "Noise"
    }
  }
}

/// A chain without units.
private struct NoUnits: PlotSubject {
  let name = "no units"
  let label = "unchanged"

  func run(_ signal: [Float]) -> [[Float]] { [signal] }
}
