// Checks that leave a block: require_noerr(status, label) and its relatives.
// SPDX-License-Identifier: Apache-2.0
//
// In debug builds (DEBUG or DEBUG_ASSERT_PRODUCTION_CODE is 0) a failure is printed. The short names
// (check, verify, require) clash with other libraries: define
// __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES as 1 to have them, as in sources of before
// 10.6 expect.
#ifndef AURICLE_ASSERT_MACROS_H
#define AURICLE_ASSERT_MACROS_H

#include <stdio.h>

#include "TargetConditionals.h"

#ifndef DEBUG_ASSERT_PRODUCTION_CODE
#define DEBUG_ASSERT_PRODUCTION_CODE !DEBUG
#endif

#if DEBUG_ASSERT_PRODUCTION_CODE
#define __Debug_Report(text) ((void)0)
#else
#define __Debug_Report(text) \
  ((void)fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, text))
#endif

#if DEBUG_ASSERT_PRODUCTION_CODE
#define __Check(assertion) ((void)0)
#define __Check_noErr(error) ((void)0)
#else
#define __Check(assertion) \
  do {                     \
    if (!(assertion)) __Debug_Report(#assertion); \
  } while (0)
#define __Check_noErr(error) \
  do {                       \
    if ((error) != 0) __Debug_Report(#error); \
  } while (0)
#endif
#define __Check_String(assertion, message) __Check(assertion)
#define __Debug_String(message) __Debug_Report(message)

#define __Verify(assertion) \
  do {                      \
    if (!(assertion)) __Debug_Report(#assertion); \
  } while (0)
#define __Verify_noErr(error) \
  do {                        \
    if ((error) != 0) __Debug_Report(#error); \
  } while (0)
#define __Verify_Action(assertion, action) \
  do {                                     \
    if (!(assertion)) {                    \
      __Debug_Report(#assertion);          \
      { action; }                          \
    }                                      \
  } while (0)

#define __Require(assertion, label) \
  do {                              \
    if (!(assertion)) {             \
      __Debug_Report(#assertion);   \
      goto label;                   \
    }                               \
  } while (0)
#define __Require_Quiet(assertion, label) \
  do {                                    \
    if (!(assertion)) goto label;         \
  } while (0)
#define __Require_Action(assertion, label, action) \
  do {                                             \
    if (!(assertion)) {                            \
      __Debug_Report(#assertion);                  \
      { action; }                                  \
      goto label;                                  \
    }                                              \
  } while (0)
#define __Require_Action_Quiet(assertion, label, action) \
  do {                                                   \
    if (!(assertion)) {                                  \
      { action; }                                        \
      goto label;                                        \
    }                                                    \
  } while (0)
#define __Require_noErr(error, label) __Require((error) == 0, label)
#define __Require_noErr_Quiet(error, label) __Require_Quiet((error) == 0, label)
#define __Require_noErr_Action(error, label, action) \
  __Require_Action((error) == 0, label, action)
#define __Require_noErr_Action_Quiet(error, label, action) \
  __Require_Action_Quiet((error) == 0, label, action)
#define __Require_String(assertion, label, message) __Require(assertion, label)
#define __nRequire(assertion, label) __Require(!(assertion), label)
#define __nRequire_Quiet(assertion, label) __Require_Quiet(!(assertion), label)

#ifndef __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES
#define __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES 0
#endif
#if __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES
#define check(assertion) __Check(assertion)
#define check_noerr(error) __Check_noErr(error)
#define check_string(assertion, message) __Check_String(assertion, message)
#define debug_string(message) __Debug_String(message)
#define verify(assertion) __Verify(assertion)
#define verify_noerr(error) __Verify_noErr(error)
#define verify_action(assertion, action) __Verify_Action(assertion, action)
#define require(assertion, label) __Require(assertion, label)
#define require_quiet(assertion, label) __Require_Quiet(assertion, label)
#define require_action(assertion, label, action) __Require_Action(assertion, label, action)
#define require_action_quiet(assertion, label, action) \
  __Require_Action_Quiet(assertion, label, action)
#define require_noerr(error, label) __Require_noErr(error, label)
#define require_noerr_quiet(error, label) __Require_noErr_Quiet(error, label)
#define require_noerr_action(error, label, action) __Require_noErr_Action(error, label, action)
#define require_noerr_action_quiet(error, label, action) \
  __Require_noErr_Action_Quiet(error, label, action)
#define require_string(assertion, label, message) __Require_String(assertion, label, message)
#define nrequire(assertion, label) __nRequire(assertion, label)
#endif

#endif
