// Time left of a mixed folder: within a fifth of the true time, from the half of the run on.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileRendering
import RunLedgers
import Testing

@Suite struct RunForecastTests {
  /// A file of a run that is played through.
  struct File {
    var name: String
    var seconds: Double
    var byteCount: Int
    /// The processing time of a worker, in seconds.
    var cost: Double
    var knowsLength = true
  }

  /// Short and long, cheap and dear kinds, in the order of their folders; some of them damaged.
  static let mixed: [File] = {
    var files: [File] = []
    func add(_ count: Int, _ ending: String, _ rate: Int, _ cost: Double, knows: Bool = true) {
      for number in 0..<count {
        let seconds = Double((number * 37) % 100 + 5) * (number % 7 == 0 ? 8 : 1)
        files.append(
          File(
            name: "\(number).\(ending)", seconds: seconds, byteCount: Int(seconds) * rate,
            cost: seconds * cost + 0.02, knowsLength: knows))
      }
    }
    add(20, "wav", 176_400, 0.010)
    add(12, "mp3", 12_000, 0.014)
    add(8, "flac", 90_000, 0.011)
    add(10, "mka", 16_000, 0.016, knows: false)
    add(10, "wav", 32_000, 0.009)
    for index in stride(from: 4, to: files.count, by: 9) { files[index].cost = 0.01 }
    return files
  }()

  private func record(_ index: Int, _ file: File, elapsed: Double, fails: Bool) -> FileRecord {
    var record = FileRecord(
      index: index, status: fails ? .failed : .done, input: file.name, output: "out/" + file.name)
    record.inputByteCount = file.byteCount
    record.inputSeconds = file.knowsLength ? file.seconds : nil
    guard !fails else { return record }
    let format = AudioFileFormat(
      container: .wav, encoding: .pcm16, sampleRate: 1000, channelCount: 1)
    var result = FileResult(
      input: file.name, output: record.output, inputFormat: format, outputFormat: format,
      inputFrameCount: Int(file.seconds * 1000), outputFrameCount: Int(file.seconds * 1000))
    result.elapsedSeconds = elapsed
    record.result = result
    return record
  }

  /// Plays a run through with so many workers, and returns each estimate with the true time.
  private func estimates(
    _ files: [File], workers: Int
  ) -> [(time: Double, end: Double, left: Double)] {
    var plan = InputAmounts()
    for file in files {
      plan.add(file.name, byteCount: file.byteCount, seconds: file.knowsLength ? file.seconds : nil)
    }
    var (now, next, tally) = (0.0, 0, RunTally())
    var busy: [(index: Int, start: Double)] = []
    var found: [(Double, Double)] = []
    let step = 0.05
    while next < files.count || !busy.isEmpty {
      for work in busy where now >= work.start + files[work.index].cost {
        let file = files[work.index]
        tally.add(record(work.index, file, elapsed: file.cost, fails: file.cost == 0.01))
      }
      busy.removeAll { now >= $0.start + files[$0.index].cost }
      while busy.count < workers, next < files.count {
        busy.append((next, now))
        next += 1
      }
      let work = busy.map { index, start in
        RunForecast.Work(
          input: files[index].name, byteCount: files[index].byteCount,
          inputSeconds: files[index].knowsLength ? files[index].seconds : nil,
          fraction: (now - start) / files[index].cost)
      }
      let forecast = RunForecast(
        plan: plan, settled: [tally.inputs], session: tally, work: work, elapsed: now)
      if let left = forecast.secondsLeft { found.append((now, left)) }
      now += step
    }
    return found.map { ($0.0, now, $0.1) }
  }

  @Test(arguments: [1, 2, 8]) func theEstimateHoldsInTheLastHalf(workers: Int) {
    let all = estimates(Self.mixed, workers: workers)
    let late = all.filter { $0.time > $0.end / 2 }
    #expect(late.count > 10)
    for estimate in late {
      let total = estimate.time + estimate.left
      #expect(
        abs(total / estimate.end - 1) < 0.2,
        "\(workers) workers, at \(estimate.time) of \(estimate.end): \(estimate.left) left")
    }
  }

  /// One long file at the end is done by one worker, however many there are.
  @Test func aLongFileAtTheEndIsExpected() {
    var files = (0..<40).map { number in
      File(name: "\(number).wav", seconds: 10, byteCount: 1_764_000, cost: 0.2)
    }
    files.append(File(name: "long.wav", seconds: 400, byteCount: 70_560_000, cost: 8))
    for estimate in estimates(files, workers: 8) where estimate.time > estimate.end / 2 {
      #expect(abs((estimate.time + estimate.left) / estimate.end - 1) < 0.2, "\(estimate)")
    }
  }

  @Test func amountsComeBackFromTheirText() {
    var plan = InputAmounts()
    plan.add("a/B.WAV", byteCount: 100, seconds: 1.5)
    plan.add("a/b.wav", byteCount: 10, seconds: nil)
    plan.add("c", byteCount: 1, seconds: nil)
    #expect(InputAmounts(json: plan.json) == plan)
    #expect(InputAmounts(json: nil) == InputAmounts())
    #expect(InputAmounts.kind(of: "x/y.tar.Mp3") == "mp3")
    #expect(InputAmounts.kind(of: "x.y/name") == "")
  }
}
