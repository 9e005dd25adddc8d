// Threads of a class of urgency: a nice value, as far as the system lets the user have it.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_PTHREAD_QOS_H
#define AURICLE_PTHREAD_QOS_H

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>

#include "../sys/qos.h"

// The nice value of a class: 0 for work that a user waits for, which a thread has by itself.
static inline int AuricleNiceOfClass(qos_class_t urgency) {
  return urgency == QOS_CLASS_BACKGROUND ? 15 : urgency == QOS_CLASS_UTILITY ? 5 : 0;
}
static inline int AuricleIsClass(qos_class_t urgency, int relativePriority) {
  return (urgency == QOS_CLASS_BACKGROUND || urgency == QOS_CLASS_UTILITY
          || urgency == QOS_CLASS_DEFAULT || urgency == QOS_CLASS_USER_INITIATED
          || urgency == QOS_CLASS_USER_INTERACTIVE)
      && relativePriority <= 0 && relativePriority >= QOS_MIN_RELATIVE_PRIORITY;
}

// The class of the calling thread. 0, EINVAL, or EPERM where the system does not let it be nicer to it.
static inline int pthread_set_qos_class_self_np(qos_class_t urgency, int relativePriority) {
  if (!AuricleIsClass(urgency, relativePriority)) return EINVAL;
  if (getpriority(PRIO_PROCESS, 0) == AuricleNiceOfClass(urgency)) return 0;
  return setpriority(PRIO_PROCESS, 0, AuricleNiceOfClass(urgency)) == 0 ? 0 : EPERM;
}
static inline qos_class_t qos_class_self(void) {
  int nice = getpriority(PRIO_PROCESS, 0);
  return nice >= 15 ? QOS_CLASS_BACKGROUND : nice >= 5 ? QOS_CLASS_UTILITY : QOS_CLASS_DEFAULT;
}

// The class of threads that are made with these attributes. Every thread begins as its maker: 0 for the
// classes with that, ENOTSUP for the nicer ones, which a thread sets for itself.
static inline int pthread_attr_set_qos_class_np(
    pthread_attr_t *attributes, qos_class_t urgency, int relativePriority) {
  if (!attributes || !AuricleIsClass(urgency, relativePriority)) return EINVAL;
  return AuricleNiceOfClass(urgency) == 0 ? 0 : ENOTSUP;
}

#endif
