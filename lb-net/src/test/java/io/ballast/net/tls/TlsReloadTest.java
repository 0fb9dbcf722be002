package io.ballast.net.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TlsReloadTest {

    private static final int TIMEOUT_SECONDS = 60;

    private final CountDownLatch lookupStarted = new CountDownLatch(1);
    private final CountDownLatch read = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicBoolean disturbed = new AtomicBoolean();
    private final AtomicBoolean closedWhileLooking = new AtomicBoolean();

    /** A configuration whose reload takes as long as the test specifies. */
    private final WatchedTls slow = new WatchedTls() {
        @Override
        public void refresh() {
            lookupStarted.countDown();
            try {
                read.await();
            } catch (InterruptedException e) {
                disturbed.set(true);
            }
            closedWhileLooking.set(closed.getCount() == 0);
        }

        @Override
        public void close() {
            closed.countDown();
        }
    };

    @Test
    void readContinuesWhenWatchersChange() throws Exception {
        try (TlsReload reload = TlsReload.start(List.of(slow))) {
            assertThat(lookupStarted.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();

            reload.watch(List.of());
            reload.closeLater(slow);
            read.countDown();

            assertThat(closed.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(disturbed).isFalse();
            assertThat(closedWhileLooking).isFalse();
        }
    }

    @Test
    void unusedContextIsClosedImmediately() {
        try (TlsReload reload = new TlsReload()) {
            reload.closeLater(slow);

            assertThat(closed.getCount()).isZero();
        }
    }

    @Test
    void pendingContextsAreClosedAtShutdown() throws Exception {
        TlsReload reload = TlsReload.start(List.of(slow));
        read.countDown();
        reload.closeLater(slow);

        reload.close();

        assertThat(closed.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
}
