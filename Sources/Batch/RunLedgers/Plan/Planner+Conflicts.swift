// Conflicts of results: names that several would get, and existing files; found when all files are known.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import HostSystem

extension Planner {
  /// The checks that need all files: name conflicts, and results that would replace inputs. `entry` returns
  /// an entry of the plan.
  ///
  /// - Throws: As `run`.
  public func check(
    _ entry: (Int) throws(AuricleError) -> PlanEntry?
  ) throws(AuricleError) {
    if clashCount > 0 {
      var texts: [String] = []
      var areNeighbours = true
      var hasSegments = false
      for clash in clashes {
        if clash.index == clash.other {
          let input = try entry(clash.index)?.input ?? "a file"
          throw AuricleError(
            .usage,
            "two results of \(input) would both be written to \(clash.output): "
              + "distinguish them by {render} in --name")
        }
        let first = try entry(clash.other)?.input ?? "another file"
        let planned = try entry(clash.index)
        let second = planned?.input ?? "a file"
        if planned?.segment != nil { hasSegments = true }
        texts.append(
          "\(first) and \(second) would both be written to \(clash.output)"
            + (clash.isFolder ? ", which cannot be a file and a folder" : ""))
        if Self.folder(first) != Self.folder(second) { areNeighbours = false }
      }
      throw AuricleError(
        .usage,
        Self.sentence(texts, clashCount)
          + (foldsNames ? " (the folder ignores letter case)" : "")
          + ": process them in two runs with different --output folders"
          + distinctNames(areNeighbours, hasSegments: hasSegments))
    }
    if request.existing == .error, request.backupSuffix == nil, let first = existing.first {
      let text =
        existingCount == 1
        ? "\(first) exists" : "\(first) and \(existingCount - 1) more of the outputs exist"
      throw AuricleError(
        .inputOutput,
        text + ", nothing was done: give --overwrite to replace, --on-exists "
          + (request.acceptsSongs ? "skip" : "skip or rename") + ", or \(otherPlace)")
    }
  }

  /// The place for results that users choose when the first one is occupied.
  var otherPlace: String {
    if case .folder = request.destination { "another output folder" } else { "another name" }
  }

  /// The option by which two results have different names, where there is one.
  private func distinctNames(_ areNeighbours: Bool, hasSegments: Bool) -> String {
    guard !request.acceptsSongs else { return "" }
    if hasSegments { return ", or distinguish parts of a file by {segment} in --name" }
    // `talk.wav` beside `talk.mp3`: the folder does not distinguish them, the whole names do.
    let template = areNeighbours ? "{dir}/{name}.{ext}" : "{path}/{stem}.{ext}"
    return ", or distinguish them by --name \"\(template)\""
  }

  /// A path without its last part.
  private static func folder(_ path: String) -> String {
    String(decoding: path.utf8.dropLast(Path.lastComponent(path).utf8.count), as: UTF8.self)
  }
}
