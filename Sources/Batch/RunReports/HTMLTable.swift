// Files of a report as HTML tables, for browsers without scripts and for the script's details.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FileRendering
import ResultSettings
import RunLedgers
import Workers

/// The tables of a report's page.
///
/// They are inside `noscript`, which a browser with scripts treats as text, at little cost; the script reads
/// the details from it.
struct HTMLTable {
  /// Whether loudness was measured; otherwise peaks and RMS are shown.
  let isLoud: Bool
  /// Whether there are pictures.
  let hasPictures: Bool
  /// Whether the latency was kept.
  let keepsLatency: Bool
  /// Whether a level was asked for, so that gains are shown.
  let setsLevel: Bool
  /// Where files are.
  let links: FileLinks

  init(_ overview: RunOverview, _ links: FileLinks) {
    let tally = overview.state.tally
    isLoud = tally.after.loudness.count > 0 || tally.after.truePeak.count > 0
    hasPictures = overview.manifest.pictures != nil
    keepsLatency = overview.manifest.settings.latency == .keep
    setsLevel = overview.manifest.settings.deliverables.contains {
      $0.loudness != nil || $0.peak != nil || $0.truePeak != nil
    }
    self.links = links
  }

  /// A row for a file.
  func row(_ file: ReportedFile, _ pictures: FilePictures?) -> String {
    let record = file.record
    let result = record?.result
    func escaped(_ text: String) -> String { HTMLHead.escaped(text) }
    var text = "<tr><td class=\"state \(file.status)\">\(file.status)</td>"
    text += "<th scope=\"row\" class=\"name\">"
    text += "<bdi>\(escaped(file.entry.input))</bdi>"
    if let error = record?.error {
      text += "<span class=\"bad\">\(escaped(Self.short(error.message, file.entry.input)))</span>"
    } else if case let output = record?.output ?? file.entry.output, !output.isEmpty {
      let more = result?.others.count ?? file.entry.others.count
      let link = record?.stored == nil ? nil : links.result(output)
      text += "<span class=\"quiet\">→ " + Self.linked("<bdi>\(escaped(output))</bdi>", link)
      if more > 0 { text += " and \(more) more" }
      text += "</span>"
    }
    text += "<details><summary>Details</summary><dl>"
    for detail in HTMLRow.details(file, keepsLatency: keepsLatency, links) {
      let value = Self.linked(escaped(detail.value), detail.link)
      text += "<dt>\(detail.name)</dt><dd>\(value)</dd>"
    }
    text += "</dl></details></th>"
    let length = result.map { Figures.duration($0.outputDuration) }
    text += "<td class=\"n\">\(length ?? "–")</td>"
    if isLoud {
      let (before, after) = (result?.loudnessBefore, result?.loudnessAfter)
      text += Self.pair(before?.integrated, after?.integrated)
      text += Self.pair(before?.truePeak, after?.truePeak)
    } else {
      text += Self.pair(result?.before.peakDecibels, result?.after.peakDecibels)
      text += Self.pair(result?.before.rmsDecibels, result?.after.rmsDecibels)
    }
    if setsLevel { text += Self.pair(result?.levelChange?.gain, result?.levelChange?.reduction) }
    if hasPictures {
      text += "<td class=\"edge\">\(Self.picture(pictures?.before, "before"))</td>"
      text += "<td>\(Self.picture(pictures?.after, "after"))</td>"
    }
    return text + "</tr>"
  }

  /// A table of the files from an index in the plan on.
  func text(_ rows: [String], from first: Int) -> String {
    let sides = ["before", "after"]
    var groups = (isLoud ? ["Loudness, LUFS", "True peak, dBTP"] : ["Peak, dBFS", "RMS, dBFS"]).map
    { (name: $0, kind: "n", columns: sides) }
    if setsLevel { groups.append(("Level, dB", "n", ["gain", "limiter"])) }
    if hasPictures { groups.append(("Waveform and spectrogram", "", sides)) }
    var above = ""
    var below = ""
    for group in groups {
      above += "<th scope=\"colgroup\" colspan=\"2\" class=\"group\">\(group.name)</th>"
      below += "<th scope=\"col\" class=\"\(group.kind) edge\">\(group.columns[0])</th>"
      below += "<th scope=\"col\" class=\"\(group.kind)\">\(group.columns[1])</th>"
    }
    let last = first + rows.count - 1
    let caption = first == last ? "File \(first)" : "Files \(first) to \(last)"
    return """
      <noscript class="part"><div class="scroll"><table class="files static"><caption>\(caption)</caption>\
      <thead><tr><th scope="col" rowspan="2">Status</th><th scope="col" rowspan="2" class="name">File</th>\
      <th scope="col" rowspan="2" class="n">Length</th>\(above)</tr><tr>\(below)</tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></div></noscript>

      """
  }

  /// A piece of the page that leads to a file, where there is one.
  private static func linked(_ text: String, _ link: String?) -> String {
    link.map { "<a href=\"\(HTMLHead.escaped($0))\">\(text)</a>" } ?? text
  }

  private static func pair(_ before: Double?, _ after: Double?) -> String {
    let (old, new) = (HTMLRow.level(before), HTMLRow.level(after))
    return "<td class=\"n edge\">\(old)</td><td class=\"n\">\(new)</td>"
  }

  private static func picture(_ data: String?, _ side: String) -> String {
    guard let data else { return "–" }
    return "<img alt=\"Waveform and spectrogram \(side)\" src=\"data:image/png;base64,\(data)\">"
  }

  /// A message without the name of its file, which the row shows.
  private static func short(_ message: String, _ input: String) -> String {
    guard message.utf8.starts(with: input.utf8) else { return message }
    let rest = String(decoding: message.utf8.dropFirst(input.utf8.count), as: UTF8.self)
    if rest.hasPrefix(": ") { return String(rest.dropFirst(2)) }
    return rest.hasPrefix(" ") ? String(rest.dropFirst()) : message
  }
}
