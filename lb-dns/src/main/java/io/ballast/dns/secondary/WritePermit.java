package io.ballast.dns.secondary;

import java.io.IOException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The permission to change files. It is withdrawn while another process uses the directory, because that
 * process changes files of the same names.
 *
 * <p>Thread safety: any thread may call any method.
 */
final class WritePermit {

    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private boolean isGranted;

    @FunctionalInterface
    interface Change {
        void run() throws IOException;
    }

    void grant() {
        set(/* granted= */ true);
    }

    /** Withdraws the permission. Waits for a change in progress, which takes no longer than renaming a file. */
    void withdraw() {
        set(/* granted= */ false);
    }

    private void set(boolean granted) {
        lock.writeLock().lock();
        try {
            isGranted = granted;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** @throws UnusableException if the permission is not granted */
    void run(Change change) throws IOException {
        lock.readLock().lock();
        try {
            if (!isGranted) {
                throw new UnusableException("another process uses the directory");
            }
            change.run();
        } finally {
            lock.readLock().unlock();
        }
    }
}
