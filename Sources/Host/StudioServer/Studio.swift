// What the studio has open: units, chains, sounds, runs, live sound, windows.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleHost
import ChainPresets
import HostSystem
import Synchronization

/// The state of the studio that routes answer from.
final class Studio: Sendable {
  let installation = AuricleInstallation()
  let program: String
  let folders: AllowedFolders
  let isReadOnly: Bool
  /// Changes with every start.
  let instance = Gate.makeToken()
  let hub: SocketHub
  let shelf: UnitShelf
  let favourites: Favourites
  let scratch: ScratchSounds
  let sockets = SocketFolder()
  let chains: ChainBook
  let loops: LoopShelf
  let renders: RenderShelf
  let runs: RunShelf
  let live: LiveLink
  let windows: UnitWindows
  let values: StageValues
  let plots: PlotShelf
  let levels: StageLevels

  /// Opens what the last studio kept.
  ///
  /// - Throws: `.noInput` for a folder that is not there, `.inputOutput` where nothing can be written.
  init(_ request: StudioRequest) throws {
    let program = installation.host.executable
    self.program = program
    folders = try AllowedFolders(request.folders)
    isReadOnly = request.isReadOnly
    let link = LiveLinkReference()
    let hub = SocketHub { link.value?.wake() }
    self.hub = hub
    let shelf = UnitShelf(installation)
    self.shelf = shelf
    favourites = Favourites(
      path: PresetLibrary.userFolder.map { Path.folder(of: $0) + "/studio.json" })
    scratch = try ScratchSounds(program: program)
    let places = folders
    let loops = LoopShelf(program: program, hub: hub)
    self.loops = loops
    let plots = PlotShelf(program: program, readable: folders.paths)
    self.plots = plots
    levels = StageLevels(program: program, readable: folders.paths, scratch: scratch)
    chains = ChainBook(folder: request.stateFolder ?? Self.stateFolder) { id, document, client in
      guard let document else {
        loops.close(ofChain: id)
        plots.close(ofChain: id)
        hub.publish("chain \(id)", .members([("type", "chainClosed"), ("id", .string(id))]))
        hub.publish("chains", .members([("type", "chains")]))
        return
      }
      loops.changed(document)
      guard hub.hasListeners else { return }
      hub.publish(
        "chain \(id)", order: document.revision,
        .members([
          ("type", "chain"), ("id", .string(id)), ("revision", JSONValue(document.revision)),
          ("client", client.map(JSONValue.string) ?? .null),
          ("document", document.json(shelf, reference: places.reference)),
        ]))
      if document.revision == 1 { hub.publish("chains", .members([("type", "chains")])) }
    }
    renders = RenderShelf(hub: hub, scratch: scratch, program: program)
    runs = RunShelf(program: program, hub: hub, folders: places)
    live = LiveLink(shelf, hasListeners: { hub.hasListeners }) {
      guard hub.hasListeners, let live = link.value else { return }
      hub.publish("live", .object([JSONValue.Member("type", "live")] + (live.json.members ?? [])))
    }
    windows = UnitWindows { window in
      hub.publish(
        "window \(window["id"]?.text ?? "")",
        .object([JSONValue.Member("type", "window")] + (window.members ?? [])))
    }
    values = StageValues(program: program, scratch: scratch)
    link.value = live
    let chains = chains
    WorkThreads.start { chains.keep() }
    // The first page finds the units listed.
    WorkThreads.start { shelf.list() }
  }

  /// `$XDG_STATE_HOME/auricle/studio`.
  private static var stateFolder: String? {
    let variable = RuntimeFolder.environmentVariable
    if let folder = variable("XDG_STATE_HOME"), folder.hasPrefix("/") {
      return folder + "/auricle/studio"
    }
    return variable("HOME").map { $0 + "/.local/state/auricle/studio" }
  }

  /// Ends all that was started, and keeps the chains.
  func close() {
    runs.stopAll()
    windows.closeAll()
    live.stop()
    loops.closeAll()
    renders.closeAll()
    chains.close()
    scratch.remove()
    sockets.remove()
  }

  /// A chain as pages see it.
  func json(_ document: ChainDocument) -> JSONValue {
    document.json(shelf, reference: folders.reference)
  }

  /// The first message to a page.
  var hello: JSONValue {
    .members([
      ("type", "hello"), ("instance", .string(instance)), ("version", .string(AuricleVersion.text)),
    ])
  }

  /// Answers a message of a page.
  func receive(_ message: JSONValue) -> JSONValue? {
    switch message["type"]?.text {
    case "ping": return .members([("type", "pong")])
    case "loopAt":
      if let id = message["loop"]?.text, let frame = message["frame"]?.integer {
        loops.loop(id)?.play(at: frame)
      }
    default: break
    }
    return nil
  }
}

/// Holds the live link for its own notices.
private final class LiveLinkReference: Sendable {
  private let held = Mutex<LiveLink?>(nil)
  var value: LiveLink? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
}

/// The loops that pages hear.
final class LoopShelf: Sendable {
  private struct State {
    var loops: [String: Loop] = [:]
    var last = 0
  }

  private let state = Mutex(State())
  private let program: String
  private let hub: SocketHub
  /// Each has a process with its chain.
  private static let mostLoops = 12

  init(program: String, hub: SocketHub) { (self.program, self.hub) = (program, hub) }

  func loop(_ id: String) -> Loop? { state.withLock { $0.loops[id] } }

  /// The text that loops of a chain hear.
  static func text(_ document: ChainDocument, _ setting: String?) -> (ChainState, ChainText) {
    let content = document.audible(setting).withoutTexts
    let options = ChainText.Options(folder: document.folder, leavesOutFiles: true)
    return (content, ChainText(content, options))
  }

  /// Begins a loop.
  ///
  /// - Throws: `.conflict` with too many of them.
  func add(_ document: ChainDocument, _ make: (String) -> Loop, readable: [String]) throws -> Loop {
    let loop = try state.withLock { state in
      guard state.loops.count < Self.mostLoops else {
        throw StudioFault(.conflict, "\(Self.mostLoops) loops are open: close one first")
      }
      state.last += 1
      let loop = make("l\(state.last)")
      state.loops[loop.id] = loop
      return loop
    }
    let (content, text) = Self.text(document, loop.setting)
    loop.want(document.revision, content, text)
    let (program, hub) = (program, hub)
    WorkThreads.start {
      loop.run(program, readable: readable) { hub.publish("loop \(loop.id)", loop.news) }
    }
    return loop
  }

  /// Tells loops of a change.
  func changed(_ document: ChainDocument) {
    for loop in state.withLock({ Array($0.loops.values) }) where loop.chain == document.id {
      let (content, text) = Self.text(document, loop.setting)
      loop.want(document.revision, content, text)
    }
  }

  func close(_ id: String) throws {
    guard let loop = state.withLock({ $0.loops.removeValue(forKey: id) }) else {
      throw StudioFault(.notFound, "there is no loop \(id)")
    }
    loop.close()
  }

  func close(ofChain chain: String) {
    for loop in state.withLock({ Array($0.loops.values) }) where loop.chain == chain {
      try? close(loop.id)
    }
  }

  func closeAll() { for loop in state.withLock({ Array($0.loops.values) }) { loop.close() } }
}

/// The sounds that were rendered ahead.
final class RenderShelf: Sendable {
  private struct State {
    var renders: [String: Render] = [:]
    var order: [String] = []
    var keys: [String: String] = [:]
    var last = 0
  }

  private let state = Mutex(State())
  private let hub: SocketHub
  private let scratch: ScratchSounds
  private let program: String
  private static let mostRenders = 16

  init(hub: SocketHub, scratch: ScratchSounds, program: String) {
    (self.hub, self.scratch, self.program) = (hub, scratch, program)
  }

  /// - Throws: `.notFound` where there is none.
  func render(_ id: String) throws -> Render {
    guard let render = state.withLock({ $0.renders[id] }) else {
      throw StudioFault(.notFound, "there is no rendering \(id)")
    }
    return render
  }

  /// The sound of a rendering.
  ///
  /// - Throws: `.conflict` while it is not done, its own fault where it failed.
  func sound(_ id: String) throws -> FloatSound {
    let state = try render(id).state.withLock { $0 }
    if let sound = state.sound { return sound }
    throw state.fault ?? StudioFault(.conflict, "the rendering \(id) is not done yet")
  }

  /// Renders a file, or returns the rendering that there is of the same chain and file.
  func begin(
    _ document: ChainDocument, setting: String?, reference: String, input: String
  ) -> Render {
    let content = document.audible(setting)
    let text = ChainText(content, ChainText.Options(folder: document.folder))
    let stamp = FileStamp(path: input)
    let key =
      "\(document.id)\n\(input)\n\(stamp?.byteCount ?? 0) \(stamp?.modified ?? 0)\n\(text.text)"
    let (render, isNew, old) = state.withLock { state -> (Render, Bool, Render?) in
      if let id = state.keys[key], let known = state.renders[id],
        known.state.withLock({ $0.name }) != "failed"
      {
        return (known, false, nil)
      }
      state.last += 1
      let made = Render(
        id: "r\(state.last)", document: document, content: content, text: text,
        reference: reference, input: input)
      state.renders[made.id] = made
      state.order.append(made.id)
      state.keys[key] = made.id
      var old: Render?
      if state.order.count > Self.mostRenders {
        old = state.renders.removeValue(forKey: state.order.removeFirst())
        state.keys = state.keys.filter { state.renders[$0.value] != nil }
      }
      return (made, true, old)
    }
    if let old { discard(old) }
    guard isNew else { return render }
    let (scratch, program, hub) = (scratch, program, hub)
    WorkThreads.start {
      render.run(scratch, program) {
        hub.publish(
          "render \(render.id)",
          .object([JSONValue.Member("type", "render")] + (render.json.members ?? [])))
      }
    }
    return render
  }

  func remove(_ id: String) throws {
    let render = try render(id)
    state.withLock { state in
      state.renders[id] = nil
      state.order.removeAll { $0 == id }
      state.keys = state.keys.filter { $0.value != id }
    }
    discard(render)
  }

  private func discard(_ render: Render) {
    render.stop()
    if let path = render.state.withLock({ $0.sound?.path }) { unsafe unlink(path) }
  }

  func closeAll() { for render in state.withLock({ Array($0.renders.values) }) { render.stop() } }
}

/// The runs of this studio.
final class RunShelf: Sendable {
  private struct State {
    var runs: [String: StudioRun] = [:]
    var last = 0
  }

  private let state = Mutex(State())
  private let program: String
  private let hub: SocketHub
  private let folders: AllowedFolders

  init(program: String, hub: SocketHub, folders: AllowedFolders) {
    (self.program, self.hub, self.folders) = (program, hub, folders)
  }

  /// All runs, the newest first.
  var all: [StudioRun] {
    state.withLock { Array($0.runs.values) }.sorted {
      (Int($0.id.dropFirst(3)) ?? 0) > (Int($1.id.dropFirst(3)) ?? 0)
    }
  }

  /// - Throws: `.notFound` where there is none.
  func run(_ id: String) throws -> StudioRun {
    guard let run = state.withLock({ $0.runs[id] }) else {
      throw StudioFault(.notFound, "there is no run \(id)")
    }
    return run
  }

  /// Begins a run.
  func begin(words: [String], output: String, chain: String?) throws -> StudioRun {
    let run = state.withLock { state in
      state.last += 1
      let run = StudioRun(id: "run\(state.last)", words: words, output: output, chain: chain)
      state.runs[run.id] = run
      return run
    }
    try start(run, resumed: false)
    return run
  }

  /// Runs it, or goes on with it.
  func start(_ run: StudioRun, resumed: Bool) throws {
    try run.begin()
    let (program, hub, folders) = (program, hub, folders)
    WorkThreads.start {
      run.run(program, resumed: resumed) {
        guard hub.hasListeners else { return }
        hub.publish(
          "run \(run.id)",
          .object([JSONValue.Member("type", "run")] + (run.json(folders).members ?? [])))
      }
    }
  }

  func remove(_ id: String) throws {
    guard try !run(id).isActive else {
      throw StudioFault(.conflict, "the run \(id) is at work: stop it first")
    }
    state.withLock { $0.runs[id] = nil }
  }

  func stopAll() { for run in all { run.stop() } }
}
