// What plug-ins say through the log extension: a few lines on standard error, then silence.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import Glibc
internal import Synchronization

/// The log of one instance. Errors and warnings go to standard error; notes and
/// traces too when `AURICLE_LV2_LOG` is "all", otherwise nowhere.
@safe final class LV2Log {
  /// The C form, for the feature.
  let pointer: UnsafeMutablePointer<LV2_Log_Log>
  private let sink: UnsafeMutablePointer<AuricleLogSink>
  private let context: LV2LogContext

  /// Makes a log that names the plug-in in each line.
  init(name: String) {
    context = LV2LogContext(name: name)
    unsafe sink = .allocate(capacity: 1)
    unsafe pointer = .allocate(capacity: 1)
    unsafe sink.initialize(
      to: AuricleLogSink(
        context: Unmanaged.passUnretained(context).toOpaque(),
        write: { context, type, text in
          guard let context = unsafe context, let text = unsafe text else { return }
          unsafe Unmanaged<LV2LogContext>.fromOpaque(context).takeUnretainedValue()
            .write(type, String(cString: text))
        }))
    unsafe auricle_lv2_log_init(pointer, sink)
  }

  /// Says something of the host's own about the plug-in, under the same limit.
  func warn(_ text: String) { context.warn(text) }

  deinit {
    unsafe pointer.deallocate()
    unsafe sink.deallocate()
  }
}

/// Counts and writes; called by plug-ins from any thread.
private final class LV2LogContext: Sendable {
  private static let limit = 5
  /// Whether notes and traces are shown as well, for whoever looks into a plug-in.
  private static let showsAll = environment("AURICLE_LV2_LOG") == "all"
  private let name: String
  private let error = URIDMap.shared.number(LV2Names.log + "Error")
  private let warning = URIDMap.shared.number(LV2Names.log + "Warning")
  private let count = Mutex(0)

  init(name: String) { self.name = name }

  func write(_ type: UInt32, _ text: String) {
    guard type == error || type == warning || LV2LogContext.showsAll else { return }
    warn(text)
  }

  func warn(_ text: String) {
    let number = count.withLock { count in
      count += 1
      return count
    }
    guard number <= LV2LogContext.limit else { return }
    let end = number == LV2LogContext.limit ? " (its further messages are not shown)" : ""
    let line = "\(name): \(LV2Text.line(text, limit: 300))\(end)\n"
    unsafe _ = Glibc.write(STDERR_FILENO, line, line.utf8.count)
  }
}
