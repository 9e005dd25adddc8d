// The report as a web page: whole, harmless for any file names, with pictures on request.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct HTMLReportTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try box.folder.makeFolder("in")
  }

  private func makeSound(_ name: String, frameCount: Int = 48_000) throws {
    try Sound(
      [TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: frameCount)], sampleRate: 48_000
    ).write(to: box("in/" + name), encoding: .pcm16)
  }

  private func process(_ more: String...) throws -> ProcessResult {
    try runAuricle(
      ["process", "--unit", "aufx:lpas:appl", "--output", "out", "-q"] + more + ["in"],
      environment: box.environment, in: box.folder.path)
  }

  private func page(_ name: String = "report.html") throws -> String {
    try String(contentsOfFile: box(name), encoding: .utf8)
  }

  /// The JSON of all data of a kind in a page, one value after the other.
  private func data(_ kind: String, in page: String) throws -> [Any] {
    let pattern = try Regex(
      "<script type=\"application/json\" class=\"\(kind)\">([^<]*)</script>")
    return try page.matches(of: pattern).flatMap { match -> [Any] in
      let text = String(match.output[1].substring ?? "")
      let value = try JSONSerialization.jsonObject(
        with: Data(text.utf8), options: .fragmentsAllowed)
      return value as? [Any] ?? [value]
    }
  }

  /// Finds the rows of the tables for readers without scripts, one a file.
  private func rows(in page: String) -> [Substring] {
    page.split(separator: "<tr><td class=\"state ").dropFirst().map { $0 }
  }

  /// The pictures in a piece of a page.
  private func pictures(in text: some StringProtocol) -> [Data] {
    String(text).components(separatedBy: "data:image/png;base64,").dropFirst().compactMap {
      Data(base64Encoded: String($0.prefix { $0 != "\"" }))
    }
  }

  @Test func isOneFileWithPicturesAndLoudness() throws {
    try makeSound("a.wav")
    try box.folder.write("no sound", to: "in/bad.wav")
    let result = try process("--report", "report.html")
    #expect(result.exitCode == 1, "\(result.summary)")
    let page = try page()
    #expect(page.hasPrefix("<!doctype html>") && page.hasSuffix("</html>\n"))
    for word in ["http://", "https://", "src=\"//", "@import", "url("] {
      #expect(!page.contains(word), "the page asks for something: \(word)")
    }
    #expect(page.contains("is no audio file of a known kind"))
    let rows = try #require(data("rows", in: page) as? [[Any]])
    try #require(rows.count == 2)
    // Failed files come first, at any place in the plan.
    #expect(rows[0][0] as? String == "failed" && rows[0][1] as? String == "in/bad.wav")
    #expect(rows[1][0] as? String == "done" && rows[1][1] as? String == "in/a.wav")
    #expect(rows[1][4] is Double && rows[1][5] is Double, "no loudness: \(rows[1])")
    let files = self.rows(in: page)
    try #require(files.count == 2)
    #expect(pictures(in: files[0]).isEmpty)
    let images = pictures(in: files[1])
    #expect(images.count == 2 && images.allSatisfy { $0.starts(with: [0x89, 0x50, 0x4E, 0x47]) })
    // Later, from the ledger, the same; only where the page will lie is not known then.
    let later = try box.run("report", "out", "--format", "html").standardOutput
    let link = #/\ href="[^"]*"/#
    #expect(later.replacing(link, with: "") == page.replacing(link, with: ""))
    #expect(page.contains(" href=\"out/a.wav\"") && page.contains(" href=\"in/a.wav\""))
    #expect(later.contains(" href=\"file:///") && later.contains("/out/a.wav\""))
  }

  /// Every view of a run shows the request, and the changes of the level.
  @Test func reportsShowTheRequest() throws {
    try makeSound("a.wav", frameCount: 24_000)
    try makeSound("b.wav", frameCount: 24_000)
    let result = try box.run(
      "process", "--unit", "aufx:lpas:appl", "--set", "cutoff frequency=2 kHz", "--mix", "60 %",
      "--normalize", "-3", "--container", "flac", "--measure", "--output", "out", "--report",
      "pages/r.html", "in")
    #expect(result.exitCode == 74, "\(result.summary)")
    let again = try box.run(
      "process", "--unit", "aufx:lpas:appl", "--set", "cutoff frequency=2 kHz", "--mix", "60 %",
      "--normalize", "-3", "--container", "flac", "--measure", "--output", "out", "--report",
      "out/pages/r.html", "in")
    #expect(again.exitCode == 0, "\(again.summary)")
    let page = try page("out/pages/r.html")
    let unit = "Low-Pass Filter 1.0.0 (aufx:lpas:appl): cutoff frequency 2 kHz, mix 60 %"
    for text in [unit, "highest sample -3 dBFS", ">flac<"] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(page.contains("href=\"../a.flac\"") && page.contains("href=\"../../in/a.wav\""))
    #expect(page.contains("<svg class=\"chart\"") && page.contains("median "))
    // No line of the drawing crosses a count.
    let afterLines = page.components(separatedBy: "<path class=\"median\"").last
    #expect(page.components(separatedBy: "class=\"count\"").count > 1)
    #expect(afterLines?.contains("class=\"count\"") == true)
    let rows = try #require(data("rows", in: page) as? [[Any]])
    #expect(rows[0][16] is Double && rows[0][17] is Double, "no gain: \(rows[0])")
    let table = try box.run("report", "out").standardOutput
    #expect(table.contains(unit) && table.contains("Level  "), "\(table)")
    #expect(
      table.contains("loudness, LUFS  true peak, dBTP  gain, limiter"), "\(table)")
    #expect(table.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(table)")
    // Numbers are rounded alike.
    let csv = try box.run("report", "out", "--format", "csv").standardOutput
      .split(whereSeparator: \.isNewline)
    try #require(csv.count == 3)
    let names = csv[0].split(separator: ",", omittingEmptySubsequences: false)
    let cells = csv[1].split(separator: ",", omittingEmptySubsequences: false)
    for (name, cell) in zip(names, cells) where name.contains("dB") || name.contains("LU") {
      #expect(cell.isEmpty || cell.contains(/^-?\d+\.\d$/), "\(name): \(cell)")
    }
    #expect(cells[4].contains(/^\d+\.\d\d$/), "\(cells[4])")
    let gain = try #require(names.firstIndex(of: "gain dB"))
    #expect(!cells[gain].isEmpty)
  }

  @Test func variantsAndFurtherResultsAreShown() throws {
    try makeSound("a.wav")
    try box.folder.write(
      "auricle: 1\nname: R\nunits:\n  - unit: aufx:lpas:appl\n    parameters: "
        + "{cutoff frequency: {random: [200 Hz, 2 kHz]}}\nrender:\n  - {name: one}\n"
        + "  - {name: two, container: flac, encoding: pcm16}\n", to: "r.yaml")
    let result = try box.run(
      "process", "--preset", "r.yaml", "--variants", "2", "--output", "out", "--report",
      "report.html", "in")
    #expect(result.exitCode == 0, "\(result.summary)")
    let sought = try #require(data("rows", in: try page()) as? [[Any]])
    let names = (1...2).map { "out/a-\($0)-one.wav\nout/a-\($0)-two.flac" }
    #expect(sought.map { $0[2] as? String } == names)
    let files = rows(in: try page())
    try #require(files.count == 2)
    for (file, variant) in zip(files, 1...) {
      #expect(file.contains("<dt>Variant</dt><dd>\(variant)</dd>"), "\(file)")
      let drawn = file.components(separatedBy: "<dt>Random value</dt><dd>")
      #expect(drawn.count == 2 && drawn[1].prefix(60).contains("utoff"), "\(file)")
      let others = file.components(separatedBy: "<dt>Further result</dt><dd>")
      #expect(others.count == 2 && others[1].contains(".flac: flac pcm16, 48000 Hz"), "\(file)")
      #expect(file.contains(" and 1 more</span>"), "\(file)")
    }
  }

  @Test func variantsThatFailAreDistinguished() throws {
    try box.folder.write("no sound", to: "in/bad.wav")
    try box.folder.write(
      "auricle: 1\nname: R\nunits:\n  - unit: aufx:lpas:appl\n    parameters: "
        + "{cutoff frequency: {random: [200 Hz, 2 kHz]}}\n", to: "r.yaml")
    let result = try box.run(
      "process", "--preset", "r.yaml", "--variants", "2", "--output", "out", "in")
    #expect(result.exitCode == 1, "\(result.summary)")
    let lines = try box.run("report", "out").lines.filter { $0.hasPrefix("failed") }
    #expect(lines.count == 2)
    for (line, variant) in zip(lines, 1...) { #expect(line.hasSuffix("(variant \(variant))")) }
  }

  @Test func picturesAreMadeWhenTheyAreWanted() throws {
    try makeSound("a.wav")
    #expect(try process().exitCode == 0)
    let plain = try box.run("report", "out", "--format", "html").standardOutput
    #expect(pictures(in: plain).isEmpty)
    #expect(try process("--pictures", "--on-exists", "rename").exitCode == 0)
    let page = try box.run("report", "out", "--format", "html").standardOutput
    #expect(pictures(in: page).count == 2)
    // Results are the same with pictures and without.
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: box("out/a.wav")))
        == Data(contentsOf: URL(fileURLWithPath: box("out/a (2).wav"))))
  }

  @Test func namesAreNothingButText() throws {
    let names = [
      "<script>alert(1)<b>.wav",
      "</script><img src=x onerror=alert(1)>".replacing("/", with: "∕")
        + ".wav", "\"quotes\" & 'more' &amp;.wav", "line\nbreak\r.wav", "]]>--><!--.wav",
      "\u{202E}vaw.wav", "日本語 🎵.wav", "-dash.wav", "__proto__.wav",
    ]
    for name in names { try makeSound(name) }
    // A name that is no UTF-8 is a name, which can be shown, and linked by its bytes. This file is empty.
    let folder = box("in")
    let strange = Array((folder + "/latin").utf8) + [0xE9] + Array(".wav\u{0}".utf8)
    let file = unsafe strange.withUnsafeBufferPointer { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe fopen($0.baseAddress, "w") }
    }
    if let file = unsafe file { unsafe fclose(file) }
    let result = try process("--report", "report.html")
    #expect(result.exitCode == 1, "\(result.summary)")
    let page = try page()
    // Outside of the page's own script no name ends an element or begins one.
    let rows = try #require(data("rows", in: page) as? [[Any]])
    #expect(rows.count == names.count + 1)
    #expect(Set(rows.compactMap { $0[1] as? String }).isSuperset(of: names.map { "in/" + $0 }))
    #expect(!page.contains("<img src=x") && !page.contains("<script>alert"))
    #expect(page.components(separatedBy: "<script>").count == 2, "one script, the page's own")
    #expect(page.contains("in/latin\u{FFFD}.wav is empty (0 bytes)"))
    #expect(page.contains("<a href=\"in/latin%E9.wav\">in/latin\u{FFFD}.wav</a>"))
    #expect(!page.contains("\u{202E}") || !page.prefix(4000).contains("\u{202E}"))
  }

  /// Without scripts every file, its levels and its failure are there; parts that need the script are
  /// hidden until that runs. Names, headings and tables have their meaning for a screen reader.
  @Test func reportsEverythingWithoutScripts() throws {
    try makeSound("a.wav")
    try box.folder.write("no sound", to: "in/bad.wav")
    _ = try process("--report", "report.html")
    let page = try page()
    let files = rows(in: page)
    try #require(files.count == 2)
    for part in [
      "in/a.wav", "→ <a href=\"out/a.wav\"><bdi>out/a.wav</bdi></a>", "<dt>Size</dt>", "XXH64",
      "48000 Hz, 1 channel",
      "1.00 s",
      "<td class=\"n edge\">\u{2212}", "alt=\"Waveform and spectrogram before\"",
    ] {
      #expect(files[1].contains(part), "\(part)")
    }
    #expect(files[0].contains("<span class=\"bad\">is no audio file of a known kind</span>"))
    for part in [
      "<html lang=\"en\">", "<title>", "<h1>2 files, 1 failed</h1>", "<main>", "</main>",
      "<caption>Files 1 to 2</caption>", "<th scope=\"row\" class=\"name\">", "scope=\"colgroup\"",
      "<label>Search <input type=\"search\"", "role=\"search\" hidden", "id=\"table\" hidden",
      "aria-label=\"Pages\" hidden", "<td class=\"reason\">is no audio file",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    // Buttons are either made by the script or hidden until it runs.
    let above = try #require(page.range(of: "class=\"tools\""))
    #expect(!page[..<above.lowerBound].contains("<button"))
    // On paper: all columns in black on white, details open, no tools.
    #expect(page.contains("@media print") && page.contains("beforeprint"))
  }

  @Test func thousandsOfFilesAreCutIntoPieces() throws {
    try makeSound("seed.wav")
    // Names without files: they fail before a worker sees them, which is all a page needs.
    let list = (0..<2500).map { "missing/\($0).wav" }.joined(separator: "\n")
    try box.folder.write(list, to: "list.txt")
    let result = try process("--from-file", "list.txt", "--report", "report.html")
    #expect(result.exitCode == 1)
    let page = try page()
    #expect(try data("rows", in: page).count == 2501)
    #expect(page.components(separatedBy: "class=\"rows\"").count == 27)
    #expect(page.components(separatedBy: "<noscript class=\"part\">").count == 27)
    #expect(rows(in: page).count == 2501)
  }

  @Test func reportsFollowTheKindOfTheirName() throws {
    try makeSound("a.wav")
    for (name, beginning) in [
      ("r.json", "{"), ("r.csv", "index,"), ("r.txt", "Run "), ("r.html", "<!doctype"),
    ] {
      let result = try process("--report", name, "--on-exists", "overwrite")
      #expect(result.exitCode == 0, "\(result.summary)")
      #expect(try page(name).hasPrefix(beginning), "\(name)")
    }
    let refused = try process("--report", "r.pdf", "--on-exists", "overwrite")
    #expect(refused.exitCode == 64 && refused.standardError.contains(".html"))
    // Reported before the work, not after it.
    let nowhere = try process("--report", "missing/r.html", "--on-exists", "overwrite")
    #expect(nowhere.exitCode == 74 && nowhere.standardOutput.isEmpty, "\(nowhere.summary)")
    #expect(nowhere.standardError.contains("folder it is to be in"), "\(nowhere.summary)")
    let inside = try process("--report", "fresh/r.html", "--output", "fresh")
    #expect(inside.exitCode == 0, "\(inside.summary)")
    let unread = try process("--allow-read", "missing", "--on-exists", "overwrite")
    #expect(unread.exitCode == 66, "\(unread.summary)")
    let single = try box.run(
      "process", "--unit", "aufx:lpas:appl", "--output-file", "x.wav", "--report", "r.html",
      "in/a.wav")
    #expect(single.exitCode == 64, "\(single.summary)")
  }
}
