package io.ballast.server.process;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals whose default is to end the process, and that tell other servers to open their logs again, or to reload before
 * there is anything to. They are answered with a line in the log and nothing else.
 */
public final class IgnoredSignals {

    private static final Logger LOG = LoggerFactory.getLogger(IgnoredSignals.class);

    /**
     * From this version on, the JVM, which suspends threads with SIGUSR2, ignores this signal from other processes.
     * Older versions crash, so the signal is taken from the JVM there, which disables JFR's execution samples.
     */
    private static final int JVM_IGNORES_USR2 = 25;

    private IgnoredSignals() {}

    /**
     * From now on they end nothing. To be called before anything else that takes time.
     *
     * @return whether SIGHUP has come since: what was read until then may be of before it
     */
    public static AtomicBoolean install() {
        AtomicBoolean disconnect = new AtomicBoolean();
        Signals.handle("HUP", name -> {
            disconnect.set(true);
            LOG.info("signal={} msg=\"not serving yet: the configuration is read again once it is\"", name);
        });
        Signals.handle(
                "USR1",
                name -> LOG.info("signal={} msg=\"ignored: moved log files are reopened automatically\"", name));
        if (Runtime.version().feature() < JVM_IGNORES_USR2) {
            AtomicBoolean logged = new AtomicBoolean();
            Signals.handle("USR2", name -> {
                if (logged.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
                    LOG.info("signal={} msg=\"ignored; not logged again\"", name);
                }
            });
        }
        return disconnect;
    }
}
