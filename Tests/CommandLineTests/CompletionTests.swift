// Completions of units, parameters and presets: the program's offers, and their use in bash.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct CompletionTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  /// Returns the program's offers for the last of these words, as a shell requests them.
  private func offers(
    _ option: String, _ words: String..., shell: String = "bash"
  ) throws -> [String] {
    let line = ["auricle", "process"] + words
    let last = line.last ?? ""
    return try runAuricle(
      ["---completion", "process", "--", option, "\(line.count - 1)", "\(last.count)"] + line,
      environment: box.environment.merging(["SAP_SHELL": shell]) { $1 }, in: box.folder.path
    ).lines
  }

  @Test func unitsAreOffered() throws {
    #expect(try offers("--unit", "--unit", "aufx:lp") == ["aufx:lpas:appl"])
    #expect(try offers("--unit", "--unit", "Auricle: Low").contains("Auricle: Low-Pass Filter"))
    let amp = "http://lv2plug.in/plugins/eg-amp"
    #expect(try offers("--unit", "--unit", "http://lv2plug.in/plugins/eg-a") == [amp])
    // Names are units' in any letter case, of which the letters that were typed remain.
    #expect(try offers("--unit", "--unit", "aurICLE: Low").contains("aurICLE: Low-Pass Filter"))
    // To zsh, text behind a colon is a description.
    #expect(
      try offers("--unit", "--unit", "aufx:lp", shell: "zsh").first == "aufx\\:lpas\\:appl")
    #expect(try offers("--unit", "--unit", "aufx:lp", shell: "fish") == ["aufx:lpas:appl"])
  }

  @Test func parametersOfTheUnitBeforeAreOffered() throws {
    let filter = ["--unit", "aufx:lpas:appl"]
    #expect(
      try offers("--set", filter[0], filter[1], "--set", "")
        == ["cutoff frequency=", "resonance=", "design="])
    let values = try offers("--set", filter[0], filter[1], "--set", "resonance=")
    #expect(values.contains("resonance=0") && values.count == 3, "\(values)")
    // The unit nearest before counts, and quotes are the shell's.
    #expect(
      try offers(
        "--set", "--unit", "aufx:lpas:appl", "--unit", "'aufx:dcmp:appl'", "--set", "thr"
      ).contains("threshold="))
    // Any letter case, of which the letters that were typed remain.
    #expect(
      try offers("--set", filter[0], filter[1], "--set", "CUT") == ["CUToff frequency="])
    #expect(try offers("--set", "--set", "x").isEmpty)
    let presets = try offers("--unit-preset", "--unit", "aufx:mrev:appl", "--unit-preset", "")
    #expect(presets.count > 1, "\(presets)")
  }

  @Test func atMostTwoHundredUnitsAreOffered() throws {
    #expect(try offers("--unit", "--unit", "").count <= 200)
  }

  @Test func rulesOfTheValidatorAreOffered() throws {
    let offered = try runAuricle(
      ["---completion", "validate", "--", "--only", "3", "0", "auricle", "validate", "--only", ""],
      environment: box.environment.merging(["SAP_SHELL": "bash"]) { $1 }
    ).lines
    #expect(offered.contains { $0.hasPrefix("state.") }, "\(offered)")
  }

  /// The shells' own words for "after `help preset`".
  @Test(arguments: [
    ("zsh", "preset) compadd list show check export save delete;;"),
    (
      "fish",
      "help preset\\$\" -- \"$(commandline -opc | string join \" \")\"' -fa 'list show check"
    ),
  ]) func helpOffersTheCommandsBelowAnother(shell: String, offer: String) throws {
    let script = try runAuricle(["--generate-completion-script", shell])
    #expect(script.standardOutput.contains(offer), "\(script.summary)")
  }

  /// Bash splits words at ':' and '=', so the completions have to fit behind them.
  @Test(arguments: [
    ("process --unit aufx:lp", "lpas:appl"), ("info aufx:dcm", "dcmp:appl"),
    ("process --unit http://lv2plug.in/plugins/eg-a", "//lv2plug.in/plugins/eg-amp"),
    ("process --unit aufx:lpas:appl --set reso", "resonance="),
    ("process --unit aufx:lpas:appl --set cut", "cutoff\\ frequency="),
    ("process --unit aufx:lpas:appl --set resonance=", "0"),
    ("process --preset teleph", "telephone"), ("process -p teleph", "telephone"),
    ("process --preset TELEPH", "TELEPHone"), ("help val", "validate"), ("help preset sh", "show"),
    // The shell adds the slash behind a folder.
    ("process --preset hou", "house"),
  ]) func bashCompletesWholeWords(line: String, offer: String) throws {
    let script = try runAuricle(["--generate-completion-script", "bash"])
    try box.folder.makeFolder("house")
    try box.folder.write(script.standardOutput, to: "auricle.bash")
    // As readline calls it: words parted at its breaks, the last of them to be completed.
    try box.folder.write(
      """
      auricle() { \(Places.auricle) "$@"; }
      compopt() { :; }
      . ./auricle.bash
      COMP_LINE="$1" COMP_POINT=${#1}
      mapfile -t COMP_WORDS < <(grep -oE '[^ :=]+|[:=]+' <<< "$1")
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      __auricle_whole_words auricle "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """, to: "complete.sh")
    let result = try runProcess(
      "/bin/bash", ["complete.sh", "auricle " + line], environment: box.environment,
      in: box.folder.path)
    #expect(result.lines.contains(offer), "\(result.summary)")
    #expect(result.standardError.isEmpty, "\(result.summary)")
  }
}
