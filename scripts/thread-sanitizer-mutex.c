// SPDX-License-Identifier: Apache-2.0
//
// What scripts/sanitize loads before everything else under ThreadSanitizer. The quick ways into and out of a Swift Mutex
// are compiled into its users, where the sanitizer sees them. The slow ones, taken when two threads meet, are in
// libswiftSynchronization, where it does not, so that it takes what the mutex keeps apart for a race. Here both are told.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// Of the sanitizer's runtime; not there in programs that were built without it.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

// Synchronization._MutexHandle._lockSlow(UInt32), _unlockSlow() and _tryLockSlow() -> Bool; `self` is the lock's address.
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

SWIFT void lock_slow(uint32_t thread, SELF void *lock) __asm__(LOCK_SLOW);
SWIFT void lock_slow(uint32_t thread, SELF void *lock) {
  SWIFT void (*original)(uint32_t, SELF void *) = (SWIFT void (*)(uint32_t, SELF void *))dlsym(RTLD_NEXT, LOCK_SLOW);
  original(thread, lock);
  if (__tsan_acquire) __tsan_acquire(lock);
}

SWIFT void unlock_slow(SELF void *lock) __asm__(UNLOCK_SLOW);
SWIFT void unlock_slow(SELF void *lock) {
  SWIFT void (*original)(SELF void *) = (SWIFT void (*)(SELF void *))dlsym(RTLD_NEXT, UNLOCK_SLOW);
  if (__tsan_release) __tsan_release(lock);
  original(lock);
}

SWIFT _Bool try_lock_slow(SELF void *lock) __asm__(TRY_LOCK_SLOW);
SWIFT _Bool try_lock_slow(SELF void *lock) {
  SWIFT _Bool (*original)(SELF void *) = (SWIFT _Bool (*)(SELF void *))dlsym(RTLD_NEXT, TRY_LOCK_SLOW);
  _Bool has_lock = original(lock);
  if (has_lock && __tsan_acquire) __tsan_acquire(lock);
  return has_lock;
}
