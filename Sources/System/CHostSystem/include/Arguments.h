// The arguments of this process, as the loader passes them to constructors.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_ARGUMENTS_H
#define AURICLE_ARGUMENTS_H

/// The number of arguments, the name of the program among them.
///
/// Swift's `CommandLine` searches them below the environment in memory. It finds none when a preloaded library has
/// set a variable before, which moves the environment.
int AuricleArgumentCount(void);

/// An argument by its index; an empty string beyond the last one.
const char *_Nonnull AuricleArgument(int index);

#endif
