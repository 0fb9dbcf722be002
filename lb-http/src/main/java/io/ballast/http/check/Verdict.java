package io.ballast.http.check;

import io.ballast.core.health.ProbeResult;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Passes the first outcome of a check on, with the time that it took, and ignores what comes after. */
final class Verdict {

    private final Consumer<ProbeResult> done;
    private final long startNanos = System.nanoTime();
    private final AtomicBoolean given = new AtomicBoolean();

    Verdict(Consumer<ProbeResult> done) {
        this.done = done;
    }

    void passed(String text) {
        give(true, text);
    }

    void failed(String text) {
        give(false, text);
    }

    private void give(boolean ok, String text) {
        if (given.compareAndSet(false, true)) {
            done.accept(new ProbeResult(ok, Duration.ofNanos(System.nanoTime() - startNanos), text));
        }
    }
}
