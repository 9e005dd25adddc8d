// Runs files that are named one by one with their results: stems of songs, lines that are said.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import ChainPresets
import Foundation
import HostSystem
import ResultSettings
import RunLedgers

/// Runs listed files.
struct ListedFilesRun {
  private let request: ListedFilesRequest
  private let preparation: RunPreparation

  init(_ request: ListedFilesRequest, _ host: HostPlaces, _ control: RunControl) {
    self.request = request
    var work = request.work
    // A text is said as a whole before it is rendered.
    work.longerOpening = Double(request.items.map(\.input.textLength).max() ?? 0) / 250
    preparation = RunPreparation(
      host: host, chain: request.chain, results: request.results, work: work, control: control)
  }

  /// Runs the files.
  func go() throws -> RunOutcome {
    let folder = try ScratchFolder()
    defer { folder.remove() }
    let preset = try preparation.readPreset()
    let settings = try request.results.settings(
      for: preset, file: request.items.first?.outputs.first)
    try preset.refuse(variantCount: nil, seed: request.seed)
    var entries: [PlanEntry] = []
    for (index, item) in request.items.enumerated() {
      guard item.outputs.count == settings.deliverables.count else {
        throw AuricleError(
          .usage,
          "the preset writes several files for each song, which 'auricle render' does not: remove its 'render' block"
        )
      }
      entries.append(try entry(index, item, preset, folder))
    }
    var run = UnrecordedRun(
      preparation: preparation, preset: preset, settings: settings, entries: entries)
    run.seed = request.seed
    return try run.go(in: folder)
  }

  private func entry(
    _ index: Int, _ item: ListedFilesRequest.Item, _ preset: ChainPreset, _ folder: ScratchFolder
  ) throws -> PlanEntry {
    var entry = PlanEntry(index: index, input: item.name, output: item.outputs[0])
    entry.others = Array(item.outputs.dropFirst())
    entry.track = item.track
    switch item.input {
    case .file(let path):
      entry.opens = path
      entry.byteCount = FileIdentity.of(path)?.stamp.byteCount ?? 0
      entry.key = (path as NSString).lastPathComponent
    case .text(let text):
      let path = folder.path + "/text-\(index)"
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      entry.opens = path
      entry.byteCount = text.utf8.count
      entry.key = item.name
    }
    if preset.hasRandomValues { entry.variant = 1 }
    guard let present = item.outputs.first(where: FileIdentity.exists) else { return entry }
    switch request.results.existingPolicy {
    case .overwrite: break
    case .skip: entry.isSkipped = true
    case .error, .rename:
      entry.error = AuricleError(
        .inputOutput,
        "\(present) exists: give --overwrite to replace it, --on-exists skip, or another name")
    }
    return entry
  }
}

extension ListedFilesRequest.Item.Input {
  /// Bytes of a text; 0 for a file.
  fileprivate var textLength: Int {
    switch self {
    case .file: 0
    case .text(let text): text.utf8.count
    }
  }
}
