package io.ballast.server.process;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ignores signals whose default action ends the process, but which users send to other servers as requests:
 * to reopen log files, or (before a configuration is loaded) to reload. Each ignored signal is only logged.
 */
public final class IgnoredSignals {

    private static final Logger LOG = LoggerFactory.getLogger(IgnoredSignals.class);

    /**
     * The JVM suspends threads with SIGUSR2. From this Java version on, the JVM ignores this signal if another process
     * sends it. Older versions crash, so this class handles the signal in place of the JVM. This disables JFR's
     * execution samples.
     */
    private static final int JVM_IGNORES_USR2 = 25;

    private IgnoredSignals() {}

    /**
     * Makes the process ignore these signals from now on. Must be called before any slow operation.
     *
     * @return a flag that becomes true when SIGHUP arrives; files read before then may be outdated
     */
    public static AtomicBoolean install() {
        AtomicBoolean disconnect = new AtomicBoolean();
        Signals.handle("HUP", name -> {
            disconnect.set(true);
            LOG.info(
                    "signal={} msg=\"still starting: the configuration will be reloaded once the process is ready\"",
                    name);
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
