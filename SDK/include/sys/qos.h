// The urgency of a thread's work, in five classes.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_SYS_QOS_H
#define AURICLE_SYS_QOS_H

typedef unsigned int qos_class_t;
enum {
  QOS_CLASS_UNSPECIFIED = 0x00,
  QOS_CLASS_BACKGROUND = 0x09,
  QOS_CLASS_UTILITY = 0x11,
  QOS_CLASS_DEFAULT = 0x15,
  QOS_CLASS_USER_INITIATED = 0x19,
  QOS_CLASS_USER_INTERACTIVE = 0x21,
};
#define QOS_MIN_RELATIVE_PRIORITY (-15)

#endif
