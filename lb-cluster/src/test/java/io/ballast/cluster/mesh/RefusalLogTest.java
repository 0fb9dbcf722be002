package io.ballast.cluster.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RefusalLogTest {

    private static final InetSocketAddress PEER = new InetSocketAddress("10.0.0.2", 7946);

    private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE); // the clock overflows in the next minute
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(RefusalLog.class);
    private final RefusalLog log = new RefusalLog("test_refused", nanoTime::get);

    @BeforeEach
    void record() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
    }

    @Test
    void oneLineAMinuteIsLoggedAndTheOthersAreCounted() {
        log.log(PEER, "first");
        log.log(PEER, "second");
        nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(59));
        log.log(PEER, "third");
        nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(1));
        log.log(PEER, "fourth");

        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(line -> line.startsWith("cluster=test_refused "))
                .containsExactly(
                        "cluster=test_refused address=/10.0.0.2:7946 reason=\"first\" not_logged=0",
                        "cluster=test_refused address=/10.0.0.2:7946 reason=\"fourth\" not_logged=2");
    }
}
