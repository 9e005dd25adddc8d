// A pipe that child processes do not inherit unless they are meant to.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_PRIVATE_PIPE_H
#define AURICLE_PRIVATE_PIPE_H

/// Makes a pipe whose ends are closed in programs that are started: 0, or an error number. `ends[0]` is
/// for reading. Swift's module of the C library lacks `pipe2`, and setting the flag afterwards lets a
/// program that another thread starts meanwhile keep the pipe open.
int AuriclePrivatePipe(int ends[2]);

#endif
