// The variables of this process's environment.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_ENVIRONMENT_H
#define AURICLE_ENVIRONMENT_H

/// The entries, ended by NULL; NULL itself where `clearenv` left none, which Swift's import of
/// `environ` does not expect.
char *_Nullable *_Nullable AuricleEnvironment(void);

#endif
