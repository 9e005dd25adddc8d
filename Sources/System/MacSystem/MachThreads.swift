// The functions of mach_init.h and thread_policy.h: names of threads, and how they are scheduled.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import CHostSystem
import Glibc

/// The system's number of the calling thread.
///
/// Context: any.
@c @implementation
public func mach_thread_self() -> thread_t { thread_t(AuricleSystemThread()) }

/// The number of this process.
///
/// Context: any.
@c @implementation
public func mach_task_self() -> task_t { task_t(getpid()) }

/// Does nothing: names of threads and tasks are not counted.
///
/// - Returns: 0; 15 (invalid name) for the name of nothing.
///
/// Context: any.
@c @implementation
public func mach_port_deallocate(_ task: ipc_space_t, _ name: mach_port_name_t) -> kern_return_t {
  name == 0 ? KERN_INVALID_NAME : KERN_SUCCESS
}

/// Sets the scheduling of a thread of this process.
///
/// A time constraint makes it a realtime thread (`SCHED_RR`, and its children are not); shared time
/// ends that. Importance is a nice value with its sign turned round.
///
/// - Returns: 0; 8 (no access) where the system does not let this user have it. 4 (invalid
///   argument) for another policy, a null pointer, too few numbers or a thread of another process.
///
/// Context: control.
@c @implementation
public func thread_policy_set(
  _ thread: thread_act_t, _ flavor: thread_policy_flavor_t, _ policy: thread_policy_t?,
  _ count: mach_msg_type_number_t
) -> kern_return_t {
  guard let number = pid_t(exactly: thread), isOfThisProcess(number) else {
    return KERN_INVALID_ARGUMENT
  }
  switch flavor {
  case thread_policy_flavor_t(THREAD_EXTENDED_POLICY):
    // Without numbers it is the standard policy.
    return schedule(number, SCHED_OTHER, priority: 0)
  case thread_policy_flavor_t(THREAD_TIME_CONSTRAINT_POLICY):
    guard let policy = unsafe policy, count >= 4 else { return KERN_INVALID_ARGUMENT }
    let computation = unsafe UInt32(bitPattern: policy[1])
    let constraint = unsafe UInt32(bitPattern: policy[2])
    guard computation <= constraint, constraint > 0 else { return KERN_INVALID_ARGUMENT }
    return schedule(number, SCHED_RR | resetOnFork, priority: realtimePriority)
  case thread_policy_flavor_t(THREAD_PRECEDENCE_POLICY):
    guard let policy = unsafe policy, count >= 1 else { return KERN_INVALID_ARGUMENT }
    let nice = unsafe -max(-20, min(20, policy[0]))
    let threads = __priority_which_t(PRIO_PROCESS.rawValue)
    return setpriority(threads, id_t(number), nice) == 0 ? KERN_SUCCESS : refusal()
  default: return KERN_INVALID_ARGUMENT
  }
}

/// SCHED_RESET_ON_FORK, which the system's headers show to few.
private let resetOnFork: Int32 = 0x4000_0000

/// Above programs that ask for the lowest realtime priority, below the system's own sound servers (88).
private let realtimePriority: Int32 = 60

private func schedule(_ thread: pid_t, _ policy: Int32, priority: Int32) -> kern_return_t {
  var parameters = sched_param()
  parameters.sched_priority = priority
  return unsafe sched_setscheduler(thread, policy, &parameters) == 0 ? KERN_SUCCESS : refusal()
}

/// The code of the system's refusal here.
private func refusal() -> kern_return_t {
  errno == EPERM || errno == EACCES ? KERN_NO_ACCESS : KERN_INVALID_ARGUMENT
}

private func isOfThisProcess(_ thread: pid_t) -> Bool {
  unsafe thread > 0 && access("/proc/self/task/\(thread)", F_OK) == 0
}
